import { flags, hex32, i32, nullable, object, open, struct, u32, u64, type Type } from './idl';
import { wcFlags, wcOpcode, wcStatus } from './cq';
import type { Contract } from './kinds';
import { verb } from './verb';

/** IBV_WC_STANDARD_FLAGS. */
export const standardWcFlags = [
  'IBV_WC_EX_WITH_BYTE_LEN',
  'IBV_WC_EX_WITH_IMM',
  'IBV_WC_EX_WITH_QP_NUM',
  'IBV_WC_EX_WITH_SRC_QP',
  'IBV_WC_EX_WITH_SLID',
  'IBV_WC_EX_WITH_SL',
  'IBV_WC_EX_WITH_DLID_PATH_BITS',
] as const;

const createCqWcFlags = flags('ibv_create_cq_wc_flags', [
  ...standardWcFlags,
  'IBV_WC_EX_WITH_COMPLETION_TIMESTAMP',
  'IBV_WC_EX_WITH_CVLAN',
  'IBV_WC_EX_WITH_FLOW_TAG',
  'IBV_WC_EX_WITH_TM_INFO',
  'IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK',
]);

const cqInitAttrMask = flags('ibv_cq_init_attr_mask', ['IBV_CQ_INIT_ATTR_MASK_FLAGS']);

const createCqAttrFlags = flags('ibv_create_cq_attr_flags', [
  'IBV_CREATE_CQ_ATTR_SINGLE_THREADED',
  'IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN',
]);

/**
 * struct ibv_cq_init_attr_ex of ibv_create_cq_ex(3). The first and the last number are unsigned there and int in
 * ibv_create_cq(3): a negative one is converted as C does it.
 */
export const cqInitAttrEx = struct('ibv_cq_init_attr_ex', {
  cqe: i32,
  /** User context pointer of the CQ. */
  cqContext: u64,
  channel: nullable(object('channel')),
  compVector: i32,
  /** The members that completions have to provide. */
  wcFlags: open(createCqWcFlags),
  /** Which of the optional members count. */
  compMask: open(cqInitAttrMask),
  flags: open(createCqAttrFlags),
});
export interface CqInitAttrEx extends Contract<typeof cqInitAttrEx> {}

const cq = object('cq');

/** A function that reads a member of the completion that the iterator stands on, named as the C function. */
function reader<const C extends string, T extends Type>(c: C, value: T) {
  return verb({ c, page: 'ibv_create_cq_ex(3)', fails: 'never', in: [{ cq }], out: { value }, gives: 'value' });
}

/** Readers of the current completion. */
const readers = {
  /** ibv_wc_read_opcode(). */
  wcReadOpcode: reader('ibv_wc_read_opcode', open(wcOpcode)),
  /** ibv_wc_read_vendor_err(). */
  wcReadVendorErr: reader('ibv_wc_read_vendor_err', hex32),
  /** ibv_wc_read_byte_len(). */
  wcReadByteLen: reader('ibv_wc_read_byte_len', u32),
  /** ibv_wc_read_imm_data(), the first byte of the member the highest. */
  wcReadImmData: reader('ibv_wc_read_imm_data', hex32),
  /** ibv_wc_read_invalidated_rkey(). */
  wcReadInvalidatedRkey: reader('ibv_wc_read_invalidated_rkey', hex32),
  /** ibv_wc_read_qp_num(). */
  wcReadQpNum: reader('ibv_wc_read_qp_num', hex32),
  /** ibv_wc_read_src_qp(). */
  wcReadSrcQp: reader('ibv_wc_read_src_qp', hex32),
  /** ibv_wc_read_wc_flags(). */
  wcReadWcFlags: reader('ibv_wc_read_wc_flags', open(wcFlags)),
  /** ibv_wc_read_slid(). */
  wcReadSlid: reader('ibv_wc_read_slid', u32),
  /** ibv_wc_read_sl(). */
  wcReadSl: reader('ibv_wc_read_sl', u32),
  /** ibv_wc_read_dlid_path_bits(). */
  wcReadDlidPathBits: reader('ibv_wc_read_dlid_path_bits', u32),
  /** ibv_wc_read_completion_ts(). */
  wcReadCompletionTs: reader('ibv_wc_read_completion_ts', u64),
};

/** Names of readers, as the C functions without `ibv_wc_read_`. */
export type WcReader = (typeof readers)[keyof typeof readers]['c'] extends `ibv_wc_read_${infer Name}` ? Name : never;

/** The method of each reader. */
export const wcReaderMethods = Object.fromEntries(
  Object.entries(readers).map(([method, { c }]) => [c.replace('ibv_wc_read_', ''), method]),
) as Readonly<Record<WcReader, keyof typeof readers>>;

/** Extended CQs: ibv_create_cq_ex(3). */
export const cqExVerbs = {
  /** ibv_create_cq_ex(3). ibv_destroy_cq(3) destroys it. */
  createCqEx: verb({
    c: 'ibv_create_cq_ex',
    page: 'ibv_create_cq_ex(3)',
    fails: 'null',
    makes: 'cq',
    in: [{ context: object('context') }, { cqAttr: cqInitAttrEx }],
  }),
  /** Opens a batch and stands on the first completion: ibv_start_poll(). ENOENT if the CQ is empty. */
  startPoll: verb({ c: 'ibv_start_poll', page: 'ibv_create_cq_ex(3)', fails: 'errno', in: [{ cq }] }),
  /** Moves on to the following completion: ibv_next_poll(). ENOENT if there is none. */
  nextPoll: verb({ c: 'ibv_next_poll', page: 'ibv_create_cq_ex(3)', fails: 'errno', in: [{ cq }] }),
  /** Closes the batch: ibv_end_poll(). */
  endPoll: verb({ c: 'ibv_end_poll', page: 'ibv_create_cq_ex(3)', fails: 'never', in: [{ cq }] }),
  /** The members wr_id and status of struct ibv_cq_ex, of the completion that the iterator stands on. */
  readCqEx: verb({
    c: 'struct ibv_cq_ex',
    page: 'ibv_create_cq_ex(3)',
    fails: 'never',
    in: [{ cq }],
    out: { wrId: u64, status: open(wcStatus) },
  }),
  ...readers,
};
