import { ahAttr } from './ah';
import { mtu } from './device';
import { bool, enumeration, flags, hex32, nullable, object, open, struct, u16, u32, u8 } from './idl';
import { qpCap, type Contract } from './kinds';
import type { Bits } from './derived/masks';
import { accessFlags } from './mr';
import { verb } from './verb';

export const qpType = enumeration('ibv_qp_type', [
  'IBV_QPT_RC',
  'IBV_QPT_UC',
  'IBV_QPT_UD',
  'IBV_QPT_RAW_PACKET',
  'IBV_QPT_XRC_SEND',
  'IBV_QPT_XRC_RECV',
  'IBV_QPT_DRIVER',
]);
export type QpType = Contract<typeof qpType>;

export const qpState = enumeration('ibv_qp_state', [
  'IBV_QPS_RESET',
  'IBV_QPS_INIT',
  'IBV_QPS_RTR',
  'IBV_QPS_RTS',
  'IBV_QPS_SQD',
  'IBV_QPS_SQE',
  'IBV_QPS_ERR',
  'IBV_QPS_UNKNOWN',
]);
export type QpState = Contract<typeof qpState>;

const migState = enumeration('ibv_mig_state', ['IBV_MIG_MIGRATED', 'IBV_MIG_REARM', 'IBV_MIG_ARMED']);

/** struct ibv_qp_init_attr of ibv_create_qp(3). */
const qpInitAttr = struct('ibv_qp_init_attr', {
  sendCq: object('cq'),
  recvCq: object('cq'),
  /** Receives are taken from here instead of from the QP's own receive queue. */
  srq: nullable(object('srq')),
  cap: qpCap,
  qpType,
  /** Every send WR makes a CQE, whatever its flags. */
  sqSigAll: bool,
});
export interface QpInitAttr extends Contract<typeof qpInitAttr> {}

/** struct ibv_qp_attr of ibv_modify_qp(3). */
export const qpAttr = struct(
  'ibv_qp_attr',
  {},
  {
    qpState,
    /** The state that the QP is assumed to be in. */
    curQpState: qpState,
    pathMtu: mtu,
    pathMigState: migState,
    /** UD alone. */
    qkey: hex32,
    rqPsn: u32,
    sqPsn: u32,
    destQpNum: hex32,
    qpAccessFlags: accessFlags,
    cap: qpCap,
    ahAttr,
    altAhAttr: ahAttr,
    pkeyIndex: u16,
    altPkeyIndex: u16,
    /** Has IBV_EVENT_SQ_DRAINED raised when the send queue is drained, on the way to IBV_QPS_SQD. */
    enSqdAsyncNotify: bool,
    maxRdAtomic: u8,
    maxDestRdAtomic: u8,
    /** Code of 0 to 31 as ibv_modify_qp(3) lists it; 12 is 0.64 ms. */
    minRnrTimer: u8,
    portNum: u8,
    /** Code of the ack timeout: 4.096 µs · 2^timeout. */
    timeout: u8,
    retryCnt: u8,
    /** 7 stands for no limit. */
    rnrRetry: u8,
    altPortNum: u8,
    altTimeout: u8,
    /** kbit/s. */
    rateLimit: u32,
  },
);
export interface QpAttr extends Contract<typeof qpAttr> {}

/** struct ibv_qp_attr as ibv_query_qp(3) fills it in, without the paths. What counts of it depends on the type and the state of the QP. */
const queriedQpAttr = struct('ibv_qp_attr', {
  qpState: open(qpState),
  pathMtu: open(mtu),
  qkey: hex32,
  /** Of the packet that comes next. */
  rqPsn: u32,
  /** Of the packet that goes next. */
  sqPsn: u32,
  destQpNum: hex32,
  qpAccessFlags: open(accessFlags),
  cap: qpCap,
  pkeyIndex: u16,
  /** Whether sends are under way that end before the QP is drained; counts in IBV_QPS_SQD alone. */
  sqDraining: bool,
  maxRdAtomic: u8,
  maxDestRdAtomic: u8,
  minRnrTimer: u8,
  portNum: u8,
  timeout: u8,
  retryCnt: u8,
  rnrRetry: u8,
});

/** struct ibv_qp_init_attr as ibv_query_qp(3) fills it in, without the objects. */
const queriedQpInitAttr = struct('ibv_qp_init_attr', { cap: qpCap, qpType: open(qpType), sqSigAll: bool });

const qpAttrMask = flags('ibv_qp_attr_mask', [
  'IBV_QP_STATE',
  'IBV_QP_CUR_STATE',
  'IBV_QP_EN_SQD_ASYNC_NOTIFY',
  'IBV_QP_ACCESS_FLAGS',
  'IBV_QP_PKEY_INDEX',
  'IBV_QP_PORT',
  'IBV_QP_QKEY',
  'IBV_QP_AV',
  'IBV_QP_PATH_MTU',
  'IBV_QP_TIMEOUT',
  'IBV_QP_RETRY_CNT',
  'IBV_QP_RNR_RETRY',
  'IBV_QP_RQ_PSN',
  'IBV_QP_MAX_QP_RD_ATOMIC',
  'IBV_QP_ALT_PATH',
  'IBV_QP_MIN_RNR_TIMER',
  'IBV_QP_SQ_PSN',
  'IBV_QP_MAX_DEST_RD_ATOMIC',
  'IBV_QP_PATH_MIG_STATE',
  'IBV_QP_CAP',
  'IBV_QP_DEST_QPN',
  'IBV_QP_RATE_LIMIT',
]);
type QpAttrMask = Contract<typeof qpAttrMask>;

/** The bit of the mask with which each member counts. Those of the alternate path have one together. */
export const qpAttrBits: Required<Bits<QpAttr, QpAttrMask[number]>> = {
  qpState: 'IBV_QP_STATE',
  curQpState: 'IBV_QP_CUR_STATE',
  pathMtu: 'IBV_QP_PATH_MTU',
  pathMigState: 'IBV_QP_PATH_MIG_STATE',
  qkey: 'IBV_QP_QKEY',
  rqPsn: 'IBV_QP_RQ_PSN',
  sqPsn: 'IBV_QP_SQ_PSN',
  destQpNum: 'IBV_QP_DEST_QPN',
  qpAccessFlags: 'IBV_QP_ACCESS_FLAGS',
  cap: 'IBV_QP_CAP',
  ahAttr: 'IBV_QP_AV',
  altAhAttr: 'IBV_QP_ALT_PATH',
  pkeyIndex: 'IBV_QP_PKEY_INDEX',
  altPkeyIndex: 'IBV_QP_ALT_PATH',
  enSqdAsyncNotify: 'IBV_QP_EN_SQD_ASYNC_NOTIFY',
  maxRdAtomic: 'IBV_QP_MAX_QP_RD_ATOMIC',
  maxDestRdAtomic: 'IBV_QP_MAX_DEST_RD_ATOMIC',
  minRnrTimer: 'IBV_QP_MIN_RNR_TIMER',
  portNum: 'IBV_QP_PORT',
  timeout: 'IBV_QP_TIMEOUT',
  retryCnt: 'IBV_QP_RETRY_CNT',
  rnrRetry: 'IBV_QP_RNR_RETRY',
  altPortNum: 'IBV_QP_ALT_PATH',
  altTimeout: 'IBV_QP_ALT_PATH',
  rateLimit: 'IBV_QP_RATE_LIMIT',
};

const qp = object('qp');

/** Queue pairs. */
export const qpVerbs = {
  /** ibv_create_qp(3). */
  createQp: verb({
    c: 'ibv_create_qp',
    page: 'ibv_create_qp(3)',
    fails: 'null',
    makes: 'qp',
    in: [{ pd: object('pd') }, { qpInitAttr }],
  }),
  /** ibv_modify_qp(3). */
  modifyQp: verb({
    c: 'ibv_modify_qp',
    page: 'ibv_modify_qp(3)',
    fails: 'errno',
    in: [{ qp }, { attr: qpAttr }, { attrMask: open(qpAttrMask) }],
  }),
  /** ibv_query_qp(3). The mask says which members the device has to fill in; it may fill in more. */
  queryQp: verb({
    c: 'ibv_query_qp',
    page: 'ibv_query_qp(3)',
    fails: 'errno',
    in: [{ qp }, { attrMask: open(qpAttrMask) }],
    out: { attr: queriedQpAttr, initAttr: queriedQpInitAttr },
    fills: ['attr', 'initAttr'],
    order: ['qp', 'attr', 'attrMask', 'initAttr'],
    explored: true,
  }),
  /** ibv_destroy_qp(3); waits until all its asynchronous events that were taken are acknowledged. */
  destroyQp: verb({
    c: 'ibv_destroy_qp',
    page: 'ibv_create_qp(3)',
    fails: 'errno',
    ends: 'qp',
    blocks: 'until its events are acknowledged',
    in: [{ qp }],
  }),
};
