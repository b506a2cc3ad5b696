import { amiss } from '../judge/match-deviations';
import type { DeviationEntry, Verdicts } from '../judge/verdicts';

/** The entries of the list of deviations that have to be fixed. */
export function deviationEntries({ deviations = [] }: Verdicts): DeviationEntry[] {
  return deviations.filter(({ state }) => amiss.has(state));
}
