import type { TraceValue, WcReader } from '../../../contract';
import type { CompChannel } from '../../channel/comp-channel';
import type { Context } from '../../device/context';
import { Cq, type Cqe, type CqExInit } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import { Device, type Parts } from '../../device/device';
import type { Fault } from '../fault';
import { KnowsTheFirstCqe } from './knows-the-first-cqe';
import { refusingExtendedCqs } from './refusing-extended-cqs';
import { demand, Refusal } from '../../refusal';
import { refusingWith, succeedingWith } from '../returning';

/** An iterator with a reader that reads something else. */
function misreading(
  reader: WcReader,
  change: (cqe: Cqe, wcFlags: ReadonlySet<string>) => TraceValue | undefined,
): Partial<Parts> {
  class Misreading extends CqIterator {
    protected override member(asked: WcReader, cqe: Cqe): TraceValue {
      const sound = super.member(asked, cqe);
      return asked === reader ? (change(cqe, this.wcFlags) ?? sound) : sound;
    }
  }
  return { CqIterator: Misreading };
}

/** A device whose CQs for one thread are spoilt. */
function forOneThread(spoil: (cq: Cq) => void): Partial<Parts> {
  class Spoiling extends Device {
    override createCqEx(context: Context, attr: CqExInit, channel: CompChannel | undefined): Cq {
      const cq = super.createCqEx(context, attr, channel);
      if (this.countingFlags(attr).includes('IBV_CREATE_CQ_ATTR_SINGLE_THREADED')) spoil(cq);
      return cq;
    }
  }
  return { Device: Spoiling };
}

/** Remembers whether the batch could not move on. */
class WithFailedNext extends CqIterator {
  protected failed = false;
  protected last: Cqe | undefined;

  override next(): void {
    this.last = this.current;
    this.failed = true;
    super.next();
    this.failed = false;
  }
}

class WithNewest extends Cq {
  newest: Cqe | undefined;

  override add(cqe: Cqe): void {
    super.add(cqe);
    this.newest = cqe;
  }
}

const membersOfThePath: readonly string[] = [
  'IBV_WC_EX_WITH_SLID',
  'IBV_WC_EX_WITH_SL',
  'IBV_WC_EX_WITH_DLID_PATH_BITS',
];
const page = 'ibv_create_cq_ex';

/** Planted faults of the rules of ibv_create_cq_ex(3); those that ibv_create_cq(3) shares are planted there. */
export const faults: Readonly<Record<string, Fault>> = {
  'ex-one-member-only': {
    rules: [`${page}.attr-wc-flags`],
    effect: 'of several members that were asked for one is provided',
    parts: {
      /** Of several members that were asked for it provides the QP number, beside those that every CQ has. */
      CqIterator: class extends CqIterator {
        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          const isOther = ['imm_data', 'src_qp'].includes(reader) && this.wcFlags.size > 1;
          return isOther ? 0 : super.member(reader, cqe);
        }
      },
    },
  },
  'ex-no-flags-no-opcode': {
    rules: [`${page}.attr-wc-flags`, `${page}.read-opcode`],
    effect: 'a CQ that was asked for no member gives no opcode',
    parts: misreading('opcode', (_cqe, wcFlags) => (wcFlags.size === 0 ? '0' : undefined)),
  },
  'ex-flags-always-count': {
    rules: [`${page}.attr-comp-mask`, `${page}.attr-flags`],
    effect: 'flags count whatever comp_mask says',
    parts: {
      Device: class extends Device {
        protected override countingFlags({ flags }: CqExInit): readonly string[] {
          return flags;
        }
      },
    },
  },
  'single-threaded-cq-loses-cqes': {
    rules: [`${page}.flag-single-threaded`],
    effect: 'a CQ for one thread loses its CQEs',
    parts: forOneThread((cq) => {
      cq.add = () => undefined;
    }),
  },
  'single-threaded-cq-makes-no-events': {
    rules: [`${page}.flag-single-threaded`],
    effect: 'a CQ for one thread cannot be armed',
    parts: forOneThread((cq) => {
      cq.arm = () => undefined;
    }),
  },
  'members-of-the-path-are-refused': {
    rules: [`${page}.wcflag-slid`, `${page}.wcflag-sl`, `${page}.wcflag-dlid-path-bits`],
    effect: 'a CQ that is to provide nothing but slid, sl or dlid_path_bits cannot be created',
    parts: refusingExtendedCqs(
      'EOPNOTSUPP',
      ({ wcFlags }) => wcFlags.length === 0 || !wcFlags.every((flag) => membersOfThePath.includes(flag)),
    ),
  },
  'batch-starts-at-second': {
    rules: [
      `${page}.start-begins-batch`,
      `${page}.start-success-readable`,
      'ibv_create_cq_ex.end-then-new-start',
      'ibv_create_cq_ex.read-completion-ts',
    ],
    effect: 'a batch stands on the second CQE at once',
    parts: {
      CqIterator: class extends CqIterator {
        override start(): void {
          this.cq.poll(1);
          super.start();
        }
      },
    },
  },
  'start-poll-returns-one': {
    rules: [`${page}.start-zero`],
    effect: 'opening a batch returns the number of CQEs',
    parts: succeedingWith(['ibv_start_poll'], () => ({ returned: 1 })),
  },
  'start-poll-opens-empty-batch': {
    rules: [`${page}.start-error-code`, `${page}.start-enoent`],
    effect: 'a batch of an empty CQ can be opened',
    parts: {
      CqIterator: class extends CqIterator {
        override start(): void {
          try {
            super.start();
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
        }
      },
    },
  },
  'start-poll-negated-errno': {
    rules: [`${page}.start-error-code`, `${page}.start-enoent`],
    effect: 'opening a batch of an empty CQ returns -ENOENT',
    parts: refusingWith(['ibv_start_poll'], ({ errno }) => ({ returned: -errno })),
  },
  'failed-start-disables-cq': {
    rules: [`${page}.start-enoent-still-valid`, `${page}.start-error-no-end`],
    effect: 'after ENOENT no batch can be opened any more',
    parts: {
      CqIterator: class extends CqIterator {
        #disabled = false;

        override start(): void {
          demand(!this.#disabled, 'ENOENT');
          this.#disabled = true;
          super.start();
          this.#disabled = false;
        }
      },
    },
  },
  'failed-start-stays-open': {
    rules: [`${page}.start-enoent-still-valid`, `${page}.start-error-no-end`],
    effect: 'a batch that could not be opened has to be closed',
    parts: {
      CqIterator: class extends CqIterator {
        #open = false;

        override start(): void {
          demand(!this.#open, 'EBUSY');
          this.#open = true;
          super.start();
        }

        override end(): void {
          super.end();
          this.#open = false;
        }
      },
    },
  },
  'batch-takes-all': {
    rules: [
      `${page}.next-advances`,
      `${page}.end-closes-batch`,
      `${page}.end-then-new-start`,
      'ibv_poll_cq.oldest-first',
    ],
    effect: 'a batch is all that is there when it is opened, read or not',
    parts: {
      /** Takes all CQEs when the batch is opened; those that were not read by its end are lost. */
      CqIterator: class extends CqIterator {
        #batch: Cqe[] = [];

        override start(): void {
          super.start();
          this.#batch = this.cq.poll(this.cq.cqe);
        }

        override next(): void {
          this.current = this.#batch.shift();
          demand(this.current !== undefined, 'ENOENT');
        }
      },
    },
  },
  'next-poll-stays': {
    rules: [`${page}.next-advances`, `${page}.next-success-readable`],
    effect: 'moving on leaves the members of the CQE before',
    parts: {
      CqIterator: class extends CqIterator {
        override next(): void {
          const { current } = this;
          super.next();
          this.current = current;
        }
      },
    },
  },
  'next-poll-returns-one': {
    rules: [`${page}.next-zero`],
    effect: 'moving on returns 1',
    parts: succeedingWith(['ibv_next_poll'], () => ({ returned: 1 })),
  },
  'ex-replays-last': {
    rules: [`${page}.start-error-code`, `${page}.start-enoent`, `${page}.next-error-code`, `${page}.next-enoent`],
    effect: 'the end of the CQ goes unnoticed, and its last CQE comes again',
    parts: {
      /** Does not notice the end of the CQ, and stands on what it gave last. */
      CqIterator: class extends CqIterator {
        #last: Cqe | undefined;

        protected override advance(): void {
          try {
            super.advance();
          } catch (error) {
            if (!(error instanceof Refusal) || this.#last === undefined) throw error;
            this.current = this.#last;
          }
          this.#last = this.current;
        }
      },
    },
  },
  'next-poll-negated-errno': {
    rules: [`${page}.next-error-code`, `${page}.next-enoent`],
    effect: 'behind the last CQE moving on returns -ENOENT',
    parts: refusingWith(['ibv_next_poll'], ({ errno }) => ({ returned: -errno })),
  },
  'failed-next-disables-cq': {
    rules: [`${page}.next-enoent-still-valid`, `${page}.next-error-needs-end`],
    effect: 'after a batch that could not move on no other can be opened',
    parts: {
      CqIterator: class extends WithFailedNext {
        override start(): void {
          demand(!this.failed, 'ENOENT');
          super.start();
        }
      },
    },
  },
  'failed-next-skips-one': {
    rules: [`${page}.next-error-needs-end`],
    effect: 'closing a batch that could not move on takes one CQE more',
    parts: {
      CqIterator: class extends WithFailedNext {
        override end(): void {
          super.end();
          if (this.failed) this.cq.poll(1);
          this.failed = false;
        }
      },
    },
  },
  'failed-next-replays': {
    rules: [`${page}.next-error-needs-end`, `${page}.next-enoent-still-valid`],
    effect: 'after a batch that could not move on its last CQE comes again',
    parts: {
      /** After the batch the CQ gives once more what it had given last. */
      CqIterator: class extends WithFailedNext {
        protected override advance(): void {
          if (this.failed && this.current === undefined && this.last !== undefined) {
            this.failed = false;
            this.current = this.last;
          } else {
            super.advance();
          }
        }
      },
    },
  },
  'closed-batch-keeps-last': {
    rules: [`${page}.end-closes-batch`, `${page}.end-then-new-start`, 'ibv_create_cq_ex.read-completion-ts'],
    effect: 'the CQE on which a batch was closed comes again',
    parts: {
      CqIterator: class extends CqIterator {
        #kept: Cqe | undefined;

        override end(): void {
          this.#kept = this.current;
          super.end();
        }

        protected override advance(): void {
          if (this.#kept === undefined) super.advance();
          else this.current = this.#kept;
          this.#kept = undefined;
        }
      },
    },
  },
  'ex-never-goes-round': {
    rules: [`${page}.end-then-new-start`],
    effect: 'the index of the iterator does not go round the ring',
    parts: {
      /** Its index runs to the end of the ring and no further. */
      CqIterator: class extends CqIterator {
        #slot = 0;

        protected override advance(): void {
          demand(this.#slot < 2 * this.cq.cqe, 'ENOENT');
          super.advance();
          this.#slot += 1;
        }
      },
    },
  },
  'ex-reading-moves-on': {
    rules: [`${page}.current-completion`],
    effect: 'reading the QP number moves on to the next CQE',
    parts: {
      CqIterator: class extends CqIterator {
        override read(reader: WcReader): TraceValue {
          const value = super.read(reader);
          const [next] = reader === 'qp_num' ? this.cq.poll(1) : [];
          this.current = next ?? this.current;
          return value;
        }
      },
    },
  },
  'ex-stands-on-newest': {
    rules: [`${page}.current-completion`, 'ibv_create_cq_ex.read-completion-ts'],
    effect: 'a CQE that comes takes the place of the current one',
    parts: {
      Cq: WithNewest,
      CqIterator: class extends CqIterator {
        protected override get completion(): Cqe {
          return (this.cq instanceof WithNewest ? this.cq.newest : undefined) ?? super.completion;
        }
      },
    },
  },
  'ex-readers-stay-behind': {
    rules: [`${page}.current-completion`],
    effect: 'all readers of a batch read its first CQE',
    parts: {
      CqIterator: class extends KnowsTheFirstCqe {
        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          return super.member(reader, this.first ?? cqe);
        }
      },
    },
  },
  'ex-wr-id-truncated': {
    rules: [`${page}.direct-wr-id`],
    effect: 'the wr_id of the struct has 32 bits',
    parts: {
      CqIterator: class extends CqIterator {
        override get wrId(): bigint {
          return BigInt.asUintN(32, super.wrId);
        }
      },
    },
  },
  'ex-always-success': {
    rules: [`${page}.direct-status`],
    effect: 'the status of the struct is always IBV_WC_SUCCESS',
    parts: {
      CqIterator: class extends CqIterator {
        override get status(): string {
          return this.completion.wc.status.replace(/.*/, 'IBV_WC_SUCCESS');
        }
      },
    },
  },
  'ex-opcode-by-queue': {
    rules: [`${page}.read-opcode`],
    effect: 'the opcode tells the queue and not the operation',
    parts: misreading('opcode', ({ queue }) => (queue === 'send' ? 'IBV_WC_SEND' : 'IBV_WC_RECV')),
  },
  'ex-members-uninitialized': {
    rules: [`${page}.read-vendor-err`, `${page}.wcflag-slid`, `${page}.wcflag-sl`, `${page}.wcflag-dlid-path-bits`],
    effect: 'vendor_err, slid, sl and dlid_path_bits are what the stack holds',
    parts: {
      CqIterator: class extends CqIterator {
        #reads = 0;

        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          const value = super.member(reader, cqe);
          this.#reads += 1;
          return ['vendor_err', 'slid', 'sl', 'dlid_path_bits'].includes(reader) ? this.#reads : value;
        }
      },
    },
  },
  'ex-byte-len-of-one-byte': {
    rules: [`${page}.wcflag-byte-len`, `${page}.read-byte-len`],
    effect: 'the byte length is cut to 8 bits',
    parts: misreading('byte_len', ({ wc }) => wc.byteLen % 256),
  },
  'ex-imm-data-swapped': {
    rules: [`${page}.wcflag-imm`, `${page}.read-imm-data`],
    effect: 'the immediate is read in the byte order of the machine',
    parts: misreading('imm_data', ({ wc }) => wc.invalidatedRkey),
  },
  'ex-rkey-as-immediate': {
    rules: [`${page}.read-invalidated-rkey`],
    effect: 'the invalidated R_Key is read in network byte order',
    parts: misreading('invalidated_rkey', ({ wc }) => wc.immData),
  },
  'ex-qp-num-of-peer': {
    rules: [`${page}.wcflag-qp-num`, `${page}.read-qp-num`],
    effect: 'the QP number is that of the sender',
    parts: misreading('qp_num', ({ wc }) => wc.srcQp),
  },
  'ex-src-qp-is-own': {
    rules: [`${page}.wcflag-src-qp`, `${page}.read-src-qp`],
    effect: 'the source QP is the receiver',
    parts: misreading('src_qp', ({ wc }) => wc.qpNum),
  },
  'ex-wc-flags-empty': {
    rules: [`${page}.read-wc-flags`],
    effect: 'no flag is ever set',
    parts: misreading('wc_flags', () => []),
  },
  'ex-time-stands-still': {
    rules: [`${page}.wcflag-completion-ts`, `${page}.read-completion-ts`],
    effect: 'all CQEs have one time stamp',
    parts: misreading('completion_ts', () => 1n),
  },
};
