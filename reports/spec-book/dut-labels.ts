import { runNames } from '../run-names';
import type { Verdicts } from '../verdicts';

/** What the DUT of each run is called beside a rule: its driver, or its full name where another has the same driver. */
export function dutLabels(runs: readonly Verdicts[]): string[] {
  const names = runNames(runs);
  return runs.map(({ driver }, index) => {
    const isOnly = runs.filter((other) => other.driver === driver).length === 1;
    return isOnly ? driver : (names[index] ?? driver);
  });
}
