import { isSame, reasonKinds, staleEntries, type ArguedMutant, type ReasonKind } from './argued-list';
import type { MutatedFile, Survivor } from './report';

/** Percent of the mutants that features have to kill. */
export const leastScore = 90;

/** How many mutants there were, and what became of them. */
interface Tally extends Readonly<Record<ReasonKind, number>> {
  readonly name: string;
  readonly killed: number;
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
  const total = tallies.reduce(sum, {
    name: 'all',
    killed: 0,
    equivalent: 0,
    allowed: 0,
    open: 0,
  });
  const stale = staleEntries(argued, files);
  const open = openSurvivors(files, argued).map(
    ({ file, lineNumber, code, replacement }) => `${file}:${lineNumber} survived: ${code} => ${replacement}`,
  );
  const lenient = rounded(scoreOf({ ...total, allowed: 0 }));
  const lines = [
    heading,
    ...[...tallies, total].map(rowOf),
    `${lenient} % without the mutants that differ as the pages allow`,
    '',
    ...open,
    ...stale,
  ];
  const isEnough = total.killed > 0 && scoreOf(total) >= leastScore;
  if (!isEnough) lines.push(`the score is below ${leastScore} %: write the scenarios that are missing`);
  if (open.length > 0) lines.push('write a scenario for each survivor, remove the code, or argue it in argued.json');
  return { text: lines.join('\n'), passed: isEnough && open.length === 0 && stale.length === 0 };
}

function tallyOf({ file, killed, survivors }: MutatedFile, argued: readonly ArguedMutant[]): Tally {
  const reasons = survivors.map((mutant) => argued.find((entry) => isSame(entry, mutant))?.why);
  const count = (why: ReasonKind | undefined): number => reasons.filter((each) => each === why).length;
  return { name: file, killed, open: count(undefined), ...byKind(count) };
}

function byKind(count: (kind: ReasonKind) => number): Record<ReasonKind, number> {
  return Object.fromEntries(reasonKinds.map((kind) => [kind, count(kind)])) as Record<ReasonKind, number>;
}

function sum(one: Tally, other: Tally): Tally {
  return {
    name: one.name,
    killed: one.killed + other.killed,
    open: one.open + other.open,
    ...byKind((kind) => one[kind] + other[kind]),
  };
}

/** Percent killed of the mutants that do not behave as the original; a file may have none. */
function scoreOf({ killed, open, allowed }: Tally): number {
  const survived = open + allowed;
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}

const heading = row('file', ['score %', 'killed', 'survived', 'allowed', 'equivalent']);

function rowOf(tally: Tally): string {
  const { name, killed, open, allowed, equivalent } = tally;
  return row(name, [rounded(scoreOf(tally)), killed, open, allowed, equivalent].map(String));
}

/** Never up: what is rounded up to the least score would not be enough. */
function rounded(percent: number): string {
  return (Math.floor(percent * 10) / 10).toFixed(1);
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(32) + cells.map((cell) => cell.padStart(12)).join('');
}

/** Survivors that nobody has argued about. */
export function openSurvivors(files: readonly MutatedFile[], argued: readonly ArguedMutant[]): Survivor[] {
  return files.flatMap(({ survivors }) => survivors).filter((mutant) => !argued.some((entry) => isSame(entry, mutant)));
}
