import { createColors } from 'picocolors';
import { oneLine } from '../../catalog/plain-text';
import { effectNote } from '../evidence/effect-note';
import type { RuleEntry } from '../judge/verdicts';
import { paint, type Layout } from '../summary/summary-layout';
import { wrap } from '../evidence/wrap';
import {
  byPage,
  cellVerdicts,
  differingRows,
  cellVerdictOf,
  type CellVerdict,
  type Matrix,
  type MatrixRow,
} from './matrix';

/** How the text is laid out. */
export interface MatrixTextOptions {
  readonly color: boolean;
  /** Width of the terminal, in characters. */
  readonly columns: number;
  /** Also the rows in which all runs are alike. */
  readonly all: boolean;
}

/** A narrower text is no longer read. */
const textColumnsMin = 30;
const cellColumns = 10;

/** Stands at a cell whose rule has a note, which the totals spell out. */
const noteMark = '*';

const short: Readonly<Record<CellVerdict, string>> = {
  conforms: 'conforms',
  violates: 'violates',
  blocked: 'blocked',
  broken: 'broken',
  deviates: 'deviates',
  'not-applicable': 'n/a',
  untested: 'untested',
  absent: 'absent',
};

/** Rules by runs for a terminal: differences first, the most severe of them on top. */
export function renderMatrix(matrix: Matrix, { all, ...options }: MatrixTextOptions): string {
  const layout = { callsMax: 0, detailsMax: 0, verbose: false, ...options, colors: createColors(options.color) };
  const differences = differingRows(matrix);
  const alike = matrix.rows.filter(({ differs }) => !differs);
  const heading = `${differences.length} of ${matrix.rows.length} rules differ`;
  const hint = !all && alike.length > 0 ? [`${alike.length} rules are alike in all runs; --all shows them`] : [];
  const parts = [
    legend(matrix, layout),
    matrix.warnings.flatMap((warning) =>
      wrap(`Warning: ${oneLine(warning)}`, layout.columns, '', '  ').map((line) => layout.colors.yellow(line)),
    ),
    [
      layout.colors.bold(heading),
      ...(differences.length > 0 ? [headLine(matrix)] : []),
      ...differences.flatMap((row) => rowLines(row, layout)),
    ],
    ...(all ? alikeParts(matrix, alike, layout) : []),
    totals(matrix, layout),
    hint,
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What the numbers above the columns stand for. */
function legend({ columns }: Matrix, layout: Layout): string[] {
  return columns.flatMap(({ name, facts, verdicts: { startedAt } }, index) => [
    ...wrap(`${mark(index)} ${name}`, layout.columns, '', '    ').map((line) => layout.colors.bold(line)),
    ...wrap([...facts, startedAt].join(', '), layout.columns, '    ').map((line) => layout.colors.dim(line)),
  ]);
}

function mark(index: number): string {
  return `[${index + 1}]`;
}

function headLine({ columns }: Matrix): string {
  return columns
    .map((_, index) => mark(index).padEnd(cellColumns))
    .join('')
    .trimEnd();
}

/** Cells first: they are narrow, and the text takes what is left, or the next line. */
function rowLines({ id, title, cells }: MatrixRow, layout: Layout): string[] {
  const width = cells.length * cellColumns;
  const isWide = layout.columns - width >= textColumnsMin;
  const margin = ' '.repeat(isWide ? width : 4);
  const text = [...wrap(id, layout.columns, margin), ...wrap(oneLine(title), layout.columns, margin)];
  const painted = cells.map((cell) => cellText(cell, layout)).join('');
  const [first = '', ...others] = text;
  return isWide ? [painted + first.slice(width), ...others] : [painted.trimEnd(), ...text];
}

function cellText(cell: RuleEntry | undefined, layout: Layout): string {
  const verdict = cellVerdictOf(cell);
  const text = `${short[verdict]}${cell?.effectNotShown ? noteMark : ''}`.padEnd(cellColumns);
  return verdict === 'absent' ? layout.colors.dim(text) : paint(verdict, text, layout);
}

function alikeParts(matrix: Matrix, alike: readonly MatrixRow[], layout: Layout): string[][] {
  return byPage(alike).map(([page, rows]) => [
    layout.colors.bold(oneLine(`${page}(3): ${rows.length} alike`)),
    headLine(matrix),
    ...rows.flatMap((row) => rowLines(row, layout)),
  ]);
}

function totals(matrix: Matrix, layout: Layout): string[] {
  const used = cellVerdicts.filter((verdict) => matrix.columns.some(({ totals: own }) => own[verdict] > 0));
  return [
    layout.colors.bold('Rules'),
    headLine(matrix),
    ...used.map((verdict) => {
      const counts = matrix.columns.map(({ totals: own }) => String(own[verdict]).padEnd(cellColumns)).join('');
      return `${counts}${verdict}`;
    }),
    ...effectTotals(matrix),
  ];
}

function effectTotals({ columns }: Matrix): string[] {
  if (columns.every(({ effectsNotShown }) => effectsNotShown === 0)) return [];
  const counts = columns.map(({ effectsNotShown }) => String(effectsNotShown).padEnd(cellColumns)).join('');
  return [`${counts}conforms${noteMark}: ${effectNote}`];
}
