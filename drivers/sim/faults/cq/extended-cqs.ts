import type { TraceValue, WcReader } from '../../../contract';
import type { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type CqExInit, type CqInit } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import type { Context } from '../../device/context';
import { Device } from '../../device/device';
import { demand } from '../../refusal';
import type { Fault } from '../fault';

const create = 'ibv_create_cq';
const page = 'ibv_create_cq_ex';

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
      `${page}.wcflag-slid`,
      `${page}.wcflag-sl`,
      `${page}.wcflag-dlid-path-bits`,
      `${page}.wcflag-completion-ts`,
    ],
    effect: 'a member that is asked for alone is not filled in',
    parts: {
      CqIterator: class extends CqIterator {
        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          const isOptional = !['opcode', 'vendor_err', 'wc_flags'].includes(reader);
          if (!isOptional || this.wcFlags.size !== 1) return super.member(reader, cqe);
          return reader === 'completion_ts' ? BigInt(noise) : noise;
        }
      },
    },
  },
  'batch-starts-at-the-end': {
    rules: [`${page}.start-begins-batch`, `${page}.start-success-readable`],
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
    parts: {
      Device: class extends Device {
        override createCqEx(context: Context, attr: CqExInit, channel: CompChannel | undefined): Cq {
          demand(channel !== undefined, 'EINVAL');
          return super.createCqEx(context, attr, channel);
        }
      },
    },
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
    rules: [`${create}.vector-lower-bound`],
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
};
