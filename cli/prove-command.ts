import { InvalidArgumentError, type Command } from 'commander';
import { commands } from './commands';
import { proofFolder } from './common/project';
import type { ProveOptions } from './prove/prove';

const examples = `
A fault of the rules named runs on all features, every other fault on the rules named. What ran before does not run again
until the fault, the scenario or what both touch has changed. Of scenarios that call the same verbs one stands for all, but
for those of the rules that the fault breaks; --full runs each.

Examples:
  verbspec prove                              all faults on all features
  verbspec prove ibv_req_notify_cq.one-shot   what a rule catches, and what else breaks it
  verbspec prove ibv_resize_cq --faults ./mine.ts
  verbspec prove --full                       nothing is taken from an earlier proof
  verbspec prove --accept                     take what is caught now as what has to be caught

Exit codes: 0 proved; 1 a fault is not caught, another rule does not stay green, a scenario cannot fail, or less is
caught than was accepted; 2 wrong usage; 3 broken set-up.`;

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
    .option('--accept', 'record what is caught now; less than that is an error from then on', false)
    .addHelpText('after', examples)
    .action(async (selectors: string[], options: Omit<ProveOptions, 'selectors'>) => {
      done(await commands.prove({ ...options, selectors }));
    });
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('it is no number from 1 on.');
  return value;
}
