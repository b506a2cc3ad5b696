import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import {
  capabilities,
  DutCrashed,
  DutHung,
  DutLost,
  HarnessError,
  type Capability,
  type TraceStruct,
} from '../../contract';
import { SimBackend } from '../../sim/backend';
import { AsyncEvents, type AsyncEvent } from '../../sim/async/async-events';
import { Cq, type NotifyRequest } from '../../sim/cq/cq';
import { soundParts, type Parts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { limits } from '../../sim/simulator';
import type { RawResult } from '../backend';
import { refusalOf, type VerbName } from '../conventions';
import { structOf, structsOf } from '../values';
import { VerbsDriver } from '../verbs-driver';
import { TrialSession } from './trial-session';
import { tryCapabilities, tryQpTypes } from './try-capabilities';

const { EINVAL, EIO, ENOMEM, EOPNOTSUPP } = constants.errno;

/** What a call comes to instead of what it does: an errno, or an error. */
type Defect = (verb: VerbName, args: TraceStruct) => number | Error | undefined;

/** A simulator with a defect, which keeps account of what is left after each process. */
class DefectiveBackend extends SimBackend {
  readonly left: (readonly string[])[] = [];
  processes = 0;

  constructor(
    readonly defect: Defect,
    parts: Parts = soundParts,
    transport = 'simulated',
  ) {
    super(parts, undefined, { ...simulatedDut, transport, capabilities: [] });
  }

  override begin(): Promise<void> {
    this.processes++;
    return super.begin();
  }

  override async end(): Promise<readonly string[]> {
    const left = await super.end();
    this.left.push(left);
    return left;
  }

  override async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const defect = this.defect(verb, args);
    if (defect === undefined) return super.call(verb, args);
    if (defect instanceof Error) throw defect;
    return {
      returned: refusalOf(verb, defect),
      errno: defect,
      outputs: {},
      startedAt: this.nowMs() * 1000,
      durationUs: 1,
    };
  }
}

interface Tried {
  readonly lacks: readonly Capability[];
  readonly told: readonly string[];
  readonly backend: DefectiveBackend;
}

async function tried(defect: Defect, parts?: Parts, transport?: string): Promise<Tried> {
  const told: string[] = [];
  const backend = new DefectiveBackend(defect, parts, transport);
  const session = new TrialSession(new VerbsDriver(backend, limits), (line) => told.push(line));
  const shown = await tryCapabilities(session, await tryQpTypes(session));
  await session.end();
  const lacks = capabilities.filter((name) => name !== 'port-control' && !shown.includes(name));
  return { lacks, told, backend };
}

const none: Defect = () => undefined;

/** Refuses the calls of a verb that are so. */
const refusing =
  (name: VerbName, errno: number, isSo: (args: TraceStruct) => boolean = () => true): Defect =>
  (verb, args) =>
    verb === name && isSo(args) ? errno : undefined;

const ofType = (qpType: string) => (args: TraceStruct) => structOf(args, 'qpInitAttr').qpType === qpType;
const withOpcode = (opcode: string) => (args: TraceStruct) => structsOf(args, 'wrs').some((wr) => wr.opcode === opcode);
const withFlag = (flag: string) => (args: TraceStruct) =>
  (structOf(args, 'cqAttr').wcFlags as readonly string[]).includes(flag);
const withChannel = ({ channel }: TraceStruct) => channel !== null;
const intoState = (qpState: string) => (args: TraceStruct) => structOf(args, 'attr').qpState === qpState;

/** As mlx5: what has not been polled brings an event as soon as the CQ is armed. */
class BacklogNotifies extends Cq {
  override notify(scope: NotifyRequest): void {
    super.notify(scope);
    if (this.cqes.length > 0) this.fire();
  }
}

/** As mlx5: an arm says which event it is for, by the number of those that were taken. */
class ArmWantsGet extends Cq {
  #fired = 0;
  #taken = 0;

  override notify(scope: NotifyRequest): void {
    if (this.#fired === this.#taken) super.notify(scope);
  }

  protected override fire(): void {
    this.#fired++;
    super.fire();
  }

  override countTaken(): void {
    this.#taken++;
    super.countTaken();
  }
}

const without = (eventType: string): Parts => ({
  ...soundParts,
  AsyncEvents: class extends AsyncEvents {
    override add(event: AsyncEvent): void {
      if (event.eventType !== eventType) super.add(event);
    }
  },
});

const ofConnection: readonly Capability[] = [
  'memory-windows',
  'send-with-invalidate',
  'atomics',
  'sq-drain',
  'last-wqe-event',
];
const ofNotifications: readonly Capability[] = ['solicited-events', 'arm-ignores-backlog', 'arm-before-get'];
const ofExtended: readonly Capability[] = [
  ...capabilities.filter((name) => name.startsWith('wc-')),
  'completion-timestamps',
];

/** What a device lacks, by what it does otherwise; the first is what the defect is named after. */
const defects: readonly (readonly [lacks: readonly Capability[], defect: Defect, parts?: Parts])[] = [
  [['connection', ...ofConnection], refusing('ibv_create_qp', EOPNOTSUPP, ofType('IBV_QPT_RC'))],
  [['srq', 'last-wqe-event'], refusing('ibv_create_srq', ENOMEM)],
  [['uc'], refusing('ibv_create_qp', EINVAL, ofType('IBV_QPT_UC'))],
  [['ud'], refusing('ibv_create_qp', EIO, ofType('IBV_QPT_UD'))],
  [
    ['inline'],
    refusing('ibv_create_qp', EINVAL, (args) => structOf(structOf(args, 'qpInitAttr'), 'cap').maxInlineData !== 0),
  ],
  [['atomics'], refusing('ibv_post_send', EINVAL, withOpcode('IBV_WR_ATOMIC_FETCH_AND_ADD'))],
  [
    ['atomics'],
    refusing('ibv_reg_mr', EOPNOTSUPP, ({ access }) =>
      (access as readonly string[]).includes('IBV_ACCESS_REMOTE_ATOMIC'),
    ),
  ],
  [['memory-windows'], refusing('ibv_alloc_mw', EOPNOTSUPP)],
  [['memory-windows'], refusing('ibv_post_send', EINVAL, withOpcode('IBV_WR_BIND_MW'))],
  [['send-with-invalidate'], refusing('ibv_post_send', EINVAL, withOpcode('IBV_WR_SEND_WITH_INV'))],
  [['sq-drain'], refusing('ibv_modify_qp', EIO, intoState('IBV_QPS_SQD'))],
  [['cq-notifications', ...ofNotifications], refusing('ibv_create_cq', EOPNOTSUPP, withChannel)],
  [['cq-notifications', ...ofNotifications], refusing('ibv_req_notify_cq', EOPNOTSUPP)],
  [['solicited-events'], refusing('ibv_req_notify_cq', -EOPNOTSUPP, ({ solicitedOnly }) => solicitedOnly === 1)],
  [['arm-ignores-backlog'], none, { ...soundParts, Cq: BacklogNotifies }],
  [['arm-before-get'], none, { ...soundParts, Cq: ArmWantsGet }],
  [['cq-overrun-event'], none, without('IBV_EVENT_CQ_ERR')],
  [['last-wqe-event'], none, without('IBV_EVENT_QP_LAST_WQE_REACHED')],
  [['extended-cq', ...ofExtended], refusing('ibv_create_cq_ex', EOPNOTSUPP)],
  [['wc-byte-len'], refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_BYTE_LEN'))],
  [['wc-imm'], refusing('ibv_create_cq_ex', EINVAL, withFlag('IBV_WC_EX_WITH_IMM'))],
  [['wc-qp-num'], refusing('ibv_create_cq_ex', EIO, withFlag('IBV_WC_EX_WITH_QP_NUM'))],
  [['wc-src-qp'], refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_SRC_QP'))],
  [['wc-slid'], refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_SLID'))],
  [['wc-sl'], refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_SL'))],
  [['wc-dlid-path-bits'], refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_DLID_PATH_BITS'))],
  [
    ['completion-timestamps'],
    refusing('ibv_create_cq_ex', EOPNOTSUPP, withFlag('IBV_WC_EX_WITH_COMPLETION_TIMESTAMP')),
  ],
  [['resize-cq'], refusing('ibv_resize_cq', EOPNOTSUPP)],
  [['cq-moderation'], refusing('ibv_modify_cq', EINVAL)],
];

describe('trials of capabilities', () => {
  it('find all of them on a sound device, in one process, and leave nothing', async () => {
    const { lacks, told, backend } = await tried(none);
    assert.deepEqual([lacks, told, backend.left, backend.processes], [[], [], [[]], 1]);
  });

  it('try each capability: there is a defect for it', () => {
    const named = new Set(defects.map(([[first]]) => first));
    assert.deepEqual(
      capabilities.filter((name) => name !== 'port-control' && !named.has(name)),
      [],
    );
  });

  for (const [index, [lacks, defect, parts]] of defects.entries()) {
    it(`find that a device lacks ${lacks[0]} (${index}), and leave nothing`, async () => {
      const found = await tried(defect, parts);
      assert.deepEqual([...found.lacks].sort(), [...lacks].sort());
      assert.deepEqual([found.told, found.backend.left], [[], [[]]]);
    });
  }

  it('connect no QPs on a transport that does not do so by ibv_modify_qp()', async () => {
    const { lacks } = await tried(none, soundParts, 'IBV_TRANSPORT_IWARP');
    assert.deepEqual([...lacks].sort(), ['connection', ...ofConnection].sort());
  });

  it('try nothing that takes messages where no QP comes up', async () => {
    const { lacks } = await tried(refusing('ibv_create_qp', EINVAL));
    const ofMessages: Capability[] = [
      'uc',
      'ud',
      'inline',
      'arm-ignores-backlog',
      'arm-before-get',
      'cq-overrun-event',
    ];
    assert.deepEqual([...lacks].sort(), ['connection', ...ofConnection, ...ofMessages].sort());
  });

  for (const verb of ['ibv_alloc_pd', 'ibv_create_comp_channel', 'ibv_open_device'] as const) {
    it(`take no ${verb} that is refused for a lack of what it is for`, async () => {
      assert.deepEqual((await tried(refusing(verb, ENOMEM))).lacks, []);
    });
  }

  it('do not take a resize that is refused for want of memory for a lack', async () => {
    assert.deepEqual((await tried(refusing('ibv_resize_cq', ENOMEM))).lacks, []);
  });

  it('leave a message that does not complete to the scenarios', async () => {
    const silent = {
      ...soundParts,
      Cq: class extends Cq {
        override add(): void {
          this.cqes.length = 0;
        }
      },
    };
    const { lacks } = await tried(none, silent);
    assert.deepEqual(lacks, ['cq-overrun-event']);
  });
});

describe('a trial that the device does not survive', () => {
  const ways: readonly (readonly [string, Error])[] = [
    ['hangs', new DutHung('ibv_post_send() did not return within 10 s')],
    ['crashes', new DutCrashed('the host process died of SIGSEGV')],
    ['is unknown to the host', new HarnessError('the host refused ibv_post_send: unknown method')],
  ];
  for (const [way, error] of ways) {
    it(`counts as a lack, is reported in a line, and goes on in a new process: it ${way}`, async () => {
      const isAtomic = withOpcode('IBV_WR_ATOMIC_FETCH_AND_ADD');
      const { lacks, told, backend } = await tried((verb, args) =>
        verb === 'ibv_post_send' && isAtomic(args) ? error : undefined,
      );
      assert.deepEqual(lacks, ['atomics']);
      assert.deepEqual(told, [`the trial of atomics failed, and it counts as lacking: ${error.message}`]);
      assert.equal(backend.processes, 2);
    });
  }

  it('ends the run where the device is gone for good', async () => {
    const lost = new DutLost('the network link is down');
    await assert.rejects(
      tried((verb) => (verb === 'ibv_alloc_mw' ? lost : undefined)),
      lost,
    );
  });
});
