import { wrap } from '../evidence/wrap';
import type { Layout } from '../summary/summary-layout';
import { cellLetters, cellVerdicts } from './cell-verdicts';
import type { ColumnGroup } from './fold-columns';
import type { Column, Matrix } from './matrix';
import { countsInWords } from './row-words';
import { columnMark } from './text-columns';

/** What the numbers above the columns stand for: each run with its device, or, where there are many, what they share once. */
export function legend(matrix: Matrix, hasWords: boolean, layout: Layout): string[] {
  const { columns, groups } = matrix;
  const isShort = !hasWords || groups.length < columns.length;
  const shared = isShort ? sharedFacts(columns) : [];
  return [
    ...(shared.length > 0
      ? lines(`all ${columns.length} runs: ${shared.join(', ')}`, layout, '').map(layout.colors.dim)
      : []),
    ...groups.flatMap((group, place) => groupLines(matrix, group, place, { isShort, shared }, layout)),
    ...(hasWords ? [] : lines(lettersInWords(columns), layout, '')),
  ];
}

interface LegendStyle {
  readonly isShort: boolean;
  /** What need not be said of each. */
  readonly shared: readonly string[];
}

function groupLines(
  { columns }: Matrix,
  { names, members }: ColumnGroup,
  place: number,
  { isShort, shared }: LegendStyle,
  layout: Layout,
): string[] {
  const own = members.flatMap((index) => columns[index] ?? []);
  const [first] = own;
  if (first === undefined) return [];
  const count = own.length === 1 ? '' : ` ${own.length} runs:`;
  const facts = sharedFacts(own).filter((fact) => !shared.includes(fact));
  if (isShort && own.length === 1) {
    const text = [countsInWords(first.totals), ...facts].join(', ');
    return lines(`${columnMark(place)} ${names}: ${text}`, layout, '');
  }
  const details = isShort ? [countsInWords(first.totals), ...facts] : [...facts, first.verdicts.startedAt];
  return [
    ...lines(`${columnMark(place)}${count} ${names}`, layout, '').map(layout.colors.bold),
    ...lines(details.join(', '), layout, '    ').map(layout.colors.dim),
  ];
}

function lines(text: string, { columns }: Layout, indent: string): string[] {
  return wrap(text, columns, indent, '    ');
}

/** What is known of all of the devices alike. */
export function sharedFacts(columns: readonly Column[]): string[] {
  const [first, ...others] = columns;
  return (first?.facts ?? []).filter((fact) => others.every(({ facts }) => facts.includes(fact)));
}

/** `c conforms, V violates`, of the verdicts that there are. */
export function lettersInWords(columns: readonly Column[]): string {
  const used = cellVerdicts.filter((verdict) => columns.some(({ totals }) => totals[verdict] > 0));
  return used.map((verdict) => `${cellLetters[verdict]} ${verdict}`).join(', ');
}
