import type { Wc } from '../../../contract';
import { Completions } from '../../cq/completions';
import { Cq, type Cqe } from '../../cq/cq';
import type { Parts } from '../../device/device';
import type { Message } from '../../qp/message';
import { Qp } from '../../qp/qp';
import { Transmitter } from '../../qp/transmitter';
import type { Fault } from '../fault';
import { succeedingWith } from '../returning';

/** Bytes of a packet of the scenarios. */
const packetBytes = 1024;

/** Receives that are told otherwise, in some of their members. */
function receiving(change: (wc: Wc, message: Message) => Partial<Wc>): Partial<Parts> {
  return {
    Completions: class extends Completions {
      override ofReceive(...[wr, message]: Parameters<Completions['ofReceive']>): Wc {
        const wc = super.ofReceive(wr, message);
        return { ...wc, ...change(wc, message) };
      }
    },
  };
}

/** Sends that are told otherwise, in some of their members. */
function sending(change: (wc: Wc) => Partial<Wc>): Partial<Parts> {
  return {
    Completions: class extends Completions {
      override ofSend(...args: Parameters<Completions['ofSend']>): Wc {
        const wc = super.ofSend(...args);
        return { ...wc, ...change(wc) };
      }
    },
  };
}

/** A CQ whose last CQE comes again a moment after the poll that empties it, for the first, the second ... time. */
function repeatingTheLastOf(round: number): Partial<Parts> {
  class Repeating extends Cq {
    #rounds = 0;

    override poll(numEntries: number): Cqe[] {
      const cqes = super.poll(numEntries);
      const last = cqes.at(-1);
      if (last === undefined || this.cqes.length > 0) return cqes;
      this.#rounds += 1;
      const isIt = this.#rounds === round && this.init.wcFlags === undefined;
      if (isIt) this.context.device.clock.schedule(100, () => this.cqes.push(last));
      return cqes;
    }
  }
  return { Cq: Repeating };
}

const page = 'ibv_poll_cq';
const extended = 'ibv_create_cq_ex';
const isDatagram = ({ grh }: Message): boolean => grh.length > 0;

/** Further faults of what a CQE says: those of one operation, one type of QP or one queue alone. */
export const faults: Readonly<Record<string, Fault>> = {
  'immediate-of-a-write-is-lost': {
    rules: [`${page}.field-imm-data`, 'ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.next-success-readable'],
    effect: 'the immediate of an RDMA Write does not arrive',
    parts: receiving(({ opcode }) => (opcode === 'IBV_WC_RECV_RDMA_WITH_IMM' ? { immData: 0 } : {})),
  },
  'invalidated-rkey-is-zero': {
    rules: [`${page}.field-invalidated-rkey`, 'ibv_create_cq_ex.read-invalidated-rkey'],
    effect: 'a receive that invalidated an R_Key does not say which',
    parts: receiving(({ wcFlags }) => (wcFlags.includes('IBV_WC_WITH_INV') ? { invalidatedRkey: 0 } : {})),
  },
  'src-qp-of-datagrams-is-zero': {
    rules: [
      `${page}.field-src-qp`,
      `${page}.field-src-qp-ud-only`,
      `${extended}.attr-wc-flags`,
      `${extended}.wcflag-src-qp`,
      `${extended}.read-src-qp`,
    ],
    effect: 'a datagram has the source QP 0',
    parts: receiving((_wc, message) => (isDatagram(message) ? { srcQp: 0 } : {})),
  },
  'unknown-flag-of-sends': {
    rules: [`${page}.wc-flags-zero-or-or`],
    effect: 'wc_flags of a send has a bit that stands for nothing',
    parts: sending(() => ({ wcFlags: ['0x80'] })),
  },
  'immediate-flag-of-a-write-missing': {
    rules: [`${page}.flag-with-imm`, `${extended}.next-advances`, `${extended}.next-success-readable`],
    effect: 'the receive of an RDMA Write with immediate has no IBV_WC_WITH_IMM',
    parts: receiving(({ opcode }) => (opcode === 'IBV_WC_RECV_RDMA_WITH_IMM' ? { wcFlags: [] } : {})),
  },
  'grh-flag-excludes-immediate': {
    rules: [`${page}.flag-grh`],
    effect: 'a datagram with immediate has no IBV_WC_GRH',
    parts: receiving(({ wcFlags }) => {
      const isBoth = wcFlags.includes('IBV_WC_GRH') && wcFlags.includes('IBV_WC_WITH_IMM');
      return isBoth ? { wcFlags: ['IBV_WC_WITH_IMM'] } : {};
    }),
  },
  'invalidation-flag-of-all-sends': {
    rules: [`${page}.flag-with-inv`],
    effect: 'each receive of a Send without immediate has IBV_WC_WITH_INV',
    parts: receiving(({ wcFlags }) =>
      wcFlags.includes('IBV_WC_WITH_IMM') ? {} : { wcFlags: [...new Set([...wcFlags, 'IBV_WC_WITH_INV'])] },
    ),
  },
  'failed-receive-without-vendor-err': {
    rules: [`${page}.error-valid-vendor-err`],
    effect: 'vendor_err of a receive that failed is left as it was',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          const isIt = cqe.queue === 'receive' && cqe.wc.status !== 'IBV_WC_SUCCESS';
          super.add(isIt ? { ...cqe, wc: { ...cqe.wc, vendorErr: 0xa5a5a5a5 } } : cqe);
        }
      },
    },
  },
  'full-packets-have-the-length-of-one': {
    rules: [`${page}.field-byte-len`],
    effect: 'byte_len of a message that fills several packets is that of one',
    parts: receiving(({ byteLen }, { payload: { length } }) =>
      length > packetBytes && length % packetBytes === 0 ? { byteLen: packetBytes } : { byteLen },
    ),
  },
  'receive-has-the-number-of-its-sender': {
    rules: [`${page}.field-qp-num`, `${extended}.read-qp-num`, `${extended}.wcflag-qp-num`],
    effect: 'qp_num of a datagram and of a message that was received is that of the sender',
    parts: receiving(({ srcQp }) => ({ qpNum: srcQp })),
  },
  'receives-keep-the-first-number': {
    rules: [`${page}.field-qp-num`, `${extended}.wcflag-qp-num`, `${extended}.read-qp-num`],
    effect: 'all receives of a CQ have the QP number of the first',
    parts: {
      Cq: class extends Cq {
        #first: number | undefined;

        override add(cqe: Cqe): void {
          if (cqe.queue === 'send') super.add(cqe);
          else super.add({ ...cqe, wc: { ...cqe.wc, qpNum: (this.#first ??= cqe.wc.qpNum) } });
        }
      },
    },
  },
  'invalidation-is-called-a-binding': {
    rules: [`${page}.field-opcode`],
    effect: 'a local invalidation completes with IBV_WC_BIND_MW',
    parts: {
      Completions: class extends Completions {
        protected override sendOpcode(wr: Parameters<Completions['sendOpcode']>[0]): string {
          return wr.opcode === 'IBV_WR_LOCAL_INV' ? 'IBV_WC_BIND_MW' : super.sendOpcode(wr);
        }
      },
    },
  },
  'empty-poll-returns-one': {
    rules: [`${page}.returns-zero-empty`, 'ibv_get_cq_event.spurious-empty-poll'],
    effect: 'a poll that finds no CQE returns 1',
    parts: succeedingWith(['ibv_poll_cq'], ({ returned }) => (returned === 0 ? { returned: 1 } : {})),
  },
  'last-cqe-comes-again': {
    rules: [`${page}.removed-once-polled`],
    effect: 'the CQE that empties a CQ for the first time comes again a moment later',
    parts: repeatingTheLastOf(1),
  },
  'cqe-of-the-second-round-comes-again': {
    rules: [`${page}.removed-once-polled`],
    effect: 'the CQE that empties a CQ for the second time comes again a moment later',
    parts: repeatingTheLastOf(2),
  },
  'last-receive-has-no-room': {
    rules: ['ibv_create_cq.min-size', `${extended}.end-then-new-start`, `${extended}.attr-cqe`],
    effect: 'a receive that would fill its CQ is dropped',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (cqe.queue === 'send' || this.cqes.length < this.capacity - 1) super.add(cqe);
        }
      },
    },
  },
  'flushed-qp-makes-a-cqe-of-its-srq': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP with an SRQ that is flushed completes a receive that it has not',
    parts: {
      Qp: class extends Qp {
        protected override flush(): void {
          super.flush();
          if (this.init.srq !== undefined) this.failReceive({ wrId: 0n, sgList: [] }, 'IBV_WC_WR_FLUSH_ERR');
        }
      },
    },
  },
  'swap-of-two-bytes': {
    rules: [`${page}.field-status`],
    effect: 'a compare and swap writes the two low bytes alone',
    parts: {
      Transmitter: class extends Transmitter {
        override attempt(...[wr, ...others]: Parameters<Transmitter['attempt']>): void {
          const atomic = wr.atomic && { ...wr.atomic, swap: BigInt.asUintN(16, wr.atomic.swap) };
          super.attempt({ ...wr, ...(atomic && { atomic }) }, ...others);
        }
      },
    },
  },
  'third-round-turns': {
    rules: [`${page}.oldest-first`],
    effect: 'once a CQ was filled twice a CQE goes before those that are there',
    parts: {
      Cq: class extends Cq {
        #added = 0;

        override add(cqe: Cqe): void {
          super.add(cqe);
          this.#added += 1;
          if (this.#added <= 2 * this.capacity || this.init.wcFlags !== undefined) return;
          this.cqes.unshift(...this.cqes.splice(-1));
        }
      },
    },
  },
  'lone-cqe-is-kept-back': {
    rules: [
      `${page}.drain-loop`,
      `${extended}.next-advances`,
      `${extended}.next-success-readable`,
      `${extended}.next-zero`,
      `${extended}.current-completion`,
    ],
    effect: 'a poll leaves the last CQE where a poll has taken one before it',
    parts: {
      Cq: class extends Cq {
        #isFurther = false;

        override poll(numEntries: number): Cqe[] {
          if (this.#isFurther && this.cqes.length === 1) {
            this.#isFurther = false;
            return [];
          }
          const cqes = super.poll(numEntries);
          this.#isFurther = this.cqes.length > 0;
          return cqes;
        }
      },
    },
  },
};
