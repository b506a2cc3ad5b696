import type { RuleEntry } from '../judge/verdicts';
import { scenariosByName } from '../judge/scenario-names';
import { manyColumns } from './fold-columns';
import { cellVerdicts, type CellVerdict } from './cell-verdicts';

/** Scenarios that are listed one by one. */
const scenariosMax = 3;

const plural: Readonly<Record<CellVerdict, string>> = {
  conforms: 'conform',
  violates: 'violate',
  blocked: 'blocked',
  broken: 'broken',
  deviates: 'deviate',
  'not-applicable': 'not-applicable',
  untested: 'untested',
  absent: 'absent',
};

/** `47 conform, 1 deviates` */
export function countsInWords(counts: Readonly<Record<CellVerdict, number>>): string {
  const used = cellVerdicts.filter((verdict) => counts[verdict] > 0);
  return used.map((verdict) => `${counts[verdict]} ${counts[verdict] === 1 ? verdict : plural[verdict]}`).join(', ');
}

/** What is to be known of a row, as the cells do not say it: how many of many runs say what, and why runs differ. */
export function notesOn(row: NotedRow, runs: number): string[] {
  const { differs, counts, why } = row;
  const isMany = differs && runs >= manyColumns;
  return [...(isMany ? [countsInWords(counts)] : []), ...(why === undefined ? [] : [why])];
}

interface NotedRow {
  readonly differs: boolean;
  readonly counts: Readonly<Record<CellVerdict, number>>;
  readonly why?: string;
}

/** How often there is each verdict. */
export function countVerdicts(verdicts: readonly CellVerdict[]): Record<CellVerdict, number> {
  const count = (wanted: CellVerdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  return Object.fromEntries(cellVerdicts.map((verdict) => [verdict, count(verdict)])) as Record<CellVerdict, number>;
}

/**
 * Why runs differ that have the same verdict on a rule: the scenarios that came to something else in some of them, with
 * the number of runs. Nothing where the verdicts differ.
 */
export function differenceInScenarios(cells: readonly (RuleEntry | undefined)[]): string | undefined {
  const present = cells.flatMap((cell) => cell ?? []);
  if (present.length < cells.length || new Set(present.map(({ verdict }) => verdict)).size !== 1) return undefined;
  const byName = present.map(scenariosByName);
  const names = [...new Set(byName.flatMap((scenarios) => [...scenarios.keys()]))];
  const told = names.flatMap((name) => {
    const verdicts = byName.map((scenarios) => scenarios.get(name)?.verdict ?? 'absent');
    const different = [...new Set(verdicts)];
    if (different.length === 1) return [];
    const counts = different.map((each) => `${each} ${verdicts.filter((verdict) => verdict === each).length}×`);
    return [`"${name}" ${counts.join(', ')}`];
  });
  if (told.length === 0) return undefined;
  const more = told.length > scenariosMax ? [`and ${told.length - scenariosMax} more`] : [];
  return `other scenarios: ${[...told.slice(0, scenariosMax), ...more].join('; ')}`;
}
