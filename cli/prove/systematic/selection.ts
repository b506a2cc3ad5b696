import { Random } from '../../../drivers/sim/network/random';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';

/** Which of the systematic faults run. */
export interface Selection {
  /** How many, chosen by the seed; all unless given. */
  readonly count?: number;
  readonly seed: number;
  /** One of so many parts of them, counted from 1. */
  readonly shard?: { readonly part: number; readonly of: number };
}

/** The faults that run: the same for the same seed. */
export function selected(
  faults: readonly SystematicFault[],
  { count, seed, shard }: Selection,
): readonly SystematicFault[] {
  const chosen = count === undefined ? faults : shuffled(faults, seed).slice(0, count);
  return shard === undefined ? chosen : chosen.filter((_fault, index) => index % shard.of === shard.part - 1);
}

/** Fisher and Yates: each order is as likely as any other. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const random = new Random(seed);
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(random.next() * left.length), 1));
}
