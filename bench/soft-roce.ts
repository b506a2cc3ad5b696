/**
 * Compares, in VMs alike, the time of a scenario on soft-RoCE with the time of a test of pyverbs' own suite, which is the
 * tests/ folder of rdma-core: `npm run bench:soft-roce [-- KERNEL [ROUNDS]]`. Both run in turn, each in a VM of its own.
 *
 * Times are from before the set-up until after the clean-up of a test. What was skipped or not applicable is left out. A
 * failed scenario may last until a wait has run out, so the passed ones are shown by themselves too.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { HarnessError } from '../drivers/contract';
import { parseVerdicts, scenariosOf } from '../reports/verdicts';
import { runPyverbs, unpackPyverbs } from './pyverbs';

const root = join(__dirname, '..');
const outFolder = join(root, 'reports', 'out', 'bench-soft-roce');
const kernelUsually = '6.1';
const roundsUsually = 3;

/** A test or scenario that ran. */
interface Timed {
  readonly passed: boolean;
  readonly durationMs: number;
}

/** What is told of the tests of one run. */
interface Summary {
  readonly ranCount: number;
  readonly ranSeconds: number;
  readonly meanMs: number;
  readonly medianMs: number;
  readonly passedCount: number;
  readonly passedMeanMs: number;
  readonly passedMedianMs: number;
}

interface Round {
  readonly pyverbs: Summary;
  readonly verbspec: Summary;
}

async function main([kernel = kernelUsually, rounds = `${roundsUsually}`]: readonly string[]): Promise<void> {
  const tree = await unpackPyverbs(tell);
  const samples: Round[] = [];
  for (let round = 1; round <= Number(rounds); round++) {
    tell(`round ${round} of ${rounds}: pyverbs`);
    const pyverbs = summaryOf(await pyverbsTests(kernel, tree));
    tell(`round ${round} of ${rounds}: verbspec`);
    samples.push({ pyverbs, verbspec: summaryOf(scenarios(kernel)) });
  }
  process.stdout.write(`${render(samples)}\n`);
}

async function pyverbsTests(kernel: string, tree: string): Promise<readonly Timed[]> {
  const tests = await runPyverbs(kernel, tree, tell);
  return tests
    .filter(({ outcome }) => outcome !== 'skipped')
    .map(({ outcome, durationMs }) => ({ passed: outcome === 'passed', durationMs }));
}

function scenarios(kernel: string): readonly Timed[] {
  const options = ['run', '--driver', 'soft-roce', '--kernel', kernel, '--out', outFolder];
  const { status } = spawnSync(process.execPath, [join(root, 'cli', 'verbspec.js'), ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // That rules are violated is no matter here.
  if (status !== 0 && status !== 1) throw new HarnessError(`verbspec run ended with ${status}`);
  return scenariosOf(parseVerdicts(readFileSync(join(outFolder, 'verdicts.json'), 'utf8')))
    .filter(({ verdict }) => verdict !== 'not-applicable')
    .map(({ verdict, durationMs }) => ({ passed: verdict === 'pass', durationMs }));
}

function summaryOf(tests: readonly Timed[]): Summary {
  const all = tests.map(({ durationMs }) => durationMs);
  const passed = tests.filter((test) => test.passed).map(({ durationMs }) => durationMs);
  return {
    ranCount: all.length,
    ranSeconds: sum(all) / 1000,
    meanMs: mean(all),
    medianMs: median(all),
    passedCount: passed.length,
    passedMeanMs: mean(passed),
    passedMedianMs: median(passed),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}

const head = ['round', 'suite', 'ran', 's', 'mean ms', 'median ms', 'passed', 'mean ms', 'median ms'];
const timeKeys = ['meanMs', 'medianMs', 'passedMeanMs', 'passedMedianMs'] as const;
type Times = Readonly<Record<(typeof timeKeys)[number], number>>;

function render(rounds: readonly Round[]): string {
  const table = new Table({
    head,
    colAligns: ['left', 'left', ...head.slice(2).map(() => 'right' as const)],
    style: { head: [], border: [] },
  });
  rounds.forEach(({ pyverbs, verbspec }, index) => {
    table.push([index + 1, 'pyverbs', ...cells(pyverbs)], ['', 'verbspec', ...cells(verbspec)]);
    table.push(['', 'ratio', ...ratioCells(ratio({ pyverbs, verbspec }))]);
  });
  table.push(['median', 'ratio', ...ratioCells(medianRatio(rounds.map(ratio)))]);
  return table.toString();
}

function cells(summary: Summary): string[] {
  const { ranCount, ranSeconds, passedCount } = summary;
  const [meanMs, medianMs, ...ofPassed] = timeKeys.map((key) => summary[key].toFixed(0));
  return [`${ranCount}`, ranSeconds.toFixed(1), meanMs ?? '', medianMs ?? '', `${passedCount}`, ...ofPassed];
}

/** Time of a scenario as a multiple of that of a test of pyverbs. */
function ratio({ pyverbs, verbspec }: Round): Times {
  return timesOf((key) => verbspec[key] / pyverbs[key]);
}

function medianRatio(ratios: readonly Times[]): Times {
  return timesOf((key) => median(ratios.map((each) => each[key])));
}

function timesOf(value: (key: (typeof timeKeys)[number]) => number): Times {
  return Object.fromEntries(timeKeys.map((key) => [key, value(key)])) as unknown as Times;
}

function ratioCells(ratios: Times): string[] {
  const [meanMs, medianMs, ...ofPassed] = timeKeys.map((key) => ratios[key].toFixed(2));
  return ['', '', meanMs ?? '', medianMs ?? '', '', ...ofPassed];
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = 3;
});
