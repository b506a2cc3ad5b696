import type { RecvWr, Wc } from '../../contract';
import type { WcStatus } from '../cq/completions';
import type { Parts } from '../device/device';
import type { Message } from '../qp/message';
import { isAnswered, type SendRequest } from '../qp/work-request';
import type { Variant, Variants } from './variant';

type OfSend = (wc: Wc, wr: SendRequest) => Wc;
type OfReceive = (wc: Wc, message: Message, isUd: boolean) => Wc;

/** Members of CQEs of work that succeeded, where no page makes them valid. */
function changing(what: Pick<Variant, 'does' | 'because' | 'uses'>, ofSend: OfSend, ofReceive: OfReceive): Variant {
  return {
    ...what,
    parts: (of: Parts) => ({
      Completions: class extends of.Completions {
        override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
          const wc = super.ofSend(wr, status, byteLen);
          return status === 'IBV_WC_SUCCESS' ? ofSend(wc, wr) : wc;
        }

        override ofReceive(wr: RecvWr, message: Message): Wc {
          return ofReceive(super.ofReceive(wr, message), message, this.qp.isUd);
        }
      },
    }),
  };
}

const same = (wc: Wc): Wc => wc;

/** Garbage of all widths. */
const garbage = { pkeyIndex: 0xa5a5, slid: 0xa5a5, sl: 0xa5, dlidPathBits: 0xa5 };

export const variants: Variants = {
  'path-members-of-connected-qps': changing(
    {
      does: 'pkey_index, slid, sl and dlid_path_bits hold anything where they are not of a datagram',
      because: 'the page makes pkey_index valid for GSI QPs, and the others for UD QPs',
    },
    (wc) => ({ ...wc, ...garbage }),
    (wc, _message, isUd) => (isUd ? { ...wc, pkeyIndex: garbage.pkeyIndex } : { ...wc, ...garbage }),
  ),
  'src-qp-of-connected-qps': changing(
    {
      does: 'src_qp holds anything where it is not of a datagram',
      because: 'the page makes the member valid for UD QPs',
    },
    (wc) => ({ ...wc, srcQp: 0xa5a5_a5a5 }),
    (wc, _message, isUd) => (isUd ? wc : { ...wc, srcQp: 0xa5a5_a5a5 }),
  ),
  'byte-len-of-sends': changing(
    {
      does: 'byte_len of sends and RDMA writes holds anything',
      because: 'the specification has the member for receives, RDMA reads and atomic operations',
      uses: ['ibv_poll_cq.field-byte-len'],
    },
    (wc, wr) => (isAnswered(wr) ? wc : { ...wc, byteLen: 0xa5a5_a5a5 }),
    same,
  ),
  'immediates-of-sends': changing(
    {
      does: 'the CQE of a send has IBV_WC_WITH_IMM and an immediate, whatever was sent',
      because: 'the page does not say what the flag means on the CQE of a send',
      uses: ['ibv_poll_cq.flag-with-imm'],
    },
    (wc) => ({ ...wc, wcFlags: [...wc.wcFlags, 'IBV_WC_WITH_IMM'], immData: 0xa5a5_a5a5 }),
    same,
  ),
  'immediates-without-their-flag': changing(
    {
      does: 'imm_data of a receive holds anything where no immediate and no R_Key came',
      because: 'the page makes the member valid with its flag',
    },
    same,
    (wc) =>
      wc.wcFlags.some((flag) => flag === 'IBV_WC_WITH_IMM' || flag === 'IBV_WC_WITH_INV')
        ? wc
        : { ...wc, immData: 0xa5a5_a5a5, invalidatedRkey: 0xa5a5_a5a5 },
  ),
  'grh-of-connected-qps': changing(
    {
      does: 'the CQE of a receive has IBV_WC_GRH on any QP',
      because: 'whether a message comes with a GRH is for the path to say',
      uses: ['ibv_poll_cq.flag-grh'],
    },
    same,
    (wc, _message, isUd) => (isUd ? wc : { ...wc, wcFlags: ['IBV_WC_GRH', ...wc.wcFlags] }),
  ),
  'checksums-are-told': changing(
    {
      does: 'CQEs have IBV_WC_IP_CSUM_OK',
      because: 'the page lets a device that can look at checksums say so',
    },
    (wc) => ({ ...wc, wcFlags: [...wc.wcFlags, 'IBV_WC_IP_CSUM_OK'] }),
    (wc) => ({ ...wc, wcFlags: [...wc.wcFlags, 'IBV_WC_IP_CSUM_OK'] }),
  ),
  'datagrams-of-infiniband': changing(
    {
      does: 'slid, sl and dlid_path_bits of a datagram are those of a path with LIDs',
      because: 'the page makes the members valid, and what they say is of the path',
      uses: ['ibv_create_cq_ex.wcflag-slid', 'ibv_create_cq_ex.wcflag-sl', 'ibv_create_cq_ex.wcflag-dlid-path-bits'],
    },
    same,
    (wc, _message, isUd) => (isUd ? { ...wc, slid: 0x1234, sl: 3, dlidPathBits: 1 } : wc),
  ),
};
