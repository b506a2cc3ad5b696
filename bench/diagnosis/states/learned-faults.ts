import { selected } from '../../../cli/prove/systematic/selection';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';

/** Faults of each seed. */
const count = 60;
const learnedSeeds: readonly number[] = [1, 2, 3, 4, 5, 6];
/** No fault of these is learned from, nor one that is almost the same: they show how often a diagnosis is right. */
export const heldOutSeeds: readonly number[] = [8, 9, 10, 11, 12];

/** The faults that states are learned from. */
export function learnedFaults(all: readonly SystematicFault[]): readonly SystematicFault[] {
  const heldOut = new Set(ofSeeds(all, heldOutSeeds).map(momentOf));
  return ofSeeds(all, learnedSeeds).filter((fault) => !heldOut.has(momentOf(fault)));
}

/** The faults of a selection that are not learned from, nor almost the same as one that is. */
export function unlearned(
  faults: readonly SystematicFault[],
  all: readonly SystematicFault[],
): readonly SystematicFault[] {
  const learned = new Set(learnedFaults(all).map(momentOf));
  return faults.filter((fault) => !learned.has(momentOf(fault)));
}

/** Faults that spoil the same at the same moment are almost the same, however they do it. */
function momentOf({ piece, trigger }: SystematicFault): string {
  return `${piece} / ${trigger}`;
}

function ofSeeds(all: readonly SystematicFault[], seeds: readonly number[]): readonly SystematicFault[] {
  return [...new Set(seeds.flatMap((seed) => selected(all, { count, seed })))];
}
