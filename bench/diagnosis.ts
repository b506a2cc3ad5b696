/**
 * How often a diagnosis is right. `npm run bench:diagnosis` takes each planted fault out of the dictionary and diagnoses what
 * it showed with the others; `-- --systematic COUNT [--seed N] [--shard I/N]` runs so many of the systematic faults instead.
 * It fails where fewer are right than were reached. `-- --learn` learns from other systematic faults, and writes it into the
 * dictionary, what it looks like when a state goes wrong.
 */
import { parseArgs } from 'node:util';
import type { Selection } from '../cli/prove/systematic/selection';
import { UsageError } from '../drivers/contract';
import { readKnown } from './diagnosis/known-faults';
import { diagnosePlanted } from './diagnosis/planted';
import { heldOutSeeds } from './diagnosis/states/learned-faults';
import { learn } from './diagnosis/states/learn';
import { diagnoseSystematic } from './diagnosis/systematic';
import { rightShare, tableOf } from './diagnosis/verdicts';

/** What has been reached, of systematic faults with seeds that are held out; a dictionary or a diagnosis that is worse fails. */
const rightMin = { planted: 0.87, systematic: 0.82, otherSeeds: 0.68 };

const text = { type: 'string' } as const;

/** @throws UsageError for what is not a number */
function readArguments(): Selection | 'learn' | 'planted' {
  const { systematic, seed = String(heldOutSeeds[0]), shard = '1/1', learn: isToLearn } = parsedOptions();
  if (isToLearn === true) return 'learn';
  if (systematic === undefined) return 'planted';
  const [part = 0, of = 0] = shard.split('/').map(Number);
  const selection = { count: Number(systematic), seed: Number(seed), shard: { part, of } };
  if ([selection.count, selection.seed, part, of].every((value) => Number.isInteger(value) && value > 0))
    return selection;
  throw new UsageError(
    `--systematic ${systematic}, --seed ${seed}, --shard ${shard} are not all numbers from 1 on`,
    'say for example --systematic 60 --seed 8 --shard 1/4',
  );
}

function parsedOptions(): { systematic?: string; seed?: string; shard?: string; learn?: boolean } {
  try {
    return parseArgs({ options: { systematic: text, seed: text, shard: text, learn: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, 'options are --systematic COUNT, --seed N, --shard I/N, --learn');
  }
}

async function main(): Promise<void> {
  const chosen = readArguments();
  const { index, rules } = readKnown();
  if (chosen === 'learn') {
    process.stdout.write(`${(await learn(rules)).join('\n')}\n`);
    return;
  }
  const all = chosen === 'planted' ? diagnosePlanted(index, rules) : await diagnoseSystematic(index, rules, chosen);
  process.stdout.write(`${tableOf(all).join('\n')}\n`);
  if (rightShare(all) < leastOf(chosen)) process.exitCode = 1;
}

function leastOf(chosen: Selection | 'planted'): number {
  if (chosen === 'planted') return rightMin.planted;
  return heldOutSeeds.includes(chosen.seed) ? rightMin.systematic : rightMin.otherSeeds;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
