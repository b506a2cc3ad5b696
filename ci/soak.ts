/**
 * Runs the suite again and again, each time in another order, and on devices beside busy processes: each verdict has to
 * be the same each time. `npm run soak -- --help` lists the options.
 */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { Interruption } from '../cli/common/interruption';
import { OutFolder } from '../cli/out/out-folder';
import { root, suiteCommit } from '../cli/common/project';
import { HarnessError, UsageError } from '../drivers/contract';
import { plansOf, type Plan, type SoakOptions } from './soak/plan';
import { recordOf } from './soak/record';
import type { RunUnderWay } from './soak/run-once';
import { runPlan, type Soaked } from './soak/run-plan';
import { soakText, runText } from './soak/text';

const brokenSetup = 3;
const recordName = 'soak.json';

const exitCodes = `
Examples:
  npm run soak                                          50 runs on the simulator, 20 on soft-RoCE under load
  npm run soak -- --sim 10                              the simulator alone
  npm run soak -- --soft-roce 20 --kernel 6.1 --kernel 6.12
  npm run soak -- --soft-roce 20 --vm-time virtual --vm-time wall   the same verdicts with and without virtual time?
  npm run soak -- --driver hca --runs 20 -- -d mlx5_0 -x 3   what follows the -- goes to each verbspec run

Exit codes:
  0    each run said the same, and nothing unexpected
  1    verdicts differed; or they were the same, and the runs themselves ended with 1
  2    wrong usage
  3    the set-up is broken
  130  you interrupted it`;

interface Options extends SoakOptions {
  readonly seed?: string;
  readonly out: string;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

/** @returns the exit code */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const end = argv.indexOf('--');
    const command = commandLine().parse(end < 0 ? argv : argv.slice(0, end), { from: 'user' });
    const options = command.opts<Options>();
    const plans = plansOf(options, end < 0 ? [] : argv.slice(end + 1));
    if (plans.length === 0) throw new UsageError('there is nothing to run', 'ask for one run at least');
    return await soakAll(plans, options);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof HarnessError)) throw error;
    process.stderr.write(`soak: ${error.message}\n`);
    return error instanceof UsageError ? 2 : brokenSetup;
  }
}

function commandLine(): Command {
  return new Command('npm run soak --')
    .description('Runs the suite again and again: each verdict has to be the same each time')
    .allowExcessArguments(false)
    .exitOverride()
    .option('--sim <runs>', 'runs on the simulator (50 if no driver is named)', number)
    .option('--soft-roce <runs>', 'runs on soft-RoCE, for each kernel (20 if no driver is named)', number)
    .option('--kernel <which>', 'as for verbspec run; repeatable (default: 6.1)', collect)
    .option('--vm-time <clock>', 'virtual or wall; given twice, the runs on soft-RoCE take turns', collect)
    .option('--driver <name>', 'another driver, as for verbspec run')
    .option('--runs <runs>', 'runs on that driver', number, 20)
    .option('--load <count>', 'busy processes (default: none beside the simulator, else two for each core)', number)
    .option('--seed <word>', 'orders of an earlier soak again', seed)
    .option('--out <folder>', 'folder of the results', join(root, 'reports', 'out', 'soak'))
    .addHelpText('after', exitCodes);
}

function number(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be an integer of 0 or more.');
  return Number(text);
}

function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

function seed(text: string): string {
  if (!/^[\w.-]+$/.test(text)) throw new InvalidArgumentError('It must consist of letters, digits, dots and dashes.');
  return text;
}

async function soakAll(plans: readonly Plan[], options: Options): Promise<number> {
  const { seed: word = String(randomInt(1_000_000)) } = options;
  const out = new OutFolder(options.out, 'soak');
  const interruption = new Interruption(() => {
    out.end();
  });
  const soaked: Soaked[] = [];
  const context = {
    seed: word,
    folder: out.partial,
    isInterrupted: () => interruption.exitCode !== undefined,
    onStart: (run: RunUnderWay) => {
      pass(interruption, run);
    },
    onEnd: (plan: Plan, run: Parameters<typeof runText>[0]) => {
      printLine(`${plan.name}, run ${run.run} of ${plan.runs}: ${runText(run)}`);
    },
  };
  try {
    printLine(`seed ${word}`);
    for (const plan of plans) if (!context.isInterrupted()) soaked.push(await runPlan(plan, context));
    const exitCode = interruption.exitCode ?? exitCodeOf(soaked);
    const record = recordOf(soaked, { suite: suiteCommit(), seed: word, exitCode });
    writeFileSync(join(out.partial, recordName), `${JSON.stringify(record, undefined, 2)}\n`);
    out.keep(context.isInterrupted() ? 'interrupted' : 'whole');
    out.end();
    printLine(`\n${soakText(soaked, relative(process.cwd(), out.path))}\n\n${lastLine(soaked, exitCode)}`);
    printLine(relative(process.cwd(), join(out.path, recordName)));
    return exitCode;
  } finally {
    interruption.end();
    out.end();
  }
}

/** A signal goes to the run under way, which ends in order; so does one that comes again. */
function pass(interruption: Interruption, run: RunUnderWay): void {
  interruption.calls((signal) => {
    run.signal(signal);
    pass(interruption, run);
  });
}

function exitCodeOf(soaked: readonly Soaked[]): number {
  if (soaked.some(({ differences }) => differences.length > 0)) return 1;
  const codes = soaked.flatMap(({ runs }) => runs.map(({ outcome }) => outcome.exitCode));
  return codes.find((code) => code !== 0) ?? 0;
}

function lastLine(soaked: readonly Soaked[], exitCode: number): string {
  const differing = soaked.reduce((sum, { differences }) => sum + differences.length, 0);
  if (differing > 0) return `the runs differ in ${differing} ${differing === 1 ? 'point' : 'points'}, listed above`;
  const same = 'all runs say the same';
  return exitCode === 0 ? same : `${same}, as far as they came; exit code ${exitCode}`;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
