import type { TraceValue, WcReader } from '../../../contract';
import type { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type CqExInit, type CqInit } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import type { Context } from '../../device/context';
import { Device } from '../../device/device';
import type { Qp } from '../../qp/qp';
import { demand } from '../../refusal';
import type { Fault } from '../fault';
import { refusingExtendedCqs } from './refusing-extended-cqs';

const create = 'ibv_create_cq';
const page = 'ibv_create_cq_ex';

/** Knows the CQ of its context that was created before it. */
class GivesItsContext extends Cq {
  static readonly #newest = new WeakMap<Context, Cq>();

  constructor(...[context, init, channel]: ConstructorParameters<typeof Cq>) {
    super(context, init, channel);
    const before = GivesItsContext.#newest.get(context);
    if (before !== undefined) Object.defineProperty(before, 'cqContext', { value: init.cqContext });
    GivesItsContext.#newest.set(context, this);
  }
}

/** Remembers that it was in use when it was to be destroyed. */
class RefusingCq extends Cq {
  hasRefused = false;

  protected override refuseWhileBusy(): void {
    this.hasRefused ||= this.users > 0;
    super.refuseWhileBusy();
  }
}

/** What an uninitialized member may hold. */
const noise = 0x5a;

/** Further faults of CQs and of extended CQs: those of other objects and of other moments than the first ones. */
export const faults: Readonly<Record<string, Fault>> = {
  'ex-lone-member-is-noise': {
    rules: [
      `${page}.wcflag-byte-len`,
      `${page}.wcflag-imm`,
      `${page}.wcflag-qp-num`,
      `${page}.wcflag-src-qp`,
      `${page}.wcflag-completion-ts`,
      `${page}.read-invalidated-rkey`,
    ],
    effect: 'a member that is asked for alone is not filled in',
    parts: {
      CqIterator: class extends CqIterator {
        override read(reader: WcReader): TraceValue {
          const value = super.read(reader);
          const isOptional = !['opcode', 'vendor_err', 'wc_flags', 'slid', 'sl', 'dlid_path_bits'].includes(reader);
          if (!isOptional || this.wcFlags.size !== 1) return value;
          return reader === 'completion_ts' ? BigInt(noise) : noise;
        }
      },
    },
  },
  'batch-starts-at-the-end': {
    rules: [
      `${page}.start-begins-batch`,
      `${page}.start-success-readable`,
      `${page}.next-advances`,
      `${page}.next-success-readable`,
      `${page}.next-zero`,
      `${page}.wcflag-completion-ts`,
      `${page}.read-completion-ts`,
    ],
    effect: 'a batch stands on the newest CQE, and those before it are lost',
    parts: {
      CqIterator: class extends CqIterator {
        override start(): void {
          super.start();
          this.current = this.cq.poll(this.cq.cqe).at(-1) ?? this.current;
        }
      },
    },
  },
  'owed-ack-closes-the-cq': {
    rules: [`${page}.start-zero`, `${page}.start-success-readable`],
    effect: 'no batch can be opened while an event of the CQ is owed an ack',
    parts: {
      CqIterator: class extends CqIterator {
        override start(): void {
          demand(this.cq.compEvents.none, 'EBUSY');
          super.start();
        }
      },
    },
  },
  'owed-ack-ends-the-batch': {
    rules: [`${page}.next-zero`, `${page}.next-success-readable`],
    effect: 'a batch does not move on while an event of the CQ is owed an ack',
    parts: {
      CqIterator: class extends CqIterator {
        override next(): void {
          demand(this.cq.compEvents.none, 'ENOENT');
          super.next();
        }
      },
    },
  },
  'no-channel-is-refused': {
    rules: [`${page}.attr-channel-null`],
    effect: 'an extended CQ cannot be created without a channel',
    parts: refusingExtendedCqs('EINVAL', (_attr, channel) => channel !== undefined),
  },
  'unknown-comp-mask-is-taken-for-flags': {
    rules: [`${page}.attr-comp-mask`, `${page}.attr-flags`],
    effect: 'IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN counts without comp_mask',
    parts: {
      Device: class extends Device {
        override createCqEx(context: Context, attr: CqExInit, channel: CompChannel | undefined): Cq {
          const compMask = attr.flags.length > 0 ? ['IBV_CQ_INIT_ATTR_MASK_FLAGS'] : attr.compMask;
          return super.createCqEx(context, { ...attr, compMask }, channel);
        }
      },
    },
  },
  'source-qp-is-that-of-the-first': {
    rules: [`${page}.wcflag-src-qp`, `${page}.read-src-qp`],
    effect: 'all CQEs of a CQ have the source QP of the first',
    parts: {
      CqIterator: class extends CqIterator {
        #first: TraceValue | undefined;

        override read(reader: WcReader): TraceValue {
          const value = super.read(reader);
          return reader === 'src_qp' ? (this.#first ??= value) : value;
        }
      },
    },
  },
  'emptied-cq-says-again': {
    rules: [`${page}.start-enoent`],
    effect: 'the second time that no batch of an emptied CQ can be opened gives EAGAIN',
    parts: {
      CqIterator: class extends CqIterator {
        #wasClosed = false;
        #wasRefused = false;

        override start(): void {
          [this.current] = this.cq.poll(1);
          const isAgain = this.#wasClosed && this.#wasRefused;
          this.#wasRefused = this.current === undefined;
          demand(this.current !== undefined, isAgain ? 'EAGAIN' : 'ENOENT');
        }

        override end(): void {
          super.end();
          this.#wasClosed = true;
        }
      },
    },
  },
  'context-of-the-next-cq': {
    rules: [
      `${create}.cq-context-stored`,
      `${page}.attr-cq-context`,
      'ibv_get_cq_event.signature-get',
      'ibv_get_cq_event.get-returns-zero',
      'ibv_get_cq_event.fills-cq-context',
      'ibv_get_cq_event.example-minimal-cq',
    ],
    effect: 'a new CQ gives its user context to the one before',
    parts: { Cq: GivesItsContext },
  },
  'refused-cq-holds-its-qps': {
    rules: [`${create}.destroy-busy-send-cq`, `${create}.destroy-busy-recv-cq`, `${create}.destroy-ok-after-qp`],
    effect: 'a QP cannot be destroyed once destroying one of its CQs was refused',
    parts: {
      Cq: RefusingCq,
      Device: class extends Device {
        override beginDestroyQp(qp: Qp): void {
          const cqs = [qp.init.sendCq, qp.init.recvCq];
          demand(!cqs.some((cq) => cq instanceof RefusingCq && cq.hasRefused), 'EBUSY');
          super.beginDestroyQp(qp);
        }
      },
    },
  },
  'shared-cq-holds-its-sender': {
    rules: [`${create}.destroy-ok-after-qp`],
    effect: 'a QP cannot be destroyed while another QP uses the CQ of its sends',
    parts: {
      Device: class extends Device {
        override beginDestroyQp(qp: Qp): void {
          const own = qp.init.sendCq === qp.init.recvCq ? 2 : 1;
          demand(qp.init.sendCq.users <= own, 'EBUSY');
          super.beginDestroyQp(qp);
        }
      },
    },
  },
  'memberless-cq-stays': {
    rules: [`${page}.destroy-with-destroy-cq`],
    effect: 'an extended CQ that provides no member cannot be destroyed',
    parts: {
      Cq: class extends Cq {
        protected override refuseWhileBusy(): void {
          super.refuseWhileBusy();
          demand(this.init.wcFlags?.length !== 0, 'EBUSY');
        }
      },
    },
  },
  'unused-cq-stays': {
    rules: [`${create}.signature-destroy`, `${create}.destroy-returns-zero`],
    effect: 'a CQ that has never had a CQE cannot be destroyed',
    parts: {
      Cq: class extends Cq {
        #isUsed = false;

        override add(cqe: Cqe): void {
          this.#isUsed = true;
          super.add(cqe);
        }

        protected override refuseWhileBusy(): void {
          super.refuseWhileBusy();
          demand(this.#isUsed, 'EBUSY');
        }
      },
    },
  },
  'last-entry-is-unusable': {
    rules: [
      `${create}.size-may-exceed`,
      `${create}.cqe-holds-actual`,
      `${page}.size-may-exceed`,
      `${page}.cqe-holds-actual`,
      `${page}.end-then-new-start`,
    ],
    effect: 'a CQ overruns with the CQE that fills it',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (this.cqes.length === this.capacity - 1) this.overflow(cqe);
          else super.add(cqe);
        }
      },
    },
  },
  'vector-without-sign': {
    rules: [`${create}.vector-lower-bound`, `${page}.attr-comp-vector`],
    effect: 'the sign of a completion vector does not count',
    parts: {
      Device: class extends Device {
        override createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
          return super.createCq(context, { ...init, compVector: Math.abs(init.compVector) }, channel);
        }
      },
    },
  },
  'lone-cq-is-refused': {
    rules: [`${create}.returns-pointer`, `${page}.returns-pointer`],
    effect: 'a CQ without a channel and without user context cannot be created',
    parts: {
      Device: class extends Device {
        override createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
          demand(channel !== undefined || init.cqContext !== 0n, 'EINVAL');
          return super.createCq(context, init, channel);
        }
      },
    },
  },
  'first-failure-of-a-batch-stays': {
    rules: [`${page}.direct-status`],
    effect: 'the member status stays that of the first completion of a batch if that failed',
    parts: {
      CqIterator: class extends CqIterator {
        #first = 'IBV_WC_SUCCESS';

        override start(): void {
          super.start();
          this.#first = this.completion.wc.status;
        }

        override get status(): string {
          return this.#first === 'IBV_WC_SUCCESS' ? super.status : this.#first;
        }
      },
    },
  },
  'empty-message-has-the-length-before': {
    rules: [`${page}.read-byte-len`, `${page}.wcflag-byte-len`],
    effect: 'ibv_wc_read_byte_len() gives for a receive without bytes what it gave before',
    parts: {
      CqIterator: class extends CqIterator {
        #last: TraceValue = 0;

        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          const value = super.member(reader, cqe);
          if (reader !== 'byte_len') return value;
          if (value !== 0) this.#last = value;
          return this.#last;
        }
      },
    },
  },
  'second-event-has-no-context': {
    rules: [`${page}.attr-cq-context`],
    effect: 'the second event of an extended CQ has no context pointer',
    parts: {
      Cq: class extends Cq {
        #events = 0;

        override get eventContext(): bigint {
          this.#events += 1;
          return this.init.wcFlags !== undefined && this.#events === 2 ? 0n : super.eventContext;
        }
      },
    },
  },
};
