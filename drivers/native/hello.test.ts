import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JSONRPCErrorException } from 'json-rpc-2.0';
import type { RawResult } from '../backend';
import type { Dut, TraceStruct } from '../contract';
import type { Addon } from './addon';
import { describeDevice } from './hello';
import { errorCodes } from './protocol';

const result = (returned: RawResult['returned'], outputs: TraceStruct = {}): RawResult => ({
  returned,
  errno: 0,
  outputs,
  startedAt: 0,
  durationUs: 0,
});

/** An addon on whose machine there is one device, with one port. */
function addonWith(transportType: string): Addon {
  const device = { fwVer: '1.2', nodeGuid: '', vendorId: 0, vendorPartId: 0, hwVer: 0, physPortCnt: 1 };
  const port = { state: 'IBV_PORT_ACTIVE', linkLayer: 'IBV_LINK_LAYER_INFINIBAND', maxMtu: 4096, activeMtu: 2048 };
  const verbs = {
    ibv_get_device_list: () => result('device-list', { devices: [{ name: 'ib0', transportType }] }),
    ibv_open_device: () => result('context#1'),
    ibv_close_device: () => result(0),
    ibv_query_device: () => result(0, { ...device, maxSrq: 0, atomicCap: 'IBV_ATOMIC_NONE' }),
    ibv_query_port: () => result(0, { ...port, lid: 7, gidTblLen: 1 }),
    ibv_query_gid: () => result(0, { gid: 'fe80:0000:0000:0000:0000:0000:0000:0001' }),
  };
  const set = { verbs, leftovers: () => [], providerPath: () => null };
  return { createVerbs: () => set, libraryPath: () => null } as unknown as Addon;
}

const describeOn = (transport: string): Dut =>
  describeDevice(addonWith(transport), { session: 1, device: 'ib0', portNum: 1, gidIndex: 0 });

describe('the description of a device', () => {
  it('tells what a path to its port takes', () => {
    const { lid, activeMtu, gid } = describeOn('IBV_TRANSPORT_IB').port;
    assert.deepEqual([lid, activeMtu, gid], [7, 2048, 'fe80:0000:0000:0000:0000:0000:0000:0001']);
  });

  for (const transport of ['IBV_TRANSPORT_IWARP', 'IBV_TRANSPORT_USNIC_UDP', 'IBV_TRANSPORT_UNSPECIFIED']) {
    it(`is refused for ${transport}, whose QPs ibv_modify_qp() does not connect`, () => {
      assert.throws(
        () => describeOn(transport),
        (error) => {
          assert.ok(error instanceof JSONRPCErrorException);
          assert.equal(error.code, errorCodes.unusableDevice);
          assert.match(error.message, new RegExp(`^ib0 cannot connect RC QPs .*${transport}$`));
          assert.match((error.data as { remedy: string }).remedy, /--ib-dev$/);
          return true;
        },
      );
    });
  }
});
