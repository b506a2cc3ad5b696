import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import type { RawResult } from '../../pipeline/backend';
import { errnoName, type Dut, type TraceStruct } from '../../contract';
import { stringOf, structOf } from '../../pipeline/values';
import type { Addon } from './addon';
import { describeDevice } from './hello';

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
  /** What ibv_query_device_ex(3) reports; a device that cannot be asked so refuses. */
  readonly extended?: TraceStruct;
  /** The errno of a call that the device refuses. */
  readonly refuse?: (verb: string, args: TraceStruct) => number | undefined;
}

const { EINVAL, ENOMEM, ENOSYS, EOPNOTSUPP } = constants.errno;

/** Verbs that make objects and destroy them, the latter a little later; the objects that exist are in `alive`. */
class FakeObjects {
  readonly alive = new Set<string>();
  /** Attributes that QPs were modified with, in this order. */
  readonly modified: TraceStruct[] = [];
  readonly #refuse: NonNullable<Abilities['refuse']>;
  #made = 0;

  constructor(refuse: NonNullable<Abilities['refuse']>) {
    this.#refuse = refuse;
  }

  readonly verbs = {
    ibv_open_device: this.#maker('ibv_open_device'),
    ibv_close_device: this.#destroyer('context'),
    ibv_alloc_pd: this.#maker('ibv_alloc_pd'),
    ibv_dealloc_pd: this.#destroyer('pd'),
    ibv_create_cq: this.#maker('ibv_create_cq'),
    ibv_create_cq_ex: this.#maker('ibv_create_cq_ex'),
    ibv_destroy_cq: this.#lateDestroyer('cq'),
    ibv_resize_cq: (args: TraceStruct) => result(this.#refuse('ibv_resize_cq', args) ?? 0),
    ibv_create_qp: this.#maker('ibv_create_qp'),
    ibv_modify_qp: (args: TraceStruct) => {
      this.modified.push(structOf(args, 'attr'));
      return result(this.#refuse('ibv_modify_qp', args) ?? 0);
    },
    ibv_destroy_qp: this.#lateDestroyer('qp'),
  };

  #maker(verb: string) {
    return (args: TraceStruct): RawResult => {
      const errno = this.#refuse(verb, args);
      if (errno !== undefined) return { ...result(null), errno };
      const handle = `${verb}#${++this.#made}`;
      this.alive.add(handle);
      return result(handle, { qpNum: 16 + this.#made });
    };
  }

  #destroyer(argument: string) {
    return (args: TraceStruct): RawResult => result(this.alive.delete(stringOf(args, argument)) ? 0 : EINVAL);
  }

  #lateDestroyer(argument: string) {
    const destroy = this.#destroyer(argument);
    return (args: TraceStruct): Promise<RawResult> => Promise.resolve().then(() => destroy(args));
  }
}

/** An addon on whose machine there is one device, with one port. */
function addonWith(transportType: string, objects: FakeObjects, { device: more = {}, extended }: Abilities): Addon {
  const least = { maxSrq: 0, atomicCap: 'IBV_ATOMIC_NONE', deviceCapFlags: [] };
  const device = { fwVer: '1.2', nodeGuid: '', vendorId: 0, vendorPartId: 0, hwVer: 0, physPortCnt: 1 };
  const port = {
    state: 'IBV_PORT_ACTIVE',
    linkLayer: 'IBV_LINK_LAYER_INFINIBAND',
    maxMtu: 'IBV_MTU_4096',
    activeMtu: 'IBV_MTU_2048',
  };
  const verbs = {
    ...objects.verbs,
    ibv_get_device_list: () => result('device-list', { devices: [{ name: 'ib0', transportType }] }),
    ibv_query_device: () => result(0, { ...device, ...least, ...more }),
    ibv_query_device_ex: () => (extended === undefined ? result(EOPNOTSUPP) : result(0, extended)),
    ibv_query_port: () => result(0, { ...port, lid: 7, gidTblLen: 1 }),
    ibv_query_gid: () => result(0, { gid: 'fe80:0000:0000:0000:0000:0000:0000:0001' }),
  };
  const set = { verbs, providerPath: () => null };
  return { createVerbs: () => set, libraryPath: () => null } as unknown as Addon;
}

/** Describes such a device, and sees to it that nothing is left of what that took. */
async function describeOn(transport: string, abilities: Abilities = {}): Promise<[Dut, FakeObjects]> {
  const objects = new FakeObjects(abilities.refuse ?? (() => undefined));
  const addon = addonWith(transport, objects, abilities);
  const dut = await describeDevice(addon, { session: 1, device: 'ib0', portNum: 1, gidIndex: 0 });
  assert.deepEqual([...objects.alive], []);
  return [dut, objects];
}

/** Of an InfiniBand device, beside `connection`, which the transport gives it. */
async function capabilitiesOf(abilities: Abilities): Promise<readonly string[]> {
  const [{ capabilities }] = await describeOn('IBV_TRANSPORT_IB', abilities);
  assert.equal(capabilities[0], 'connection');
  return capabilities.slice(1);
}

describe('the description of a device', () => {
  it('reports what a path to its port takes', async () => {
    const [{ port }] = await describeOn('IBV_TRANSPORT_IB');
    const { lid, activeMtu, gid } = port;
    assert.deepEqual([lid, activeMtu, gid], [7, 2048, 'fe80:0000:0000:0000:0000:0000:0000:0001']);
  });

  for (const transport of ['IBV_TRANSPORT_IWARP', 'IBV_TRANSPORT_USNIC_UDP', 'IBV_TRANSPORT_UNSPECIFIED']) {
    it(`has no connection over ${transport}, whose QPs ibv_modify_qp() does not connect, and tries none`, async () => {
      const [dut, { modified }] = await describeOn(transport);
      assert.equal(dut.transport, transport);
      assert.deepEqual(dut.capabilities, tried);
      assert.deepEqual(modified, []);
    });
  }
});

const tried = ['uc', 'ud', 'inline', 'sq-drain', 'extended-cq', 'resize-cq'];

describe('the capabilities that a device reports', () => {
  const noneExtended = { maxCqCount: 0, maxCqPeriod: 0, completionTimestampMask: '0x0' };
  const told = async (abilities: Abilities): Promise<readonly string[]> =>
    (await capabilitiesOf(abilities)).filter((name) => !tried.includes(name));

  it('are none where the device says so, or cannot be asked for more', async () => {
    assert.deepEqual(await told({ extended: noneExtended }), []);
    assert.deepEqual(await told({}), []);
  });

  it('are read from ibv_query_device(3)', async () => {
    const device = { maxSrq: 1, atomicCap: 'IBV_ATOMIC_HCA', deviceCapFlags: ['IBV_DEVICE_MEM_WINDOW_TYPE_2B'] };
    assert.deepEqual(await told({ device }), ['srq', 'atomics', 'memory-windows']);
  });

  it('do not count memory windows of type 1, whose R_Key the device chooses', async () => {
    assert.deepEqual(await told({ device: { deviceCapFlags: ['IBV_DEVICE_MEM_WINDOW'] } }), []);
  });

  it('are read from ibv_query_device_ex(3)', async () => {
    const extended = { ...noneExtended, maxCqCount: 65535, completionTimestampMask: '0xffffffffffffffff' };
    assert.deepEqual(await told({ extended }), ['cq-moderation', 'completion-timestamps']);
  });
});

/** The call that shows whether a device has a capability, and the errno values that deny it. */
interface Trial {
  readonly capability: string;
  readonly verb: string;
  readonly isTrial: (args: TraceStruct) => boolean;
  readonly lacks: readonly number[];
}

const createsQp = (qpType: string) => (args: TraceStruct) => structOf(args, 'qpInitAttr').qpType === qpType;
const withSingleCause = [EOPNOTSUPP, ENOSYS, EINVAL];

const trials: readonly Trial[] = [
  { capability: 'uc', verb: 'ibv_create_qp', isTrial: createsQp('IBV_QPT_UC'), lacks: withSingleCause },
  { capability: 'ud', verb: 'ibv_create_qp', isTrial: createsQp('IBV_QPT_UD'), lacks: withSingleCause },
  {
    capability: 'inline',
    verb: 'ibv_create_qp',
    isTrial: (args) => structOf(structOf(args, 'qpInitAttr'), 'cap').maxInlineData !== 0,
    lacks: withSingleCause,
  },
  {
    capability: 'sq-drain',
    verb: 'ibv_modify_qp',
    isTrial: (args) => structOf(args, 'attr').qpState === 'IBV_QPS_SQD',
    lacks: withSingleCause,
  },
  { capability: 'extended-cq', verb: 'ibv_create_cq_ex', isTrial: () => true, lacks: [EOPNOTSUPP, ENOSYS] },
  { capability: 'resize-cq', verb: 'ibv_resize_cq', isTrial: () => true, lacks: [EOPNOTSUPP, ENOSYS] },
];

describe('the capabilities that are tried', () => {
  it('are all there where nothing is refused', async () => {
    assert.deepEqual(await capabilitiesOf({}), tried);
  });

  for (const { capability, verb, isTrial, lacks } of trials) {
    const others = tried.filter((name) => name !== capability);
    for (const errno of [EOPNOTSUPP, ENOSYS, EINVAL, ENOMEM]) {
      const isLack = lacks.includes(errno);
      const refuse = (name: string, args: TraceStruct) => (name === verb && isTrial(args) ? errno : undefined);

      it(`${isLack ? 'lack' : 'have'} ${capability} where it is refused with ${errnoName(errno)}`, async () => {
        assert.deepEqual(await capabilitiesOf({ refuse }), isLack ? others : tried);
      });
    }
  }

  it('do not take a negated errno for anything else', async () => {
    const refuse = (verb: string) => (verb === 'ibv_resize_cq' ? -EOPNOTSUPP : undefined);
    assert.ok(!(await capabilitiesOf({ refuse })).includes('resize-cq'));
  });

  for (const verb of ['ibv_create_cq', 'ibv_alloc_pd', 'ibv_create_qp', 'ibv_modify_qp']) {
    it(`are not denied by a device whose ${verb}() always fails`, async () => {
      assert.deepEqual(await capabilitiesOf({ refuse: (name) => (name === verb ? ENOMEM : undefined) }), tried);
    });
  }

  it('are not denied by a device that makes no QP at all', async () => {
    const refuse = (verb: string) => (verb === 'ibv_create_qp' ? EINVAL : undefined);
    assert.deepEqual(await capabilitiesOf({ refuse }), tried);
  });

  it('are tried on a QP that is connected to itself by the path of the port', async () => {
    const [, { modified }] = await describeOn('IBV_TRANSPORT_IB');
    assert.deepEqual(
      modified.map(({ qpState }) => qpState),
      ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS', 'IBV_QPS_SQD'],
    );
    const { destQpNum, ahAttr } = modified[1] ?? {};
    const dgid = 'fe80:0000:0000:0000:0000:0000:0000:0001';
    assert.deepEqual(ahAttr, { grh: { dgid, sgidIndex: 0, hopLimit: 1 }, dlid: 7, isGlobal: true, portNum: 1 });
    assert.equal(typeof destQpNum, 'number');
    assert.notEqual(destQpNum, 0);
  });
});
