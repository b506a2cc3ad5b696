import type { Cq } from './objects';

/** Access flags of ibv_reg_mr(3) and of a QP. */
export type AccessFlag =
  'IBV_ACCESS_LOCAL_WRITE' | 'IBV_ACCESS_REMOTE_WRITE' | 'IBV_ACCESS_REMOTE_READ' | 'IBV_ACCESS_REMOTE_ATOMIC';

export type QpType = 'IBV_QPT_RC';

export type QpState =
  'IBV_QPS_RESET' | 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS' | 'IBV_QPS_SQD' | 'IBV_QPS_SQE' | 'IBV_QPS_ERR';

export type SendFlag = 'IBV_SEND_SIGNALED' | 'IBV_SEND_SOLICITED';

/** Attributes of ibv_create_cq(3); what is left out is 0, NULL or no channel. */
export interface CqAttr {
  /** Entries asked for. */
  cqe: number;
  /** User context pointer of the CQ. */
  cqContext?: bigint;
  compVector?: number;
}

/** struct ibv_qp_init_attr of ibv_create_qp(3). */
export interface QpInitAttr {
  qpType: QpType;
  sendCq: Cq;
  recvCq: Cq;
  cap: QpCap;
  /** Every send WR makes a CQE, whatever its flags. */
  sqSigAll: boolean;
}

/** struct ibv_qp_cap: sizes of a QP, in work requests and scatter/gather entries. */
export interface QpCap {
  maxSendWr: number;
  maxRecvWr: number;
  maxSendSge: number;
  maxRecvSge: number;
}

/** struct ibv_ah_attr: the path to a peer, by LID on InfiniBand, with a GRH by GID on every link layer. */
export interface AhAttr {
  /** LID of the peer's port; 0 where the link layer has none. */
  dlid: number;
  /** GID of the peer as 32 hexadecimal digits in groups of four, `fe80:0000:…`. */
  dgid: string;
  /** Index of the own GID in the port's table. */
  sgidIndex: number;
  hopLimit: number;
  portNum: number;
}

/** struct ibv_qp_attr of ibv_modify_qp(3). Each member that is present sets its bit of the attribute mask. */
export interface QpAttr {
  qpState?: QpState;
  portNum?: number;
  pkeyIndex?: number;
  qpAccessFlags?: readonly AccessFlag[];
  /** Bytes: 256, 512, 1024, 2048 or 4096. */
  pathMtu?: number;
  destQpNum?: number;
  rqPsn?: number;
  sqPsn?: number;
  maxRdAtomic?: number;
  maxDestRdAtomic?: number;
  /** Code of 0 to 31 as ibv_modify_qp(3) lists it; 12 is 0.64 ms. */
  minRnrTimer?: number;
  /** Code of the ack timeout: 4.096 µs · 2^timeout. */
  timeout?: number;
  retryCnt?: number;
  /** 7 stands for no limit. */
  rnrRetry?: number;
  ahAttr?: AhAttr;
}

/** struct ibv_sge: a stretch of registered memory. */
export interface Sge {
  addr: bigint;
  /** Bytes. */
  length: number;
  lkey: number;
}

/** struct ibv_recv_wr of ibv_post_recv(3). */
export interface RecvWr {
  wrId: bigint;
  sgList: readonly Sge[];
}

/** struct ibv_send_wr of ibv_post_send(3). */
export interface SendWr {
  wrId: bigint;
  sgList: readonly Sge[];
  opcode: 'IBV_WR_SEND';
  sendFlags: readonly SendFlag[];
}

/** struct ibv_wc of ibv_poll_cq(3): a completion. After an error only wrId, status, qpNum and vendorErr are valid. */
export interface Wc {
  wrId: bigint;
  /** `IBV_WC_SUCCESS`, or an `IBV_WC_*` error; a value that the header does not name comes as digits. */
  status: string;
  opcode: string;
  vendorErr: number;
  /** Bytes. */
  byteLen: number;
  qpNum: number;
  srcQp: number;
  wcFlags: readonly string[];
}
