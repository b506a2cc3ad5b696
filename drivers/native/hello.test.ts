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

/** What a device may have beyond the least. */
interface Abilities {
  readonly device?: TraceStruct;
  /** What ibv_query_device_ex(3) tells; a device that cannot be asked so refuses. */
  readonly extended?: TraceStruct;
}

/** An addon on whose machine there is one device, with one port. */
function addonWith(transportType: string, { device: more = {}, extended }: Abilities): Addon {
  const least = { maxSrq: 0, atomicCap: 'IBV_ATOMIC_NONE', deviceCapFlags: [] };
  const device = { fwVer: '1.2', nodeGuid: '', vendorId: 0, vendorPartId: 0, hwVer: 0, physPortCnt: 1 };
  const port = { state: 'IBV_PORT_ACTIVE', linkLayer: 'IBV_LINK_LAYER_INFINIBAND', maxMtu: 4096, activeMtu: 2048 };
  const verbs = {
    ibv_get_device_list: () => result('device-list', { devices: [{ name: 'ib0', transportType }] }),
    ibv_open_device: () => result('context#1'),
    ibv_close_device: () => result(0),
    ibv_query_device: () => result(0, { ...device, ...least, ...more }),
    ibv_query_device_ex: () => (extended === undefined ? result(95) : result(0, extended)),
    ibv_query_port: () => result(0, { ...port, lid: 7, gidTblLen: 1 }),
    ibv_query_gid: () => result(0, { gid: 'fe80:0000:0000:0000:0000:0000:0000:0001' }),
  };
  const set = { verbs, leftovers: () => [], providerPath: () => null };
  return { createVerbs: () => set, libraryPath: () => null } as unknown as Addon;
}

const describeOn = (transport: string, abilities: Abilities = {}): Dut =>
  describeDevice(addonWith(transport, abilities), { session: 1, device: 'ib0', portNum: 1, gidIndex: 0 });

const capabilitiesOf = (abilities: Abilities): readonly string[] =>
  describeOn('IBV_TRANSPORT_IB', abilities).capabilities;

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

describe('the capabilities of a device', () => {
  const noneExtended = { maxCqCount: 0, maxCqPeriod: 0, completionTimestampMask: 0n };

  it('are none where the device says so, or cannot be asked for more', () => {
    assert.deepEqual(capabilitiesOf({ extended: noneExtended }), []);
    assert.deepEqual(capabilitiesOf({}), []);
  });

  it('are read from ibv_query_device(3)', () => {
    const device = { maxSrq: 1, atomicCap: 'IBV_ATOMIC_HCA', deviceCapFlags: ['IBV_DEVICE_MEM_WINDOW_TYPE_2B'] };
    assert.deepEqual(capabilitiesOf({ device }), ['srq', 'atomics', 'memory-windows']);
  });

  it('do not count memory windows of type 1, whose R_Key the device chooses', () => {
    assert.deepEqual(capabilitiesOf({ device: { deviceCapFlags: ['IBV_DEVICE_MEM_WINDOW'] } }), []);
  });

  it('are read from ibv_query_device_ex(3)', () => {
    const extended = { ...noneExtended, maxCqCount: 65535, completionTimestampMask: 0xffff_ffff_ffff_ffffn };
    assert.deepEqual(capabilitiesOf({ extended }), ['cq-moderation', 'completion-timestamps']);
  });
});
