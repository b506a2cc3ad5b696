import { oneLine } from '../../catalog/plain-text';
import type { Explanation } from '../../reports/diagnosis/diagnose';

/** How right a first cause is; those after `rule named first` are wrong. A rule in common is not enough: some faults break many. */
export const verdicts = [
  ...(['same fault', 'same rules', 'same failures', 'same verb and part', 'same verb and member'] as const),
  ...(['same state', 'about what is spoiled', 'rule named first'] as const),
  ...(['a rule in common', 'wrong', 'like no known fault'] as const),
] as const;
export type Verdict = (typeof verdicts)[number];

const wrong: ReadonlySet<Verdict> = new Set(['a rule in common', 'wrong', 'like no known fault']);

/** What a fault was taken for. */
export interface Diagnosed {
  readonly name: string;
  /** Of which kind the fault is: a column of the table. */
  readonly kind: string;
  /** How many scenarios fail. */
  readonly fails: number;
  readonly first: Explanation | undefined;
  readonly verdict: Verdict;
}

/** Those that are not right, a line each, then how many have which verdict. */
export function tableOf(all: readonly Diagnosed[]): string[] {
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const columns = [all, ...kinds.map((kind) => all.filter((one) => one.kind === kind))];
  const titles = ['all', ...kinds].map((title) => title.padStart(width)).join('');
  return [
    ...all.filter(({ verdict }) => wrong.has(verdict)).map(lineOf),
    `${'first cause'.padEnd(width)}${titles}`,
    ...verdicts.map((verdict) => rowOf(verdict, columns, (one) => one.verdict === verdict)),
    rowOf('right', columns, isRight),
  ];
}

/** Which part of them is right. */
export function rightShare(all: readonly Diagnosed[]): number {
  return all.filter(isRight).length / Math.max(1, all.length);
}

const width = 24;

function isRight({ verdict }: Diagnosed): boolean {
  return !wrong.has(verdict);
}

function lineOf({ name, fails, first, verdict }: Diagnosed): string {
  const taken =
    first === undefined ? '' : `: ${first.state?.name ?? first.faults[0]?.name ?? ''}, ${first.rules[0] ?? ''}`;
  return oneLine(`${verdict}: ${name} (${fails} scenarios)${taken}`);
}

function rowOf(title: string, columns: readonly (readonly Diagnosed[])[], counts: (one: Diagnosed) => boolean): string {
  const cells = columns.map((column) => {
    const count = column.filter(counts).length;
    return `${count} (${((100 * count) / Math.max(1, column.length)).toFixed(1)} %)`.padStart(width);
  });
  return `${title.padEnd(width)}${cells.join('')}`;
}
