import type { Ah, Cq, Mr, Mw, Srq } from './objects';

/** Access flags of ibv_reg_mr(3), of a memory window and of a QP. */
export type AccessFlag =
  | 'IBV_ACCESS_LOCAL_WRITE'
  | 'IBV_ACCESS_REMOTE_WRITE'
  | 'IBV_ACCESS_REMOTE_READ'
  | 'IBV_ACCESS_REMOTE_ATOMIC'
  | 'IBV_ACCESS_MW_BIND';

export type QpType = 'IBV_QPT_RC' | 'IBV_QPT_UC' | 'IBV_QPT_UD';

export type QpState =
  'IBV_QPS_RESET' | 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS' | 'IBV_QPS_SQD' | 'IBV_QPS_SQE' | 'IBV_QPS_ERR';

export type SendFlag = 'IBV_SEND_SIGNALED' | 'IBV_SEND_SOLICITED' | 'IBV_SEND_INLINE' | 'IBV_SEND_FENCE';

/** Opcodes of ibv_post_send(3). */
export type WrOpcode =
  | 'IBV_WR_SEND'
  | 'IBV_WR_SEND_WITH_IMM'
  | 'IBV_WR_SEND_WITH_INV'
  | 'IBV_WR_RDMA_WRITE'
  | 'IBV_WR_RDMA_WRITE_WITH_IMM'
  | 'IBV_WR_RDMA_READ'
  | 'IBV_WR_ATOMIC_CMP_AND_SWP'
  | 'IBV_WR_ATOMIC_FETCH_AND_ADD'
  | 'IBV_WR_LOCAL_INV'
  | 'IBV_WR_BIND_MW';

/** Attributes of ibv_create_cq(3); what is left out is 0, NULL or no channel. */
export interface CqAttr {
  /** Entries asked for. */
  cqe: number;
  /** User context pointer of the CQ. */
  cqContext?: bigint;
  compVector?: number;
}

/** struct ibv_cq_init_attr_ex of ibv_create_cq_ex(3); what is left out is 0, NULL or no channel. */
export interface CqExAttr extends CqAttr {
  /** `IBV_WC_EX_WITH_*`: the members that completions have to provide. */
  wcFlags: readonly string[];
  /** `IBV_CQ_INIT_ATTR_MASK_*`: which of the optional members count. */
  compMask?: readonly string[];
  /** `IBV_CREATE_CQ_ATTR_*`. */
  flags?: readonly string[];
}

/** struct ibv_modify_cq_attr of ibv_modify_cq(3), with the mask that says what counts. */
export interface ModifyCqAttr {
  /** `IBV_CQ_ATTR_MODERATE`. */
  attrMask: readonly string[];
  /** Completions per event. */
  cqCount: number;
  /** Microseconds until fewer completions make an event. */
  cqPeriod: number;
}

/** struct ibv_cq as it is now. */
export interface CqMembers {
  /** Handle of the context that the CQ belongs to. */
  context: string | null;
  /** Handle of its completion channel. */
  channel: string | null;
  cqContext: bigint;
  /** Entries that the CQ really has. */
  cqe: number;
}

/** What can be read straight from struct ibv_cq_ex of the completion that the iterator stands on. */
export interface CqExMembers {
  wrId: bigint;
  status: string;
}

/** Readers of the current completion, named as the C functions without `ibv_wc_read_`: ibv_create_cq_ex(3). */
export const wcReaders = [
  'opcode',
  'vendor_err',
  'byte_len',
  'imm_data',
  'invalidated_rkey',
  'qp_num',
  'src_qp',
  'wc_flags',
  'slid',
  'sl',
  'dlid_path_bits',
  'completion_ts',
] as const;
export type WcReader = (typeof wcReaders)[number];

/** struct ibv_comp_channel. */
export interface CompChannelMembers {
  /** Handle of the context that the channel belongs to. */
  context: string | null;
  /** Number of its file descriptor in the process that executes the verbs. */
  fd: number;
}

/** What ibv_query_device(3) tells, as far as scenarios ask for it. */
export interface DeviceAttr {
  /** Most entries of a CQ. */
  maxCqe: number;
}

/** struct ibv_qp_init_attr of ibv_create_qp(3). */
export interface QpInitAttr {
  qpType: QpType;
  sendCq: Cq;
  recvCq: Cq;
  /** Receives are taken from here instead of from the QP's own receive queue. */
  srq?: Srq;
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
  /** Bytes that a send may carry with IBV_SEND_INLINE. */
  maxInlineData: number;
}

/** struct ibv_srq_attr of ibv_create_srq(3) and ibv_modify_srq(3). */
export interface SrqAttr {
  maxWr: number;
  maxSge: number;
  /** The SRQ raises IBV_EVENT_SRQ_LIMIT_REACHED when fewer receives than this are left; 0 raises nothing. */
  srqLimit: number;
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
  /** Has IBV_EVENT_SQ_DRAINED raised when the send queue is drained, on the way to IBV_QPS_SQD. */
  enSqdAsyncNotify?: boolean;
  portNum?: number;
  pkeyIndex?: number;
  qpAccessFlags?: readonly AccessFlag[];
  /** Bytes: 256, 512, 1024, 2048 or 4096. */
  pathMtu?: number;
  destQpNum?: number;
  rqPsn?: number;
  sqPsn?: number;
  /** UD alone. */
  qkey?: number;
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

/** struct ibv_recv_wr of ibv_post_recv(3) and ibv_post_srq_recv(3). */
export interface RecvWr {
  wrId: bigint;
  sgList: readonly Sge[];
}

/** struct ibv_send_wr of ibv_post_send(3); the opcode and the type of the QP say which of the optional members it takes. */
export interface SendWr {
  wrId: bigint;
  sgList: readonly Sge[];
  opcode: WrOpcode;
  sendFlags: readonly SendFlag[];
  /** The immediate as a number; it travels in network byte order, first the highest byte. */
  immData?: number;
  /** The R_Key that the receiver, or with IBV_WR_LOCAL_INV the sender, invalidates. */
  invalidateRkey?: number;
  rdma?: { readonly remoteAddr: bigint; readonly rkey: number };
  /** `compareAdd` is what to compare with, or to add. */
  atomic?: {
    readonly remoteAddr: bigint;
    readonly rkey: number;
    readonly compareAdd: bigint;
    readonly swap: bigint;
  };
  /** Where a UD message goes. */
  ud?: { readonly ah: Ah; readonly remoteQpn: number; readonly remoteQkey: number };
  /** `rkey` is the R_Key that the memory window is to have. */
  bindMw?: {
    readonly mw: Mw;
    readonly rkey: number;
    readonly mr: Mr;
    readonly addr: bigint;
    /** Bytes. */
    readonly length: number;
    readonly access: readonly AccessFlag[];
  };
}

/**
 * What a 32-bit member of a completion reads that the provider left unwritten: before each poll a driver fills the
 * array with bytes that no provider writes.
 */
export const unwrittenWord = 0xa5a5a5a5;

/** struct ibv_wc of ibv_poll_cq(3): a completion. After an error only wrId, status, qpNum and vendorErr are valid. */
export interface Wc {
  wrId: bigint;
  /** `IBV_WC_SUCCESS`, or an `IBV_WC_*` error; a value that the header does not name comes as digits. */
  status: string;
  opcode: string;
  vendorErr: number;
  /** Bytes. */
  byteLen: number;
  /** The immediate as a number, the first byte of the member the highest. It shares its place with `invalidatedRkey`. */
  immData: number;
  invalidatedRkey: number;
  qpNum: number;
  srcQp: number;
  wcFlags: readonly string[];
  pkeyIndex: number;
  slid: number;
  sl: number;
  dlidPathBits: number;
}
