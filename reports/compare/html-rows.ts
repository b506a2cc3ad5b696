import { effectNote } from '../evidence/effect-note';
import type { RuleEntry } from '../judge/verdicts';
import { cellVerdictOf, cellVerdicts, cellWords, type CellVerdict } from './cell-verdicts';
import type { EvidenceLinks } from './evidence-links';
import { isAsReference, type Matrix, type MatrixRow } from './matrix';
import { nameRanges } from './name-ranges';
import { notesOn } from './row-words';

/** A rule as the page shows it. */
export interface HtmlRow {
  readonly id: string;
  readonly page: string;
  readonly section: string;
  readonly title: string;
  readonly notes: readonly string[];
  /** All that there are, for the filter. */
  readonly verdicts: string;
  /** One per group of columns. */
  readonly cells: readonly HtmlCell[];
  readonly groups: readonly EvidenceGroup[];
}

interface HtmlCell {
  readonly verdict: CellVerdict;
  /** Id of what it leads to. */
  readonly evidence: string;
  readonly isAsReference: boolean;
  readonly note: string | undefined;
}

/** Runs that say the very same of a rule, shown once. */
interface EvidenceGroup {
  readonly id: string;
  readonly names: string;
  readonly runs: readonly number[];
  readonly verdict: CellVerdict;
  readonly reason: string | undefined;
  readonly effectNotShown: boolean;
  readonly scenarios: readonly ScenarioEvidence[];
}

interface ScenarioEvidence {
  readonly name: string;
  readonly place: string;
  readonly verdict: string;
  readonly detail: string | undefined;
  readonly traces: readonly { readonly name: string; readonly address: string }[];
}

/** A row of the page, with the evidence that its cells lead to. */
export function htmlRow(row: MatrixRow, matrix: Matrix, links: readonly EvidenceLinks[]): HtmlRow {
  const { id, page, section, title, counts, cells } = row;
  const groups = groupsOf(row, matrix, links);
  return {
    id,
    page,
    section,
    title,
    notes: notesOn(row, matrix.columns.length),
    verdicts: cellVerdicts.filter((verdict) => counts[verdict] > 0).join(' '),
    cells: matrix.groups.map(({ members: [index] }): HtmlCell => {
      return {
        verdict: cellVerdictOf(cells[index]),
        evidence: groups.find(({ runs }) => runs.includes(index))?.id ?? id,
        isAsReference: isAsReference(matrix, row, index),
        note: cells[index]?.effectNotShown ? effectNote : undefined,
      };
    }),
    groups,
  };
}

function groupsOf(row: MatrixRow, { columns }: Matrix, links: readonly EvidenceLinks[]): EvidenceGroup[] {
  const same = new Map<string, number[]>();
  row.cells.forEach((cell, index) => {
    const key = observationsOf(cell);
    same.set(key, [...(same.get(key) ?? []), index]);
  });
  const names = columns.map(({ name }) => name);
  return [...same.values()].map((runs, place) => {
    const cell = row.cells[runs[0] ?? 0];
    return {
      id: `${row.id}--${place + 1}`,
      names: nameRanges(runs.map((index) => names[index] ?? '')),
      runs,
      verdict: cellVerdictOf(cell),
      reason: cell?.reason,
      effectNotShown: cell?.effectNotShown === true,
      scenarios: scenariosOf(row, runs, names, links),
    };
  });
}

/** What two runs must share to be shown together. */
function observationsOf(cell: RuleEntry | undefined): string {
  const scenarios = cell?.scenarios.map(({ name, uri, verdict, detail }) => [name, uri, verdict, detail]);
  return JSON.stringify([cellWords(cell), cell?.reason, scenarios]);
}

function scenariosOf(
  row: MatrixRow,
  runs: readonly number[],
  names: readonly string[],
  links: readonly EvidenceLinks[],
): ScenarioEvidence[] {
  const own = row.cells[runs[0] ?? 0]?.scenarios ?? [];
  return own.map(({ name, uri, line, verdict, detail }, place) => {
    const traces = runs.flatMap((run) => {
      const scenario = row.cells[run]?.scenarios[place];
      const address = scenario && links[run]?.traceOf(scenario);
      return address === undefined ? [] : [{ name: names[run] ?? '', address }];
    });
    return { name, place: `${uri}:${line}`, verdict, detail, traces };
  });
}
