import type { RecvWr, Wc } from '../../contract';
import type { Message } from '../qp/message';
import type { Qp } from '../qp/qp';
import { hasImmediate, operations, type SendRequest } from '../qp/work-request';

/** Statuses of ibv_wc_status in the order of the header; the provider's error code is their place. */
const statuses = [
  'IBV_WC_SUCCESS',
  'IBV_WC_LOC_LEN_ERR',
  'IBV_WC_LOC_QP_OP_ERR',
  'IBV_WC_LOC_EEC_OP_ERR',
  'IBV_WC_LOC_PROT_ERR',
  'IBV_WC_WR_FLUSH_ERR',
  'IBV_WC_MW_BIND_ERR',
  'IBV_WC_BAD_RESP_ERR',
  'IBV_WC_LOC_ACCESS_ERR',
  'IBV_WC_REM_INV_REQ_ERR',
  'IBV_WC_REM_ACCESS_ERR',
  'IBV_WC_REM_OP_ERR',
  'IBV_WC_RETRY_EXC_ERR',
  'IBV_WC_RNR_RETRY_EXC_ERR',
] as const;
export type WcStatus = (typeof statuses)[number];

/** A send fails so by what its peer has answered, or has not: by then its QP has heard of those before it. */
export const statusesOfPeer: ReadonlySet<WcStatus> = new Set<WcStatus>([
  'IBV_WC_REM_INV_REQ_ERR',
  'IBV_WC_REM_ACCESS_ERR',
  'IBV_WC_REM_OP_ERR',
  'IBV_WC_RETRY_EXC_ERR',
  'IBV_WC_RNR_RETRY_EXC_ERR',
]);

/** Members that have nothing to say; LIDs, service levels and P_Keys are all 0 on the simulated port. */
const plain = {
  vendorErr: 0,
  immData: 0,
  invalidatedRkey: 0,
  srcQp: 0,
  wcFlags: [],
  pkeyIndex: 0,
  slid: 0,
  sl: 0,
  dlidPathBits: 0,
} as const;

/**
 * What a failed completion holds beside the members that the page declares valid. It is wrong on purpose, so that nobody
 * comes to rely on it: rule ibv_poll_cq.error-others-undefined.
 */
const undefinedMembers = {
  opcode: 'IBV_WC_DRIVER2',
  byteLen: 0xbad0bad0,
  immData: 0xbad0bad0,
  invalidatedRkey: 0xbad0bad0,
  srcQp: 0xbad0ba,
  wcFlags: ['IBV_WC_IP_CSUM_OK'],
  pkeyIndex: 0xbad0,
  slid: 0xbad0,
  sl: 0xba,
  dlidPathBits: 0xba,
} as const;

/** Fills in the completions of one QP: struct ibv_wc of ibv_poll_cq(3). */
export class Completions {
  constructor(protected readonly qp: Qp) {}

  /** Rules ibv_poll_cq.field-wr-id, .field-status, .field-qp-num. */
  ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
    if (status !== 'IBV_WC_SUCCESS') return this.failed(wr.wrId, status);
    return { ...plain, wrId: wr.wrId, status, opcode: this.sendOpcode(wr), byteLen, qpNum: this.qp.qpNum };
  }

  /** Rules ibv_poll_cq.field-wr-id, .field-status, .field-qp-num, .field-src-qp. */
  ofReceive({ wrId }: RecvWr, message: Message): Wc {
    return {
      ...plain,
      wrId,
      status: 'IBV_WC_SUCCESS',
      opcode: this.receiveOpcode(message),
      byteLen: this.receivedBytes(message),
      ...this.immediate(message),
      qpNum: this.qp.qpNum,
      srcQp: message.srcQpNum,
      wcFlags: this.flags(message),
    };
  }

  /** Rules ibv_poll_cq.error-valid-wr-id, .error-valid-status, .error-valid-qp-num, .error-valid-vendor-err. */
  failed(wrId: bigint, status: WcStatus): Wc {
    return { ...undefinedMembers, wrId, status, qpNum: this.qp.qpNum, vendorErr: statuses.indexOf(status) };
  }

  /** Rule ibv_poll_cq.field-opcode. */
  protected sendOpcode({ opcode }: Pick<SendRequest, 'opcode'>): string {
    return operations[opcode].wcOpcode;
  }

  /** Rule ibv_poll_cq.field-opcode. */
  protected receiveOpcode({ wr }: Message): string {
    return wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM' ? 'IBV_WC_RECV_RDMA_WITH_IMM' : 'IBV_WC_RECV';
  }

  /** Rule ibv_poll_cq.field-byte-len. A UD receive counts the GRH too. */
  protected receivedBytes({ payload, grh }: Message): number {
    return grh.length + payload.length;
  }

  /** Rules ibv_poll_cq.field-imm-data, .field-invalidated-rkey, .field-imm-inv-union. */
  protected immediate({ wr }: Message): Pick<Wc, 'immData' | 'invalidatedRkey'> {
    if (hasImmediate(wr)) {
      const immData = wr.immData ?? 0;
      return { immData, invalidatedRkey: swapped(immData) };
    }
    const invalidatedRkey = wr.invalidateRkey ?? 0;
    return { immData: swapped(invalidatedRkey), invalidatedRkey };
  }

  /** Rules ibv_poll_cq.wc-flags-zero-or-or, .flag-grh, .flag-with-imm, .flag-with-inv, .flag-inv-excludes-imm. */
  protected flags({ wr, grh }: Message): string[] {
    return [
      ...(grh.length > 0 ? ['IBV_WC_GRH'] : []),
      ...(hasImmediate(wr) ? ['IBV_WC_WITH_IMM'] : []),
      ...(wr.opcode === 'IBV_WR_SEND_WITH_INV' ? ['IBV_WC_WITH_INV'] : []),
    ];
  }
}

/** The same four bytes read in the other order: the immediate has its highest byte first, the R_Key its lowest. */
function swapped(value: number): number {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, value, true);
  return bytes.getUint32(0);
}
