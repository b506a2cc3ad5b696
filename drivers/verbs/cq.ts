import { bool, enumeration, flags, hex32, i32, list, nullable, object, open, struct, u16, u32, u64, u8 } from './idl';
import type { Contract } from './kinds';
import { verb } from './verb';

export const wcStatus = enumeration('ibv_wc_status', [
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
  'IBV_WC_LOC_RDD_VIOL_ERR',
  'IBV_WC_REM_INV_RD_REQ_ERR',
  'IBV_WC_REM_ABORT_ERR',
  'IBV_WC_INV_EECN_ERR',
  'IBV_WC_INV_EEC_STATE_ERR',
  'IBV_WC_FATAL_ERR',
  'IBV_WC_RESP_TIMEOUT_ERR',
  'IBV_WC_GENERAL_ERR',
  'IBV_WC_TM_ERR',
  'IBV_WC_TM_RNDV_INCOMPLETE',
]);

export const wcOpcode = enumeration('ibv_wc_opcode', [
  'IBV_WC_SEND',
  'IBV_WC_RDMA_WRITE',
  'IBV_WC_RDMA_READ',
  'IBV_WC_COMP_SWAP',
  'IBV_WC_FETCH_ADD',
  'IBV_WC_BIND_MW',
  'IBV_WC_LOCAL_INV',
  'IBV_WC_TSO',
  'IBV_WC_RECV',
  'IBV_WC_RECV_RDMA_WITH_IMM',
  'IBV_WC_TM_ADD',
  'IBV_WC_TM_DEL',
  'IBV_WC_TM_SYNC',
  'IBV_WC_TM_RECV',
  'IBV_WC_TM_NO_TAG',
  'IBV_WC_DRIVER1',
]);

export const wcFlags = flags('ibv_wc_flags', [
  'IBV_WC_GRH',
  'IBV_WC_WITH_IMM',
  'IBV_WC_IP_CSUM_OK',
  'IBV_WC_WITH_INV',
  'IBV_WC_TM_SYNC_REQ',
  'IBV_WC_TM_MATCH',
  'IBV_WC_TM_DATA_VALID',
]);

/**
 * What a 32-bit member of a completion reads that the provider left unwritten: before each poll a driver fills the
 * array with bytes that no provider writes.
 */
export const unwrittenWord = 0xa5a5a5a5;

/** struct ibv_wc of ibv_poll_cq(3): a completion. After an error only wrId, status, qpNum and vendorErr are valid. */
export const wc = struct('ibv_wc', {
  wrId: u64,
  /** `IBV_WC_SUCCESS`, or an `IBV_WC_*` error; a value that the header does not name comes as digits. */
  status: open(wcStatus),
  opcode: open(wcOpcode),
  vendorErr: hex32,
  /** Bytes. */
  byteLen: u32,
  /** The immediate as a number, the first byte of the member the highest. It shares its place with `invalidatedRkey`. */
  immData: hex32,
  invalidatedRkey: hex32,
  qpNum: hex32,
  srcQp: hex32,
  wcFlags: open(wcFlags),
  pkeyIndex: u16,
  slid: u16,
  sl: u8,
  dlidPathBits: u8,
});
export interface Wc extends Contract<typeof wc> {}

/** A completion of which no member says anything. */
export const blankWc: Wc = {
  wrId: 0n,
  status: '',
  opcode: '',
  vendorErr: 0,
  byteLen: 0,
  immData: 0,
  invalidatedRkey: 0,
  qpNum: 0,
  srcQp: 0,
  wcFlags: [],
  pkeyIndex: 0,
  slid: 0,
  sl: 0,
  dlidPathBits: 0,
};

const cqAttrMask = flags('ibv_cq_attr_mask', ['IBV_CQ_ATTR_MODERATE']);

/** struct ibv_modify_cq_attr of ibv_modify_cq(3), with the mask that says what counts. */
export const modifyCqAttr = struct('ibv_modify_cq_attr', {
  attrMask: open(cqAttrMask),
  moderate: struct('ibv_moderate_cq', {
    /** Completions per event. */
    cqCount: u16,
    /** Microseconds until fewer completions make an event. */
    cqPeriod: u16,
  }),
});
export interface ModifyCqAttr extends Contract<typeof modifyCqAttr> {}

const context = object('context');
const channel = object('channel');
const cq = object('cq');

/** Completion queues. */
export const cqVerbs = {
  /** ibv_create_cq(3). */
  createCq: verb({
    c: 'ibv_create_cq',
    page: 'ibv_create_cq(3)',
    fails: 'null',
    makes: 'cq',
    in: [{ context }, { cqe: i32 }, { cqContext: u64 }, { channel: nullable(channel) }, { compVector: i32 }],
  }),
  /** ibv_destroy_cq(3); waits until all its events that were taken are acknowledged; EBUSY while a QP uses the CQ. */
  destroyCq: verb({
    c: 'ibv_destroy_cq',
    page: 'ibv_create_cq(3)',
    fails: 'errno',
    ends: 'cq',
    blocks: 'until its events are acknowledged',
    in: [{ cq }],
  }),
  /** The members of struct ibv_cq as they are now. */
  readCq: verb({
    c: 'struct ibv_cq',
    page: 'ibv_create_cq(3)',
    fails: 'never',
    in: [{ cq }],
    out: {
      /** The context that the CQ belongs to. */
      context: nullable(context),
      /** Its completion channel. */
      channel: nullable(channel),
      cqContext: u64,
      /** Entries that the CQ really has. */
      cqe: i32,
    },
  }),
  /** Asks for `cqe` entries: ibv_resize_cq(3). */
  resizeCq: verb({
    c: 'ibv_resize_cq',
    page: 'ibv_resize_cq(3)',
    fails: 'errno',
    in: [{ cq }, { cqe: i32 }],
    records: { cqe: i32 },
  }),
  /** ibv_modify_cq(3). */
  modifyCq: verb({
    c: 'ibv_modify_cq',
    page: 'ibv_modify_cq(3)',
    fails: 'errno',
    in: [{ cq }, { attr: modifyCqAttr }],
  }),
  /** Arms the CQ: ibv_req_notify_cq(3). With 0 for any CQE, with another number for solicited CQEs only. */
  reqNotifyCq: verb({
    c: 'ibv_req_notify_cq',
    page: 'ibv_req_notify_cq(3)',
    fails: 'errno',
    in: [{ cq }, { solicitedOnly: i32 }],
  }),
  /** Takes up to `numEntries` completions from the front of the CQ, none if it is empty: ibv_poll_cq(3). */
  pollCq: verb({
    c: 'ibv_poll_cq',
    page: 'ibv_poll_cq(3)',
    fails: 'negative',
    in: [{ cq }, { numEntries: i32 }],
    out: {
      wc: list(wc),
      /** Whether the provider wrote past the end of the array. */
      overflowed: bool,
    },
    fills: ['wc'],
    gives: 'wc',
  }),
};
