import { bytes, flags, object, size } from './idl';
import type { Contract } from './kinds';
import { verb } from './verb';

/** Access flags of ibv_reg_mr(3), of a memory window and of a QP. */
export const accessFlags = flags('ibv_access_flags', [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
  'IBV_ACCESS_MW_BIND',
  'IBV_ACCESS_ZERO_BASED',
  'IBV_ACCESS_ON_DEMAND',
  'IBV_ACCESS_HUGETLB',
  'IBV_ACCESS_RELAXED_ORDERING',
]);
export type AccessFlag = Contract<typeof accessFlags>[number];

const mr = object('mr');

/** Memory regions, and their memory as a program reads and writes it. */
export const mrVerbs = {
  /**
   * Allocates zeroed, page-aligned memory of `length` bytes and registers it: ibv_reg_mr(3).
   */
  regMr: verb({
    c: 'ibv_reg_mr',
    page: 'ibv_reg_mr(3)',
    fails: 'null',
    makes: 'mr',
    in: [{ pd: object('pd') }, { length: size }, { access: accessFlags }],
  }),
  /** Deregisters the memory and frees it: ibv_dereg_mr(3). */
  deregMr: verb({ c: 'ibv_dereg_mr', page: 'ibv_reg_mr(3)', fails: 'errno', ends: 'mr', in: [{ mr }] }),
  /** Reads `length` bytes of registered memory from `offset` on, as a program would: no verb. */
  readMemory: verb({
    c: 'memory read',
    fails: 'never',
    in: [{ mr }, { offset: size }, { length: size }],
    out: { bytes },
    gives: 'bytes',
  }),
  /** Writes registered memory from `offset` on, as a program would: no verb. */
  writeMemory: verb({ c: 'memory write', fails: 'never', in: [{ mr }, { offset: size }, { bytes }] }),
};
