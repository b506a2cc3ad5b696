import { oneLine } from '../../catalog/plain-text';
import { dutFacts } from '../evidence/dut-text';
import { countEffectsNotShown } from '../evidence/effect-note';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import { runNames } from '../evidence/run-names';
import { cellVerdictOf, type CellVerdict } from './cell-verdicts';
import { essenceOf, foldColumns, type ColumnGroup } from './fold-columns';
import { countVerdicts, differenceInScenarios } from './row-words';
import { factOf, type ColumnFact } from './run-order';

/** A run as a column. */
export interface Column {
  readonly name: string;
  readonly verdicts: Verdicts;
  /** What is known of the device, in words. */
  readonly facts: readonly string[];
  readonly totals: Readonly<Record<CellVerdict, number>>;
  /** How many of those that conform show no more than that the device accepts what is asked. */
  readonly effectsNotShown: number;
}

/** One rule in all runs. */
export interface MatrixRow {
  readonly id: string;
  readonly page: string;
  readonly section: string;
  readonly title: string;
  /** In the order of the columns; `undefined` where the run had no such rule. */
  readonly cells: readonly (RuleEntry | undefined)[];
  /** Whether the runs say different things of it. */
  readonly differs: boolean;
  /** How many runs say what. */
  readonly counts: Readonly<Record<CellVerdict, number>>;
  /** Why it differs, where all verdicts are the same. */
  readonly why?: string;
}

/** Rules by runs. */
export interface Matrix {
  readonly columns: readonly Column[];
  /** The columns as they are shown: where there are many, those that are equal as one. */
  readonly groups: readonly ColumnGroup[];
  /** In the order of the pages. */
  readonly rows: readonly MatrixRow[];
  /** Whether the first column is what the others are compared with. */
  readonly hasReference: boolean;
  /** Why a difference may not be one of devices, a line each. */
  readonly warnings: readonly string[];
}

/** How runs are put side by side. */
export interface MatrixOptions {
  /** Folders of the runs, which name those that nothing else distinguishes. */
  readonly folders?: readonly string[];
  /** What columns are grouped by: only those that share it are shown as one. */
  readonly by?: ColumnFact | undefined;
  /** Compare the others with the first run. */
  readonly hasReference?: boolean;
}

/** Puts runs side by side. */
export function matrixOf(runs: readonly Verdicts[], options: MatrixOptions = {}): Matrix {
  const { folders = [], by, hasReference = false } = options;
  const names = namesOf(runs, folders, by);
  const byId = runs.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
  const rows = idsInOrder(runs).map((id) => rowOf(byId.map((rules) => rules.get(id))));
  const columns = runs.map((verdicts, index): Column => {
    const totals = countVerdicts(rows.map(({ cells }) => cellVerdictOf(cells[index])));
    const effectsNotShown = countEffectsNotShown(verdicts.rules);
    return { name: names[index] ?? '', verdicts, facts: dutFacts(verdicts.dut), totals, effectsNotShown };
  });
  const keys = runs.map((run, index) =>
    JSON.stringify([
      by && factOf(run, by),
      hasReference && index === 0,
      ...rows.map(({ cells }) => essenceOf(cells[index])),
    ]),
  );
  return { columns, groups: foldColumns(names, keys), rows, hasReference, warnings: warningsOf(columns, rows) };
}

/** The names, each with the fact that it is grouped by. */
function namesOf(runs: readonly Verdicts[], folders: readonly string[], by?: ColumnFact): string[] {
  const names = runNames(runs, folders);
  return by === undefined ? names : names.map((name, index) => withFact(name, runs[index], by));
}

function withFact(name: string, run: Verdicts | undefined, by: ColumnFact): string {
  const fact = oneLine(run === undefined ? '' : factOf(run, by));
  return name.split(' ').includes(fact) ? name : `${fact}: ${name}`;
}

/** What says most about a device comes first. */
const tellingFirst: readonly CellVerdict[] = [
  'violates',
  'blocked',
  'broken',
  'absent',
  'deviates',
  'not-applicable',
  'untested',
  'conforms',
];

/** Rows in which the runs differ, the most severe first, and among those in the order of the pages. */
export function differingRows({ rows }: Matrix): MatrixRow[] {
  const rank = ({ cells }: MatrixRow): number =>
    Math.min(...cells.map((cell) => tellingFirst.indexOf(cellVerdictOf(cell))));
  return rows.filter(({ differs }) => differs).sort((one, other) => rank(one) - rank(other));
}

/** Whether a column says of a rule what that says which the others are compared with. */
export function isAsReference({ hasReference }: Matrix, { cells }: MatrixRow, index: number): boolean {
  return hasReference && index > 0 && essenceOf(cells[index]) === essenceOf(cells[0]);
}

/** `4 of 309 rules differ from sim` */
export function differenceInWords(matrix: Matrix): string {
  const { columns, rows, hasReference } = matrix;
  const from = hasReference ? ` from ${columns[0]?.name ?? ''}` : '';
  return `${differingRows(matrix).length} of ${rows.length} rules differ${from}`;
}

/** The rows of each page. */
export function byPage<Row extends { readonly page: string }>(rows: readonly Row[]): [string, Row[]][] {
  const pages = [...new Set(rows.map(({ page }) => page))];
  return pages.map((page) => [page, rows.filter((row) => row.page === page)]);
}

/** The rules of the first run, and after the last of a page those that only other runs have. */
function idsInOrder(runs: readonly Verdicts[]): string[] {
  const rules = new Map(runs.flatMap((run) => run.rules).map(({ id, page }) => [id, page]));
  const pages = [...new Set(rules.values())];
  return [...rules.keys()].sort(
    (one, other) => pages.indexOf(rules.get(one) ?? '') - pages.indexOf(rules.get(other) ?? ''),
  );
}

function rowOf(cells: readonly (RuleEntry | undefined)[]): MatrixRow {
  const rule = cells.find((cell) => cell !== undefined);
  const { id = '', page = '', section = '', title = '' } = rule ?? {};
  const differs = new Set(cells.map(essenceOf)).size > 1;
  const why = differs ? differenceInScenarios(cells) : undefined;
  const counts = countVerdicts(cells.map(cellVerdictOf));
  return { id, page, section, title, cells, differs, counts, ...(why !== undefined && { why }) };
}

function warningsOf(columns: readonly Column[], rows: readonly MatrixRow[]): string[] {
  const suites = new Set(
    columns.map(
      ({ verdicts: { suite } }) => `${suite.version} (${suite.commit.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1')})`,
    ),
  );
  const lost = columns.flatMap(({ name, verdicts: { dutLost } }) =>
    dutLost === undefined ? [] : [`${name} lost its device: ${dutLost}`],
  );
  const absent = rows.filter(({ cells }) => cells.includes(undefined)).length;
  return [
    ...(suites.size > 1 ? [`the runs are of different states of verbspec: ${[...suites].join(', ')}`] : []),
    ...(absent > 0 ? [`the runs had different rules: ${absent} are absent somewhere`] : []),
    ...lost,
  ];
}
