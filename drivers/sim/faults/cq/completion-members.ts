import type { Wc } from '../../../contract';
import { Completions } from '../../cq/completions';
import { Cq, type Cqe } from '../../cq/cq';
import type { Parts } from '../../device/device';
import type { Message } from '../../qp/message';
import type { Fault } from '../fault';

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

const page = 'ibv_poll_cq';
const isDatagram = ({ grh }: Message): boolean => grh.length > 0;

/** Further faults of what a CQE says: those of one operation, one type of QP or one queue alone. */
export const faults: Readonly<Record<string, Fault>> = {
  'immediate-of-a-write-is-lost': {
    rules: [`${page}.field-imm-data`],
    effect: 'the immediate of an RDMA Write does not arrive',
    parts: receiving(({ opcode }) => (opcode === 'IBV_WC_RECV_RDMA_WITH_IMM' ? { immData: 0 } : {})),
  },
  'invalidated-rkey-is-zero': {
    rules: [`${page}.field-invalidated-rkey`, 'ibv_create_cq_ex.read-invalidated-rkey'],
    effect: 'a receive that invalidated an R_Key does not say which',
    parts: receiving(({ wcFlags }) => (wcFlags.includes('IBV_WC_WITH_INV') ? { invalidatedRkey: 0 } : {})),
  },
  'src-qp-of-datagrams-is-zero': {
    rules: [`${page}.field-src-qp`, `${page}.field-src-qp-ud-only`],
    effect: 'a datagram has the source QP 0',
    parts: receiving((_wc, message) => (isDatagram(message) ? { srcQp: 0 } : {})),
  },
  'unknown-flag-of-sends': {
    rules: [`${page}.wc-flags-zero-or-or`],
    effect: 'wc_flags of a send has a bit that stands for nothing',
    parts: sending(() => ({ wcFlags: ['0x80'] })),
  },
  'grh-flag-excludes-immediate': {
    rules: [`${page}.flag-grh`],
    effect: 'a datagram with immediate has no IBV_WC_GRH',
    parts: receiving(({ wcFlags }) => {
      const isBoth = wcFlags.includes('IBV_WC_GRH') && wcFlags.includes('IBV_WC_WITH_IMM');
      return isBoth ? { wcFlags: ['IBV_WC_WITH_IMM'] } : {};
    }),
  },
  'grh-flag-of-all-receives': {
    rules: [`${page}.flag-grh-ud-only`],
    effect: 'each receive has IBV_WC_GRH',
    parts: receiving(({ wcFlags }) => ({ wcFlags: [...new Set(['IBV_WC_GRH', ...wcFlags])] })),
  },
  'invalidation-flag-of-all-sends': {
    rules: [`${page}.flag-with-inv`, 'ibv_create_cq_ex.read-wc-flags'],
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
  'lone-cqe-is-kept-back': {
    rules: [`${page}.drain-loop`],
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
