import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import { JSONRPCErrorException } from 'json-rpc-2.0';
import type { RawResult } from '../../pipeline/backend';
import type { TraceStruct } from '../../contract';
import type { Addon, VerbSet } from './addon';
import { describeDevice, helloParamsOf } from './hello';
import { errorCodes, type HelloParams } from '../protocol';

const { EACCES, EINVAL, ENOSYS } = constants.errno;

const answer = (returned: RawResult['returned'], outputs: TraceStruct = {}, errno = 0): (() => RawResult) => {
  return () => ({ returned, errno, outputs, startedAt: 0, durationUs: 0 });
};

const device = { fwVer: '1', nodeGuid: '', vendorId: 0, vendorPartId: 0, hwVer: 0, physPortCnt: 1 };
const port = {
  state: 'IBV_PORT_ACTIVE',
  linkLayer: 'Ethernet',
  maxMtu: 'IBV_MTU_4096',
  activeMtu: 'IBV_MTU_1024',
  lid: 0,
  gidTblLen: 2,
  pkeyTblLen: 1,
};
const noGid = '0000:0000:0000:0000:0000:0000:0000:0000';
const gid = 'fe80:0000:0000:0000:0000:0000:0000:0001';
const hello: HelloParams = { session: 1, device: 'ib0', portNum: 1, gidIndex: 0 };

/** Two GIDs, of which the first is empty. */
const gids = ({ index }: TraceStruct): RawResult => answer(0, { gid: index === 1 ? gid : noGid })();

/**
 * How a device is refused.
 *
 * @param verbs - those that answer otherwise than a device would that can be used
 */
function refusal(verbs: VerbSet['verbs'], change: Partial<HelloParams> = {}): JSONRPCErrorException {
  const closed: TraceStruct[] = [];
  const set: VerbSet = {
    verbs: {
      ibv_get_device_list: answer('list', { devices: [{ name: 'ib0', transportType: 'IBV_TRANSPORT_IB' }] }),
      ibv_open_device: answer('context#1'),
      ibv_close_device: (params) => {
        closed.push(params);
        return answer(0)();
      },
      ibv_query_device: answer(0, device),
      ibv_query_port: answer(0, port),
      ibv_query_gid: gids,
      ibv_query_pkey: answer(0, { pkey: 0xffff }),
      ...verbs,
    },
    providerPath: () => null,
  };
  const opens = verbs.ibv_open_device === undefined && verbs.ibv_get_device_list === undefined;
  const addon = { createVerbs: () => set, libraryPath: () => null } as unknown as Addon;
  const error = thrownBy(() => describeDevice(addon, { ...hello, ...change }));
  const isThere = opens && change.device === undefined;
  assert.deepEqual(closed, isThere ? [{ context: 'context#1' }] : [], 'it is closed if it was opened');
  assert.ok(error instanceof JSONRPCErrorException, String(error));
  return error;
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail('the device is not refused');
}

describe('a device that cannot be used is refused with what the user can do', () => {
  const cases: readonly (readonly [
    what: string,
    verbs: VerbSet['verbs'],
    change: Partial<HelloParams>,
    code: number,
    message: RegExp,
    remedy: RegExp,
  ])[] = [
    ['an unknown name', {}, { device: 'ib9' }, errorCodes.noDevice, /"ib9": there are ib0$/, /--ib-dev/],
    [
      'no device at all',
      { ibv_get_device_list: answer('list', { devices: [] }) },
      {},
      errorCodes.noDevice,
      /"ib0": libibverbs lists none$/,
      /rdma link/,
    ],
    [
      'a list that is refused',
      { ibv_get_device_list: answer(null, {}, ENOSYS) },
      {},
      errorCodes.noDevice,
      /libibverbs lists none \(ENOSYS\)$/,
      /ib_uverbs/,
    ],
    [
      'a device that is not for this user',
      { ibv_open_device: answer(null, {}, EACCES) },
      {},
      errorCodes.unusableDevice,
      /^ib0 cannot be opened: EACCES$/,
      /run as root/,
    ],
    [
      'a device that reports nothing of itself',
      { ibv_query_device: answer(EINVAL, {}, EINVAL) },
      {},
      errorCodes.unusableDevice,
      /^ibv_query_device\(\) of ib0 failed with EINVAL$/,
      /^$/,
    ],
    ['a port too many', {}, { portNum: 2 }, errorCodes.unusableDevice, /^ib0 has no port 2$/, /from 1 to 1/],
    ['port 0', {}, { portNum: 0 }, errorCodes.unusableDevice, /^ib0 has no port 0$/, /--ib-port/],
    [
      'a port that is down',
      { ibv_query_port: answer(0, { ...port, state: 'IBV_PORT_DOWN' }) },
      {},
      errorCodes.unusableDevice,
      /^port 1 of ib0 is not active but IBV_PORT_DOWN$/,
      /rdma link/,
    ],
    [
      'an empty GID, where there are others',
      {},
      {},
      errorCodes.unusableDevice,
      /no GID at index 0$/,
      new RegExp(`^choose one of 1 \\(${gid}\\) with --gid-index$`),
    ],
    ['a GID past the table', {}, { gidIndex: 2 }, errorCodes.unusableDevice, /no GID at index 2$/, /--gid-index/],
    [
      'GIDs that are refused',
      { ibv_query_gid: answer(EINVAL) },
      { gidIndex: 1 },
      errorCodes.unusableDevice,
      /no GID at index 1$/,
      /give the network interface of the port an address/,
    ],
    [
      'limited P_Keys alone',
      { ibv_query_port: answer(0, { ...port, pkeyTblLen: 2 }), ibv_query_pkey: answer(0, { pkey: 0x7fff }) },
      { gidIndex: 1 },
      errorCodes.unusableDevice,
      /^port 1 of ib0 is a limited member alone: 0x7fff at index 0, 0x7fff at index 1$/,
      /subnet manager/,
    ],
  ];

  for (const [what, verbs, change, code, message, remedy] of cases) {
    it(what, () => {
      const error = refusal(verbs, change);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.match((error.data as { remedy?: string } | undefined)?.remedy ?? '', remedy);
    });
  }
});

describe('the parameters of a hello', () => {
  it('are taken as they are', () => {
    assert.deepEqual(helloParamsOf(hello), hello);
    assert.deepEqual(helloParamsOf({ ...hello, rdmaCore: '/opt/rdma' }), { ...hello, rdmaCore: '/opt/rdma' });
  });

  it('are refused where they are no such thing', () => {
    const wrong: readonly unknown[] = [
      undefined,
      {},
      { ...hello, device: 7 },
      { ...hello, rdmaCore: 7 },
      { ...hello, more: 1 },
      ...['1', 1.5, -1, 2 ** 31, null].flatMap((value) => [
        { ...hello, portNum: value },
        { ...hello, gidIndex: value },
        { ...hello, session: value },
      ]),
    ];
    for (const params of wrong)
      assert.throws(() => helloParamsOf(params), JSONRPCErrorException, JSON.stringify(params));
  });
});
