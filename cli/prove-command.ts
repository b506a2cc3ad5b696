import { InvalidArgumentError, type Command } from 'commander';
import { commands } from './commands';
import { proofFolder } from './common/project';
import { UsageError } from '../drivers/contract';
import type { ProveOptions } from './prove/prove';
import type { SystematicOptions } from './prove/systematic/prove-systematic';

const examples = `
A fault of the rules named runs on all features, every other fault on the rules named. What ran before does not run again
until the fault, the scenario or what both touch has changed. Of scenarios that call the same verbs one stands for all, but
for those of the rules that the fault breaks; --full runs each.

Examples:
  verbspec prove                              all faults on all features
  verbspec prove ibv_req_notify_cq.one-shot   what a rule catches, and what else breaks it
  verbspec prove ibv_resize_cq --faults ./mine.ts
  verbspec prove --full                       nothing is taken from an earlier proof
  verbspec prove --systematic                 all faults that operators make of the model, which takes long
  verbspec prove --systematic=200 --seed 7    200 of them
  verbspec prove --lawful                     all lawful variants of the simulator: no scenario may fail
  verbspec prove --accept                     take what is caught now as what has to be caught

Exit codes: 0 proved; 1 a fault is not caught, another rule does not stay green, a scenario cannot fail, or less is
caught than was accepted, a systematic fault is neither caught nor argued, or a scenario fails on a lawful variant; 2 wrong usage; 3 broken set-up.`;

/** Adds `verbspec prove`. */
export function addProve(program: Command, done: (code: number) => void): void {
  program
    .command('prove [page-or-rule...]')
    .description('run the features under each planted fault of the simulator: every rule has to catch its own')
    .option('--json', 'print proof.json', false)
    .option('--out <folder>', 'folder of proof.json', proofFolder)
    .option('--jobs <n>', 'processes at the same time (default: one per core)', count)
    .option('--faults <module>', 'other faults than the planted ones: a module that exports `faults`')
    .option('--full', 'run every scenario under every fault, whatever is known from before', false)
    .option(
      '--systematic [n]',
      'instead of the planted faults those that operators make of the model: all, or so many',
      count,
    )
    .option(
      '--lawful',
      'instead of faults the lawful variants: no scenario may fail on a device that may do otherwise',
      false,
    )
    .option('--seed <n>', 'which of them, if not all (default: 1)', seed)
    .option('--shard <k/m>', 'the k-th of m parts of them', shard)
    .option('--accept', 'record what is caught now; less than that is an error from then on', false)
    .addHelpText('after', examples)
    .action(async (selectors: string[], options: Options) => {
      done(await proveWhat(selectors, options));
    });
}

type Options = Omit<ProveOptions, 'selectors'> & {
  /** How many, or all. */
  readonly systematic?: number | true;
  readonly seed?: number;
  readonly lawful: boolean;
  readonly shard?: SystematicOptions['shard'];
};

function proveWhat(selectors: readonly string[], options: Options): Promise<number> {
  if (options.lawful) return proveLawful(selectors, options);
  return options.systematic === undefined ? provePlanted(selectors, options) : proveSystematic(selectors, options);
}

function proveLawful(selectors: readonly string[], options: Options): Promise<number> {
  const { systematic, seed: chosen, shard: part, faults, accept, full, json, out, jobs } = options;
  if (selectors.length > 0 || accept || full || [systematic, chosen, part, faults].some((one) => one !== undefined))
    throw new UsageError('--lawful is for all rules and all variants', 'leave out what else is named beside it');
  return commands.proveLawful({ json, out, ...(jobs !== undefined && { jobs }) });
}

function provePlanted(selectors: readonly string[], options: Options): Promise<number> {
  const stray = (['seed', 'shard'] as const).find((name) => options[name] !== undefined);
  if (stray !== undefined) throw new UsageError(`--${stray} is for systematic faults`, 'add --systematic');
  return commands.prove({ ...options, selectors });
}

function proveSystematic(selectors: readonly string[], options: Options): Promise<number> {
  const { systematic, shard: part, seed: chosen = 1, faults, accept, ...rest } = options;
  if (selectors.length > 0 || faults !== undefined || accept)
    throw new UsageError('--systematic is for all rules', 'name neither rules nor --faults nor --accept beside it');
  const selection = { ...(typeof systematic === 'number' && { count: systematic }), ...(part && { shard: part }) };
  return commands.proveSystematic({ ...rest, ...selection, seed: chosen });
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('it is no number from 1 on.');
  return value;
}

function seed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 0xffff_ffff) throw new InvalidArgumentError('it is no number of 32 bits.');
  return value;
}

function shard(text: string): { part: number; of: number } {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const found = { part: Number(part), of: Number(of) };
  if (!(found.part >= 1 && found.part <= found.of)) throw new InvalidArgumentError('it is no part such as 1/4.');
  return found;
}
