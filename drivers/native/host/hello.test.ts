import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawResult } from '../../pipeline/backend';
import type { TraceStruct } from '../../contract';
import type { DescribedDut } from '../protocol';
import type { Addon } from './addon';
import { describeDevice } from './hello';

const result = (returned: RawResult['returned'], outputs: TraceStruct = {}): RawResult => ({
  returned,
  errno: 0,
  outputs,
  startedAt: 0,
  durationUs: 0,
});

/** Describes a device whose machine has no other, and sees to it that it is closed again. */
function describeOn(transportType: string, pkeys: readonly number[] = [0xffff]): DescribedDut {
  const opened: string[] = [];
  const device = { fwVer: '1.2', nodeGuid: '', vendorId: 0, vendorPartId: 0, hwVer: 0, physPortCnt: 1 };
  const port = {
    state: 'IBV_PORT_ACTIVE',
    linkLayer: 'IBV_LINK_LAYER_INFINIBAND',
    maxMtu: 'IBV_MTU_4096',
    activeMtu: 'IBV_MTU_2048',
  };
  const verbs = {
    ibv_get_device_list: () => result('device-list', { devices: [{ name: 'ib0', transportType }] }),
    ibv_open_device: () => result(opened[opened.push('context#1') - 1] ?? null),
    ibv_close_device: () => result(opened.pop() === undefined ? -1 : 0),
    ibv_query_device: () => result(0, device),
    ibv_query_port: () => result(0, { ...port, lid: 7, gidTblLen: 1, pkeyTblLen: pkeys.length }),
    ibv_query_pkey: ({ index }: TraceStruct) => result(0, { pkey: pkeys[Number(index)] ?? 0 }),
    ibv_query_gid: () => result(0, { gid: 'fe80:0000:0000:0000:0000:0000:0000:0001' }),
  };
  const addon = { createVerbs: () => ({ verbs, providerPath: () => null }), libraryPath: () => null };
  const dut = describeDevice(addon as unknown as Addon, { session: 1, device: 'ib0', portNum: 1, gidIndex: 0 });
  assert.deepEqual(opened, []);
  return dut;
}

describe('the description of a device', () => {
  it('reports what a path to its port takes', () => {
    const { lid, activeMtu, gid } = describeOn('IBV_TRANSPORT_IB').port;
    assert.deepEqual([lid, activeMtu, gid], [7, 2048, 'fe80:0000:0000:0000:0000:0000:0000:0001']);
  });

  it('has the index of a full member among P_Keys, where that is not the first', () => {
    assert.equal(describeOn('IBV_TRANSPORT_IB', [0x7fff, 0xffff]).port.pkeyIndex, 1);
    assert.ok(!('pkeyIndex' in describeOn('IBV_TRANSPORT_IB').port));
    assert.ok(!('pkeyIndex' in describeOn('IBV_TRANSPORT_IB', []).port));
  });

  it('has the transport, and no capabilities: those have to be shown', () => {
    const dut = describeOn('IBV_TRANSPORT_IWARP');
    assert.equal(dut.transport, 'IBV_TRANSPORT_IWARP');
    assert.ok(!('capabilities' in dut));
  });
});
