import { createColors } from 'picocolors';
import { oneLine } from '../../catalog/plain-text';
import { effectNote } from '../evidence/effect-note';
import { wrap } from '../evidence/wrap';
import type { Layout } from '../summary/summary-layout';
import { cellVerdicts } from './cell-verdicts';
import { byPage, differenceInWords, differingRows, type Column, type Matrix, type MatrixRow } from './matrix';
import { notesOn } from './row-words';
import { cellsText, countsText, headLines, noteMark, textColumns, type TextColumns } from './text-columns';
import { legend } from './text-legend';

/** How the text is laid out. */
export interface MatrixTextOptions {
  readonly color: boolean;
  /** Width of the terminal, in characters. */
  readonly columns: number;
  /** Also the rows in which all runs are alike. */
  readonly all: boolean;
}

/** Rules by runs for a terminal: differences first, the most severe of them on top. */
export function renderMatrix(matrix: Matrix, { all, ...options }: MatrixTextOptions): string {
  const layout = { callsMax: 0, detailsMax: 0, verbose: false, ...options, colors: createColors(options.color) };
  const tables = textColumns(matrix, layout.columns);
  const hasWords = tables.every((table) => table.hasWords);
  const alike = matrix.rows.filter(({ differs }) => !differs);
  const hint =
    !all && alike.length > 0
      ? wrap(`${alike.length} rules are alike in all runs; --all shows them`, layout.columns)
      : [];
  const parts = [
    legend(matrix, hasWords, layout),
    matrix.warnings.flatMap((warning) =>
      wrap(`Warning: ${oneLine(warning)}`, layout.columns, '', '  ').map((line) => layout.colors.yellow(line)),
    ),
    ...tables.map((table, index) => [
      ...(index === 0 ? wrap(differenceInWords(matrix), layout.columns).map(layout.colors.bold) : []),
      ...tableLines(matrix, differingRows(matrix), table, layout),
    ]),
    ...(all ? tables.flatMap((table) => alikeParts(matrix, alike, table, layout)) : []),
    hasWords ? totals(matrix, tables, layout) : [],
    hint,
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function tableLines(matrix: Matrix, rows: readonly MatrixRow[], table: TextColumns, layout: Layout): string[] {
  return rows.length === 0 ? [] : [...headLines(table), ...rows.flatMap((row) => rowLines(matrix, row, table, layout))];
}

/** Cells first: they are narrow, and the text takes what is left, or the next line. */
function rowLines(matrix: Matrix, row: MatrixRow, table: TextColumns, layout: Layout): string[] {
  const { width, isBeside } = table;
  const margin = ' '.repeat(isBeside ? width : 4);
  const [first = '', ...others] = [
    ...wrap(row.id, layout.columns, margin),
    ...wrap(oneLine(row.title), layout.columns, margin),
    ...notesOn(row, matrix.columns.length).flatMap((note) =>
      wrap(oneLine(note), layout.columns, margin).map(layout.colors.dim),
    ),
  ];
  const painted = cellsText(matrix, row, table, layout);
  return isBeside ? [painted + first.slice(width), ...others] : [painted.trimEnd(), first, ...others];
}

function alikeParts(matrix: Matrix, alike: readonly MatrixRow[], table: TextColumns, layout: Layout): string[][] {
  return byPage(alike).map(([page, rows]) => [
    ...wrap(oneLine(`${page}(3): ${rows.length} alike`), layout.columns).map(layout.colors.bold),
    ...tableLines(matrix, rows, table, layout),
  ]);
}

function totals(matrix: Matrix, tables: readonly TextColumns[], layout: Layout): string[] {
  const shown = matrix.groups.flatMap(({ members: [first] }) => matrix.columns[first] ?? []);
  const used = cellVerdicts.filter((verdict) => shown.some(({ totals: own }) => own[verdict] > 0));
  return [
    layout.colors.bold('Rules'),
    ...tables.flatMap(headLines),
    ...used.flatMap((verdict) => labelled(countsText(shown.map(({ totals: own }) => own[verdict])), verdict, layout)),
    ...effectTotals(shown, layout),
  ];
}

function effectTotals(columns: readonly Column[], layout: Layout): string[] {
  if (columns.every(({ effectsNotShown }) => effectsNotShown === 0)) return [];
  const counts = countsText(columns.map(({ effectsNotShown }) => effectsNotShown));
  return labelled(counts, `conforms${noteMark}: ${effectNote}`, layout);
}

/** Counts with what they count, or below it where there is no room beside them. */
function labelled(counts: string, label: string, { columns }: Layout): string[] {
  const line = `${counts}${label}`;
  return line.length <= columns ? [line] : [...wrap(label, columns, '    '), counts.trimEnd()];
}
