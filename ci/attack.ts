/**
 * Tries to harm the user by way of the command: hostile input, devices, machines, users, signals and disks. Each try has to
 * end as its row says and leave everything else as it was. `npm run attack -- --help` prints the options.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { Interruption } from '../cli/common/interruption';
import { HarnessError, UsageError } from '../drivers/contract';
import { Attack, type TryResult } from './attack/attack';
import { allTries } from './attack/tries';
import { commandText, attackText } from './attack/text';
import type { ListedTry } from './attack/try';
import { notRunLine, remedy, unallowed } from './unit/not-run';

const brokenSetup = 3;

const help = `
Examples:
  npm run attack                              all tries; some ten minutes on two cores
  npm run attack -- --quick                   what npm test runs
  npm run attack -- --area kills --jobs 1     one area, a try at a time
  npm run attack -- --only thesis             tries with that word in their name or their arguments
  npm run attack -- --list --area far-side    what there is

Exit codes:
  0    every try ended as it has to
  1    one did not, or could not be made here and VERBSPEC_ALLOW_SKIPS does not allow it
  2    wrong usage
  3    the set-up is broken
  130  you interrupted it`;

interface Options {
  readonly area: readonly string[];
  readonly only?: string;
  readonly quick: boolean;
  readonly list: boolean;
  readonly json?: string;
  readonly jobs: number;
  readonly patience: number;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

/** @returns the exit code */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = commandLine().parse(argv, { from: 'user' }).opts<Options>();
    const tries = selected(options);
    if (!options.list) return await attack(tries, options);
    for (const one of tries) say(`${one.area}: ${one.name}: verbspec ${commandText(one)}`);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof HarnessError)) throw error;
    process.stderr.write(`attack: ${error.message}\n`);
    return error instanceof UsageError ? 2 : brokenSetup;
  }
}

function commandLine(): Command {
  return new Command('npm run attack --')
    .description('Tries to harm the user by way of the command: every try has to end as its row says')
    .allowExcessArguments(false)
    .exitOverride()
    .option('--area <name>', 'only the tries of an area; repeatable', collect, [])
    .option('--only <word>', 'only tries with this word in their name or their arguments')
    .option('--quick', 'only what npm test runs', false)
    .option('--list', 'print the tries and make none', false)
    .option('--json <file>', 'write what came of each try to a file')
    .option('--jobs <n>', 'tries at the same time', count, availableParallelism())
    .option('--patience <seconds>', 'what a try may take that says nothing of its time', count, 60)
    .addHelpText('after', help);
}

function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be an integer of 1 or more.');
  return Number(text);
}

function selected({ area: areas, only, quick }: Options): readonly ListedTry[] {
  const all = allTries();
  const known = [...new Set(all.map(({ area }) => area))];
  const unknown = areas.find((area) => !known.includes(area));
  if (unknown !== undefined) throw new UsageError(`there is no area "${unknown}"`, `the areas are ${known.join(', ')}`);
  const tries = all.filter(
    (one) =>
      (areas.length === 0 || areas.includes(one.area)) &&
      (only === undefined || `${one.name} ${one.args.join(' ')}`.includes(only)) &&
      (!quick || one.quick === true),
  );
  if (tries.length === 0) throw new UsageError('no try has all of this', '--list prints those that there are');
  return tries;
}

async function attack(tries: readonly ListedTry[], { jobs, json, patience }: Options): Promise<number> {
  const attack = new Attack(patience * 1000);
  const interruption = new Interruption(() => undefined);
  interruption.calls(() => void attack.stop());
  let made = 0;
  try {
    const results = await attack.run(tries, jobs, (result) => {
      printResult(result, (made += 1), tries.length);
    });
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, undefined, 2)}\n`);
    const notMade = linesOfSkipped(results);
    for (const line of notMade) say(line);
    say(`\n${attackText(results)}`);
    if (unallowed(notMade).length > 0) say(remedy);
    const isBad = unallowed(notMade).length > 0 || results.some(({ complaints }) => complaints.length > 0);
    return interruption.exitCode ?? (isBad ? 1 : 0);
  } finally {
    interruption.end();
    attack.end();
  }
}

function linesOfSkipped(results: readonly TryResult[]): string[] {
  return results.flatMap(({ area, name, skipped }) =>
    skipped === undefined ? [] : [notRunLine(`${area}: ${name}`, skipped)],
  );
}

/** A line that stays for each bad try; on a terminal, one that moves on for the others. */
function printResult({ area, name, complaints }: TryResult, made: number, of: number): void {
  const line = `${made} of ${of}  ${area}: ${name}`;
  if (complaints.length > 0)
    process.stderr.write(`${isTerminal() ? '\r\u001b[K' : ''}BAD ${line}: ${complaints.join('; ')}\n`);
  else if (isTerminal()) process.stderr.write(`\r\u001b[K${line}`.slice(0, process.stderr.columns));
  if (isTerminal() && made === of) process.stderr.write('\r\u001b[K');
}

function isTerminal(): boolean {
  return process.stderr.isTTY;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
