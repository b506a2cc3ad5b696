import { dealt } from '../../../drivers/sim/faults/systematic/dealt';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';

/** Which of the systematic faults run. */
export interface Selection {
  /** How many, chosen by the seed; all unless given. */
  readonly count?: number;
  readonly seed: number;
  /** One of so many parts of them, counted from 1. */
  readonly shard?: { readonly part: number; readonly of: number };
}

/** The faults that run: the same for the same seed, and almost the same when a verb or a member has come. */
export function selected(
  faults: readonly SystematicFault[],
  { count, seed, shard }: Selection,
): readonly SystematicFault[] {
  const chosen = count === undefined ? faults : dealt(faults, `seed ${seed}`).slice(0, count);
  return shard === undefined ? chosen : chosen.filter((_fault, index) => index % shard.of === shard.part - 1);
}
