import type { RuleEntry } from '../judge/verdicts';
import { scenariosByName } from '../judge/scenario-names';
import { nameRanges } from './name-ranges';

/** Columns that say the same of every rule, shown as one. */
export interface ColumnGroup {
  /** The name of the run; of several runs, that of the first and how many there are. */
  readonly name: string;
  /** All names, those that are numbered in a row as `dut-1 … dut-9`. */
  readonly names: string;
  /** Indices of the columns. */
  readonly members: readonly [number, ...number[]];
}

/** From so many runs on a matrix is folded, and shows letters where it is still as wide. */
export const manyColumns = 8;

/**
 * Groups of the columns that are to be shown as one: those that are equal, where there are many.
 *
 * @param names - one per column
 * @param keys - one per column; columns with another key stay apart
 */
export function foldColumns(names: readonly string[], keys: readonly string[]): ColumnGroup[] {
  const isFolded = names.length >= manyColumns;
  const groups = new Map<string, [number, ...number[]]>();
  keys.forEach((key, index) => {
    const own = isFolded ? key : `${index}`;
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [index]);
    else group.push(index);
  });
  return [...groups.values()].map((members) => {
    const [first = '', ...others] = members.map((index) => names[index] ?? '');
    const name = others.length === 0 ? first : `${first} ×${members.length}`;
    return { name, names: nameRanges([first, ...others]), members };
  });
}

/** What has to be the same in two runs: the verdict, and which scenarios do not behave as the rule says. */
export function essenceOf(cell: RuleEntry | undefined): string {
  const notable = [...(cell ? scenariosByName(cell) : [])].flatMap(([name, { verdict }]) =>
    verdict === 'pass' || verdict === 'not-applicable' ? [] : [[name, verdict]],
  );
  return JSON.stringify([cell?.verdict ?? 'absent', notable]);
}
