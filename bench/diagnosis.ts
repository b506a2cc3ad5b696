/**
 * How often a diagnosis is right. `npm run bench:diagnosis` takes each planted fault out of the dictionary and diagnoses what
 * it showed with the others; `-- --systematic COUNT [--seed N] [--shard I/N]` runs so many of the systematic faults instead.
 * It fails where fewer are right than were reached.
 */
import { parseArgs } from 'node:util';
import type { Selection } from '../cli/prove/systematic/selection';
import { UsageError } from '../drivers/contract';
import { readKnown } from './diagnosis/known-faults';
import { diagnosePlanted } from './diagnosis/planted';
import { diagnoseSystematic } from './diagnosis/systematic';
import { rightShare, tableOf } from './diagnosis/verdicts';

/** What has been reached; a dictionary or a diagnosis that is worse fails. */
const rightMin = { planted: 0.87, systematic: 0.6 };

const text = { type: 'string' } as const;

/** @throws UsageError for what is not a number */
function readArguments(): Selection | undefined {
  const { systematic, seed = '1', shard = '1/1' } = parsedOptions();
  if (systematic === undefined) return undefined;
  const [part = 0, of = 0] = shard.split('/').map(Number);
  const selection = { count: Number(systematic), seed: Number(seed), shard: { part, of } };
  if ([selection.count, selection.seed, part, of].every((value) => Number.isInteger(value) && value > 0))
    return selection;
  throw new UsageError(
    `--systematic ${systematic}, --seed ${seed}, --shard ${shard} are not all numbers from 1 on`,
    'say for example --systematic 150 --seed 1 --shard 1/4',
  );
}

function parsedOptions(): { systematic?: string; seed?: string; shard?: string } {
  try {
    return parseArgs({ options: { systematic: text, seed: text, shard: text } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, 'options are --systematic COUNT, --seed N, --shard I/N');
  }
}

async function main(): Promise<void> {
  const selection = readArguments();
  const { index, rules } = readKnown();
  const all =
    selection === undefined ? diagnosePlanted(index, rules) : await diagnoseSystematic(index, rules, selection);
  process.stdout.write(`${tableOf(all).join('\n')}\n`);
  const least = selection === undefined ? rightMin.planted : rightMin.systematic;
  if (rightShare(all) < least) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
