import { bytes, flags, object, size, u64 } from './idl';
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

/** Memory regions, and the memory of the program that they lie in. */
export const mrVerbs = {
  /** Allocates zeroed, page-aligned memory of `length` bytes, as a program would: no verb. */
  allocMemory: verb({ c: 'memory allocate', fails: 'never', makes: 'memory', in: [{ length: size }] }),
  /** Frees the memory, as a program would: no verb. */
  freeMemory: verb({ c: 'memory free', fails: 'never', ends: 'memory', in: [{ memory: object('memory') }] }),
  /** Registers `length` bytes from `addr` on, which have to lie in allocated memory: ibv_reg_mr(3). */
  regMr: verb({
    c: 'ibv_reg_mr',
    page: 'ibv_reg_mr(3)',
    fails: 'null',
    makes: 'mr',
    in: [{ pd: object('pd') }, { addr: u64 }, { length: size }, { access: accessFlags }],
  }),
  /** ibv_dereg_mr(3). */
  deregMr: verb({ c: 'ibv_dereg_mr', page: 'ibv_reg_mr(3)', fails: 'errno', ends: 'mr', in: [{ mr }] }),
  /** Reads `length` bytes of allocated memory from `addr` on, as a program would: no verb. */
  readMemory: verb({
    c: 'memory read',
    fails: 'never',
    in: [{ addr: u64 }, { length: size }],
    out: { bytes },
    gives: 'bytes',
  }),
  /** Writes allocated memory from `addr` on, as a program would: no verb. */
  writeMemory: verb({ c: 'memory write', fails: 'never', in: [{ addr: u64 }, { bytes }] }),
};
