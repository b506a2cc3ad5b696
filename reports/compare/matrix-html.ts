import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { plainText } from '../../catalog/plain-text';
import { effectNote } from '../evidence/effect-note';
import type { RuleEntry } from '../judge/verdicts';
import type { EvidenceLinks } from './evidence-links';
import { byPage, cellVerdicts, differingRows, cellVerdictOf, cellWords, type Matrix, type MatrixRow } from './matrix';

/** Runs that say the very same of a rule, shown once. */
interface EvidenceGroup {
  readonly runs: readonly { readonly name: string; readonly index: number }[];
  readonly verdict: string;
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

const template = readFileSync(join(__dirname, 'matrix.eta'), 'utf8');

/**
 * Rules by runs as one page that needs nothing beside itself: every cell leads to what was expected and observed, and on
 * to the recorded calls and the Allure report of the run. What comes from devices and logs is escaped.
 */
export function matrixHtml(matrix: Matrix, links: readonly EvidenceLinks[]): string {
  const { columns, rows, warnings } = matrix;
  const differences = differingRows(matrix);
  const alike = rows.filter(({ differs }) => !differs);
  const used = cellVerdicts.filter((verdict) => columns.some(({ totals }) => totals[verdict] > 0));
  return new Eta({ autoEscape: true, autoFilter: true, filterFunction: toText }).renderString(template, {
    columns: columns.map((column, index) => ({ ...column, report: links[index]?.report })),
    warnings,
    used,
    total: rows.length,
    differences,
    alike: byPage(alike),
    evidence: [...differences, ...alike].map((row) => ({ ...row, groups: groupsOf(row, matrix, links) })),
    cellVerdictOf,
    effectNote,
    noted: columns.some(({ effectsNotShown }) => effectsNotShown > 0),
  });
}

/** What eta is given before it escapes: no control characters reach a page. */
function toText(value: unknown): string {
  return plainText(typeof value === 'number' ? `${value}` : (value as string));
}

function groupsOf(row: MatrixRow, { columns }: Matrix, links: readonly EvidenceLinks[]): EvidenceGroup[] {
  const same = new Map<string, number[]>();
  row.cells.forEach((cell, index) => {
    const key = observationsOf(cell);
    same.set(key, [...(same.get(key) ?? []), index]);
  });
  return [...same.values()].map((indices) => {
    const cell = row.cells[indices[0] ?? 0];
    const runs = indices.map((index) => ({ name: columns[index]?.name ?? '', index }));
    return {
      runs,
      verdict: cellVerdictOf(cell),
      reason: cell?.reason,
      effectNotShown: cell?.effectNotShown === true,
      scenarios: scenariosOf(row, indices, runs, links),
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
  indices: readonly number[],
  runs: EvidenceGroup['runs'],
  links: readonly EvidenceLinks[],
): ScenarioEvidence[] {
  const own = row.cells[indices[0] ?? 0]?.scenarios ?? [];
  return own.map(({ name, uri, line, verdict, detail }, place) => {
    const traces = runs.flatMap((run) => {
      const scenario = row.cells[run.index]?.scenarios[place];
      const address = scenario && links[run.index]?.traceOf(scenario);
      return address === undefined ? [] : [{ name: run.name, address }];
    });
    return { name, place: `${uri}:${line}`, verdict, detail, traces };
  });
}
