import type { RuleEntry } from '../judge/verdicts';
import { paint, type Layout } from '../summary/summary-layout';
import { cellLetters, cellVerdictOf, type CellVerdict } from './cell-verdicts';
import { manyColumns } from './fold-columns';
import { isAsReference, type Matrix, type MatrixRow } from './matrix';

/** A narrower text is no longer read. */
const textColumnsMin = 30;
const cellColumns = 10;
/** Letters stand in groups of so many. */
const lettersInGroup = 10;

/** Stands at a cell whose rule has a note, which the totals spell out. */
export const noteMark = '*';

const short: Readonly<Record<CellVerdict, string>> = {
  conforms: 'conforms',
  violates: 'violates',
  blocked: 'blocked',
  broken: 'broken',
  deviates: 'deviates',
  'not-applicable': 'not appl.',
  untested: 'untested',
  absent: 'absent',
};

/** How the cells of a table are laid out: those of the columns that fit side by side. */
export interface TextColumns {
  /** Words of ten characters, or letters. */
  readonly hasWords: boolean;
  /** Places of the columns in the matrix, in the order in which they stand. */
  readonly places: readonly number[];
  /** Characters that the cells take. */
  readonly width: number;
  /** Whether the text has room on the right of the cells. */
  readonly isBeside: boolean;
}

/** The columns of a matrix, in as many tables as it takes to be no wider than the terminal. */
export function textColumns({ groups }: Matrix, columns: number): TextColumns[] {
  const hasWords = groups.length < manyColumns && groups.length * cellColumns <= columns;
  const all = groups.map((_, place) => place);
  const size = hasWords ? Math.max(1, all.length) : lettersThatFit(columns);
  const tables = Array.from({ length: Math.ceil(all.length / size) }, (_, table) =>
    all.slice(table * size, (table + 1) * size),
  );
  return tables.map((places) => {
    const width = hasWords ? places.length * cellColumns : lettersWidth(places.length) + 2;
    return { hasWords, places, width, isBeside: columns - width >= textColumnsMin };
  });
}

function lettersWidth(count: number): number {
  return count + Math.floor((count - 1) / lettersInGroup);
}

/** A multiple of the groups, so that tables begin with one. */
function lettersThatFit(columns: number): number {
  const fitting = Math.floor((columns + 1) / (lettersInGroup + 1)) * lettersInGroup;
  return Math.max(1, fitting > 0 ? fitting : columns);
}

/** What stands before the name of a column, and above its cells. */
export function columnMark(place: number): string {
  return `[${place + 1}]`;
}

/** The lines above the cells: marks, or numbers whose digits stand one below the other. */
export function headLines({ hasWords, places }: TextColumns): string[] {
  if (hasWords)
    return [
      places
        .map((place) => columnMark(place).padEnd(cellColumns))
        .join('')
        .trimEnd(),
    ];
  const numbers = places.map((place) => `${place + 1}`);
  const digits = Math.max(...numbers.map(({ length }) => length));
  return Array.from({ length: digits }, (_, line) =>
    spaced(numbers.map((number) => number.padStart(digits)[line] ?? ' ')).trimEnd(),
  );
}

/** The cells of a row, as wide as the columns say. */
export function cellsText(matrix: Matrix, row: MatrixRow, columns: TextColumns, layout: Layout): string {
  const cells = columns.places.map((place) => {
    const [index = 0] = matrix.groups[place]?.members ?? [];
    const cell = row.cells[index];
    const text = isAsReference(matrix, row, index)
      ? '='
      : columns.hasWords
        ? cellText(cell)
        : cellLetters[cellVerdictOf(cell)];
    return painted(cell, columns.hasWords ? text.padEnd(cellColumns) : text, text === '=', layout);
  });
  return columns.hasWords ? cells.join('') : `${spaced(cells)}  `;
}

function cellText(cell: RuleEntry | undefined): string {
  return `${short[cellVerdictOf(cell)]}${cell?.effectNotShown ? noteMark : ''}`;
}

function painted(cell: RuleEntry | undefined, text: string, isDim: boolean, layout: Layout): string {
  const verdict = cellVerdictOf(cell);
  return verdict === 'absent' || isDim ? layout.colors.dim(text) : paint(verdict, text, layout);
}

function spaced(cells: readonly string[]): string {
  return cells.map((cell, index) => (index > 0 && index % lettersInGroup === 0 ? ` ${cell}` : cell)).join('');
}

/** A count below each column. */
export function countsText(counts: readonly number[]): string {
  return counts.map((count) => String(count).padEnd(cellColumns)).join('');
}
