import { flags, object, open, struct, u32 } from './idl';
import type { Contract } from './kinds';
import type { Bits } from './derived/masks';
import { verb } from './verb';

/** struct ibv_srq_attr of ibv_create_srq(3) and ibv_modify_srq(3). */
export const srqAttr = struct(
  'ibv_srq_attr',
  {},
  {
    maxWr: u32,
    maxSge: u32,
    /** The SRQ raises IBV_EVENT_SRQ_LIMIT_REACHED when fewer receives than this are left; 0 raises nothing. */
    srqLimit: u32,
  },
);
export interface SrqAttr extends Contract<typeof srqAttr> {}

const srqAttrMask = flags('ibv_srq_attr_mask', ['IBV_SRQ_MAX_WR', 'IBV_SRQ_LIMIT']);
type SrqAttrMask = Contract<typeof srqAttrMask>;

/** The bit of the mask with which each member counts that can be modified. */
export const srqAttrBits: Bits<SrqAttr, SrqAttrMask[number]> = {
  maxWr: 'IBV_SRQ_MAX_WR',
  srqLimit: 'IBV_SRQ_LIMIT',
};

/** struct ibv_srq_init_attr of ibv_create_srq(3). */
const srqInitAttr = struct('ibv_srq_init_attr', { attr: srqAttr });
export interface SrqInitAttr extends Contract<typeof srqInitAttr> {}

const srq = object('srq');

/** Shared receive queues. */
export const srqVerbs = {
  /** ibv_create_srq(3). */
  createSrq: verb({
    c: 'ibv_create_srq',
    page: 'ibv_create_srq(3)',
    fails: 'null',
    makes: 'srq',
    in: [{ pd: object('pd') }, { srqInitAttr }],
    records: { srqLimit: u32 },
  }),
  /** ibv_modify_srq(3). */
  modifySrq: verb({
    c: 'ibv_modify_srq',
    page: 'ibv_modify_srq(3)',
    fails: 'errno',
    in: [{ srq }, { srqAttr }, { srqAttrMask: open(srqAttrMask) }],
  }),
  /** ibv_query_srq(3). A limit of 0 says that none is armed. */
  querySrq: verb({
    c: 'ibv_query_srq',
    page: 'ibv_query_srq(3)',
    fails: 'errno',
    in: [{ srq }],
    out: { maxWr: u32, maxSge: u32, srqLimit: u32 },
    fills: ['srqAttr'],
    explored: true,
  }),
  /** ibv_destroy_srq(3); waits until all its asynchronous events that were taken are acknowledged. */
  destroySrq: verb({
    c: 'ibv_destroy_srq',
    page: 'ibv_create_srq(3)',
    fails: 'errno',
    ends: 'srq',
    blocks: 'until its events are acknowledged',
    in: [{ srq }],
  }),
};
