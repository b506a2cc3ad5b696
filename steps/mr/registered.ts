import type { AccessFlag, Mr, Pd } from '../../drivers/contract';
import type { VerbsWorld } from '../world/world';

/** Allocates memory and registers it; the clean-up deregisters and frees it. */
export async function registerMemory(
  world: VerbsWorld,
  pd: Pd,
  bytes: number,
  access: readonly AccessFlag[],
): Promise<Mr> {
  const { addr } = await world.keep('memory', world.driver.allocMemory(bytes));
  return world.keep('mr', world.driver.regMr(pd, addr, bytes, access));
}
