import { Command } from 'commander';
import { nearest, UsageError } from '../../drivers/contract';
import { providerFaults } from '../provider-faults';
import { providerVariants } from '../provider-variants';

/** What the user asks of `npm run prove:soft-roce`. */
export interface Options {
  readonly all: boolean;
  readonly accept: boolean;
  readonly diagnose: boolean;
  readonly lawful: boolean;
  readonly quick: boolean;
  readonly kernel: string;
}

function commandLine(): Command {
  return new Command('npm run prove:soft-roce --')
    .description('Shows on soft-RoCE in a VM that rules notice the faults of a provider, and raise no false alarm')
    .argument('[names...]', 'faults, or lawful variants; all, if none is named')
    .exitOverride()
    .option('--kernel <release>', 'kernel of the VM', '6.1')
    .option('--all', 'run every scenario that can notice a fault', false)
    .option('--accept', 'record what fails beside the rules of a fault', false)
    .option('--diagnose', 'print what each fault looks like, and how often that is right', false)
    .option('--lawful', 'prove that no verdict changes under lawful variants', false)
    .option('--quick', 'run some of the scenarios that can meet a variant', false);
}

/**
 * @returns the faults or variants that are meant by their names, and the options
 * @throws CommanderError for an option that there is not, which has been printed, or after the help
 * @throws UsageError for what does not go together, or a name that nothing has
 */
export function readArguments(args: readonly string[]): {
  readonly names: readonly string[];
  readonly options: Options;
} {
  const command = commandLine().parse(args, { from: 'user' });
  const options = command.opts<Options>();
  const { lawful, quick } = options;
  const ofFaults = (['all', 'accept', 'diagnose'] as const).find((option) => options[option]);
  if (lawful && ofFaults !== undefined) throw new UsageError(`--lawful takes no --${ofFaults}`, 'leave it out');
  if (quick && !lawful) throw new UsageError('--quick is for lawful variants', 'say --lawful, or leave it out');
  const known = Object.keys(lawful ? providerVariants : providerFaults);
  for (const name of command.args) if (!known.includes(name)) throw unknownName(name, lawful, known);
  return { names: command.args.length === 0 ? known : command.args, options };
}

function unknownName(name: string, lawful: boolean, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const lists = `ci/${lawful ? 'provider-variants' : 'provider-faults'} lists them`;
  return new UsageError(
    `there is no ${lawful ? 'variant' : 'fault'} "${name}"`,
    near === undefined ? lists : `did you mean ${near}?`,
  );
}
