import type { Command, Option } from 'commander';

/** Options that say which scenarios run, in what order and how often, or where results go: nothing of one scenario. */
const ofWholeRun: ReadonlySet<string> = new Set([
  'authority',
  'order',
  'repeat',
  'untilFail',
  'out',
  'history',
  'proof',
  'again',
  'label',
  'verbose',
]);

/** The options that the user gave to a command and that matter to each scenario, as the shell had them. */
export function givenOptions(command: Command): string[] {
  return command.options
    .filter((option) => !ofWholeRun.has(option.attributeName()))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => wordsOf(option, command.getOptionValue(option.attributeName())));
}

function wordsOf({ short, long }: Option, value: unknown): string[] {
  const flag = short ?? long ?? '';
  if (value === true) return [flag];
  return [value].flat().flatMap((each) => [flag, String(each)]);
}
