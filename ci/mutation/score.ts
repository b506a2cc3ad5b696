import { isSame, staleEntries, type ArguedMutant } from './argued-list';
import type { MutatedFile, Survivor } from './report';

/** Percent of the mutants that features have to kill. */
export const leastScore = 90;

/** How many mutants there were, and what became of them. */
interface Tally {
  readonly name: string;
  readonly killed: number;
  readonly equivalent: number;
  readonly outside: number;
  /** Survivors that nobody has argued about. */
  readonly open: number;
}

export interface Judgement {
  readonly text: string;
  readonly passed: boolean;
}

/** The mutation score of each file and of all of them, and whether it is enough. */
export function judge(files: readonly MutatedFile[], argued: readonly ArguedMutant[]): Judgement {
  const tallies = files.map((file) => tallyOf(file, argued));
  const total = tallies.reduce(sum, { name: 'all', killed: 0, equivalent: 0, outside: 0, open: 0 });
  const stale = staleEntries(argued, files);
  const open = openSurvivors(files, argued).map(
    ({ file, lineNumber, code, replacement }) => `${file}:${lineNumber} survived: ${code} => ${replacement}`,
  );
  const strict = `${percent(scoreOf({ ...total, open: total.open + total.outside }))} % with those outside the pages`;
  const lines = [heading, ...[...tallies, total].map(rowOf), strict, '', ...open, ...stale];
  const isEnough = total.killed > 0 && scoreOf(total) >= leastScore;
  if (!isEnough) lines.push(`the score is below ${leastScore} %: write the scenarios that are missing`);
  return { text: lines.join('\n'), passed: isEnough && stale.length === 0 };
}

function tallyOf({ file, killed, survivors }: MutatedFile, argued: readonly ArguedMutant[]): Tally {
  const reasons = survivors.map((mutant) => argued.find((entry) => isSame(entry, mutant))?.why);
  const count = (why: ArguedMutant['why'] | undefined): number => reasons.filter((each) => each === why).length;
  const counts = { equivalent: count('equivalent'), outside: count('outside'), open: count(undefined) };
  return { name: file, killed, ...counts };
}

function sum(one: Tally, other: Tally): Tally {
  return {
    name: one.name,
    killed: one.killed + other.killed,
    equivalent: one.equivalent + other.equivalent,
    outside: one.outside + other.outside,
    open: one.open + other.open,
  };
}

/** Percent killed of the mutants that nobody has argued about; a file may have nothing to kill. */
function scoreOf({ killed, open }: Tally): number {
  return killed + open === 0 ? 100 : (100 * killed) / (killed + open);
}

const heading = row('file', ['score %', 'killed', 'survived', 'equivalent', 'outside the pages']);

function rowOf(tally: Tally): string {
  const { name, killed, open, equivalent, outside } = tally;
  return row(name, [percent(scoreOf(tally)), killed, open, equivalent, outside].map(String));
}

function percent(score: number): string {
  return (Math.floor(score * 10) / 10).toFixed(1);
}

function row(name: string, cells: readonly string[]): string {
  const widths = [9, 8, 10, 12, 19];
  return name.padEnd(34) + cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('');
}

/** Survivors that nobody has argued about. */
export function openSurvivors(files: readonly MutatedFile[], argued: readonly ArguedMutant[]): Survivor[] {
  return files.flatMap(({ survivors }) => survivors).filter((mutant) => !argued.some((entry) => isSame(entry, mutant)));
}
