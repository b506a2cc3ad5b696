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
import { HarnessError, UsageError } from '../drivers/contract';
import { parseVerdicts, scenariosOf } from '../reports/judge/verdicts';
import { runPyverbs, unpackPyverbs } from './pyverbs';
import { mean, median, sum } from './statistics';

const root = join(__dirname, '..');
const outFolder = join(root, 'reports', 'out', 'bench-soft-roce');
const kernelUsually = '6.1';
const roundsUsually = 3;

/** A test or scenario that ran. */
interface Timed {
  readonly passed: boolean;
  readonly durationMs: number;
}

/** What the table shows of the tests of one run. */
const columns = [
  { key: 'ranCount', head: 'ran', digits: 0, isCompared: false },
  { key: 'ranSeconds', head: 'seconds', digits: 1, isCompared: false },
  { key: 'meanMs', head: 'mean ms', digits: 0, isCompared: true },
  { key: 'medianMs', head: 'median ms', digits: 0, isCompared: true },
  { key: 'passedCount', head: 'passed', digits: 0, isCompared: false },
  { key: 'passedMeanMs', head: 'mean ms if passed', digits: 0, isCompared: true },
  { key: 'passedMedianMs', head: 'median ms if passed', digits: 0, isCompared: true },
] as const;
type Summary = Readonly<Record<(typeof columns)[number]['key'], number>>;

interface Round {
  readonly pyverbs: Summary;
  readonly verbspec: Summary;
}

async function main([kernel = kernelUsually, roundsText = `${roundsUsually}`]: readonly string[]): Promise<void> {
  if (!/^[1-9]\d*$/.test(roundsText)) throw new UsageError(`${roundsText} rounds`, 'name an integer of 1 or more');
  const rounds = Number(roundsText);
  const tree = await unpackPyverbs(printLine);
  const samples: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    printLine(`round ${round} of ${rounds}: pyverbs`);
    const pyverbs = summaryOf(await pyverbsTests(kernel, tree));
    printLine(`round ${round} of ${rounds}: verbspec`);
    samples.push({ pyverbs, verbspec: summaryOf(scenarios(kernel)) });
  }
  process.stdout.write(`${render(samples)}\n`);
}

async function pyverbsTests(kernel: string, tree: string): Promise<readonly Timed[]> {
  const tests = await runPyverbs(kernel, tree, printLine);
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

/** Lines between the rows would say nothing. */
const noLines = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

function render(rounds: readonly Round[]): string {
  const heads = columns.map(({ head }) => head);
  const table = new Table({
    head: ['round', 'suite', ...heads],
    colAligns: ['left', 'left', ...heads.map(() => 'right' as const)],
    style: { head: [], border: [] },
    chars: noLines,
  });
  rounds.forEach((round, index) => {
    table.push([index + 1, 'pyverbs', ...cells(round.pyverbs)], ['', 'verbspec', ...cells(round.verbspec)]);
    table.push(['', 'ratio', ...ratioCells([round])]);
  });
  if (rounds.length > 1) table.push(['median', 'ratio', ...ratioCells(rounds)]);
  return table.toString();
}

function cells(summary: Summary): string[] {
  return columns.map(({ key, digits }) => summary[key].toFixed(digits));
}

/** Times of a scenario as multiples of those of a test of pyverbs, the median of all rounds. */
function ratioCells(rounds: readonly Round[]): string[] {
  return columns.map(({ key, isCompared }) => {
    const ratios = rounds.map(({ pyverbs, verbspec }) => verbspec[key] / pyverbs[key]);
    return isCompared ? median(ratios).toFixed(2) : '';
  });
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
