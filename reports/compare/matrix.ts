import { dutFacts } from '../evidence/dut-text';
import { countEffectsNotShown, effectNote } from '../evidence/effect-note';
import { scenariosByName } from '../judge/scenario-names';
import type { RuleVerdict } from '../../catalog/verdict';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import { runNames } from '../evidence/run-names';

/** What stands in a cell: the verdict, or that the run had no such rule. */
export type CellVerdict = RuleVerdict | 'absent';

/** The verdicts in the order in which totals list them. */
export const cellVerdicts: readonly CellVerdict[] = [
  'conforms',
  'violates',
  'blocked',
  'broken',
  'deviates',
  'not-applicable',
  'untested',
  'absent',
];

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
}

/** Rules by runs. */
export interface Matrix {
  readonly columns: readonly Column[];
  /** In the order of the pages. */
  readonly rows: readonly MatrixRow[];
  /** Why a difference may not be one of devices, a line each. */
  readonly warnings: readonly string[];
}

/** Puts runs side by side. */
export function matrixOf(runs: readonly Verdicts[]): Matrix {
  const names = runNames(runs);
  const byId = runs.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
  const rows = idsInOrder(runs).map((id) => rowOf(byId.map((rules) => rules.get(id))));
  const columns = runs.map((verdicts, index): Column => {
    const totals = totalsOf(rows.map(({ cells }) => cellVerdictOf(cells[index])));
    const effectsNotShown = countEffectsNotShown(verdicts.rules);
    return { name: names[index] ?? '', verdicts, facts: dutFacts(verdicts.dut), totals, effectsNotShown };
  });
  return { columns, rows, warnings: warningsOf(columns, rows) };
}

/** What a cell says. */
export function cellVerdictOf(cell: RuleEntry | undefined): CellVerdict {
  return cell?.verdict ?? 'absent';
}

/** What a cell says, with what there is to note of it. */
export function cellWords(cell: RuleEntry | undefined): string {
  return cell?.effectNotShown ? `${cell.verdict}: ${effectNote}` : cellVerdictOf(cell);
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

/** The rows of each page. */
export function byPage(rows: readonly MatrixRow[]): [string, MatrixRow[]][] {
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
  const differs = new Set(cells.map(essence)).size > 1;
  return { id, page, section, title, cells, differs };
}

/** What has to be the same in all runs: the verdict, and which scenarios do not behave as the rule says. */
function essence(cell: RuleEntry | undefined): string {
  const notable = [...(cell ? scenariosByName(cell) : [])].flatMap(([name, { verdict }]) =>
    verdict === 'pass' || verdict === 'not-applicable' ? [] : [[name, verdict]],
  );
  return JSON.stringify([cellVerdictOf(cell), notable]);
}

function totalsOf(verdicts: readonly CellVerdict[]): Record<CellVerdict, number> {
  const count = (wanted: CellVerdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  return Object.fromEntries(cellVerdicts.map((verdict) => [verdict, count(verdict)])) as Record<CellVerdict, number>;
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
