import type { AccessFlag, Mr, Pd } from '../../drivers/contract';
import type { Keeper } from '../world/keeper';

/** Allocates memory and registers it; the clean-up deregisters and frees it. */
export async function registerMemory(
  keeper: Keeper,
  pd: Pd,
  bytes: number,
  access: readonly AccessFlag[],
): Promise<Mr> {
  const { addr } = await keeper.keep('memory', keeper.driver.allocMemory(bytes));
  return keeper.keep('mr', keeper.driver.regMr(pd, addr, bytes, access));
}
