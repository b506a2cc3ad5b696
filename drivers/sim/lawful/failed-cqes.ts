import type { Wc } from '../../contract';
import type { WcStatus } from '../cq/completions';
import type { Parts } from '../device/device';
import type { Answer } from '../qp/message';
import type { Variant, Variants } from './variant';

/** What a failed CQE holds beside the members that are valid. */
function holding(does: string, members: Partial<Wc>, more: Partial<Variant> = {}): Variant {
  return {
    does,
    because: 'of a failed CQE only wr_id, status, qp_num and vendor_err are valid',
    uses: ['ibv_poll_cq'],
    parts: (of: Parts) => ({
      Completions: class extends of.Completions {
        override failed(wrId: bigint, status: WcStatus): Wc {
          return { ...super.failed(wrId, status), ...members };
        }
      },
    }),
    ...more,
  };
}

const zeros = {
  opcode: 'IBV_WC_SEND',
  byteLen: 0,
  immData: 0,
  invalidatedRkey: 0,
  srcQp: 0,
  wcFlags: [],
  pkeyIndex: 0,
  slid: 0,
  sl: 0,
  dlidPathBits: 0,
};

const ones = {
  opcode: 'IBV_WC_RECV_RDMA_WITH_IMM',
  byteLen: 0xffff_ffff,
  immData: 0xffff_ffff,
  invalidatedRkey: 0xffff_ffff,
  srcQp: 0xffff_ffff,
  wcFlags: ['IBV_WC_GRH', 'IBV_WC_WITH_IMM', 'IBV_WC_WITH_INV', 'IBV_WC_IP_CSUM_OK'],
  pkeyIndex: 0xffff,
  slid: 0xffff,
  sl: 0xff,
  dlidPathBits: 0xff,
};

const theirCode = {
  because: 'what the code means, and whether it is 0, is for the vendor to say',
  uses: ['ibv_create_cq_ex.read-vendor-err', 'ibv_poll_cq.error-valid-vendor-err'],
};

export const variants: Variants = {
  'failed-cqe-of-zeros': holding('a failed CQE has 0 in the members that are not valid', zeros),
  'failed-cqe-of-ones': holding('a failed CQE has all bits set in the members that are not valid', ones),
  'vendor-err-of-zero': holding('vendor_err of a failed CQE is 0', { vendorErr: 0 }, theirCode),
  'vendor-err-of-all-bits': holding(
    'vendor_err of a failed CQE has all bits set',
    { vendorErr: 0xffff_ffff },
    theirCode,
  ),
  'statuses-are-coarse': {
    does: 'in place of IBV_WC_LOC_PROT_ERR comes IBV_WC_LOC_QP_OP_ERR, and IBV_WC_REM_OP_ERR of IBV_WC_REM_INV_REQ_ERR',
    because: 'which status belongs to which error is for the specification to say; older kernels of irdma do likewise',
    uses: ['ibv_poll_cq.error-valid-status'],
    breaks: ['ibv_poll_cq.error-valid-status'],
    parts: (of) => ({
      Completions: class extends of.Completions {
        override failed(wrId: bigint, status: WcStatus): Wc {
          return super.failed(wrId, coarse[status] ?? status);
        }
      },
    }),
  },
  'forbidden-operations-are-invalid': {
    does: 'a request that the QP of the peer does not let in fails as one that is not valid',
    because: 'which status and which event belong to it no page says',
    parts: (of) => ({
      Responder: class extends of.Responder {
        protected override refuseOperation(): Answer {
          this.qp.raise('IBV_EVENT_QP_REQ_ERR');
          this.qp.enterError();
          return { kind: 'invalid-request' };
        }
      },
    }),
  },
  'vendor-err-of-good-work': {
    does: 'vendor_err of a CQE that succeeded is no 0',
    because: 'the page gives the member a meaning for errors alone',
    parts: (of) => ({
      Completions: class extends of.Completions {
        override ofSend(...args: Parameters<InstanceType<Parts['Completions']>['ofSend']>): Wc {
          return withVendorErr(super.ofSend(...args));
        }

        override ofReceive(...args: Parameters<InstanceType<Parts['Completions']>['ofReceive']>): Wc {
          return withVendorErr(super.ofReceive(...args));
        }
      },
    }),
  },
};

/** By IBTA another status is right. */
const coarse: Readonly<Partial<Record<WcStatus, WcStatus>>> = {
  IBV_WC_LOC_PROT_ERR: 'IBV_WC_LOC_QP_OP_ERR',
  IBV_WC_REM_INV_REQ_ERR: 'IBV_WC_REM_OP_ERR',
};

function withVendorErr(wc: Wc): Wc {
  return wc.status === 'IBV_WC_SUCCESS' ? { ...wc, vendorErr: 0x5a5a } : wc;
}
