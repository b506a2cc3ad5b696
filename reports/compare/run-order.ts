import { parse } from 'node:path';
import type { Verdicts } from '../judge/verdicts';

/** What columns can be grouped by. */
export const columnFacts = ['provider', 'kernel', 'firmware', 'driver'] as const;

export type ColumnFact = (typeof columnFacts)[number];

const values: Readonly<Record<ColumnFact, (run: Verdicts) => string | undefined>> = {
  provider: ({ dut }) => dut.provider,
  kernel: ({ dut }) => /^\d+\.\d+/.exec(dut.kernel ?? '')?.[0] ?? dut.kernel,
  firmware: ({ dut }) => dut.fwVer,
  driver: ({ driver }) => parse(driver).name,
};

/** What a run was made with, as columns are grouped by it. */
export function factOf(run: Verdicts, fact: ColumnFact): string {
  return values[fact](run) ?? 'unknown';
}

/** A run with the path that the user names it by. */
interface PlacedRun {
  readonly folder: string;
  readonly verdicts: Verdicts;
}

const natural = new Intl.Collator('en', { numeric: true });

/**
 * Runs in the order of their columns: as the user names them; those of a shell pattern, which come in the order of
 * characters, with numbers in the order of numbers: `dut-2` before `dut-10`. A fact to group by comes first.
 */
export function inColumnOrder<Run extends PlacedRun>(runs: readonly Run[], by?: ColumnFact): Run[] {
  const ordered = isOfPattern(runs)
    ? [...runs].sort((one, other) => natural.compare(one.folder, other.folder))
    : [...runs];
  if (by === undefined) return ordered;
  return ordered.sort((one, other) => natural.compare(factOf(one.verdicts, by), factOf(other.verdicts, by)));
}

/** Whether the runs are in an order that a shell brings what matches a pattern into. */
function isOfPattern(runs: readonly PlacedRun[]): boolean {
  const folders = runs.map(({ folder }) => folder);
  const isSorted = (compare?: (one: string, other: string) => number): boolean =>
    [...folders].sort(compare).every((folder, index) => folder === folders[index]);
  return isSorted() || isSorted((one, other) => one.localeCompare(other));
}
