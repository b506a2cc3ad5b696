import type { Command } from 'commander';
import { optionsWithoutKind } from './option-kinds';
import { declaredCommands, declaredOptions } from './options';
import type { Try } from './try';

/**
 * Names the commands and options that no try uses; a new one gets its tries in `option-kinds.ts` or in a table of `areas/`.
 *
 * @param program - the command line, that of `verbspec` unless given
 */
export function untried(tries: readonly Try[], program?: Command): string[] {
  const options = declaredOptions(program);
  const commands = declaredCommands(program).filter((command) => !tries.some(({ args }) => args[0] === command));
  const unused = options.filter(
    ({ command, flag }) => !tries.some(({ args }) => args[0] === command && isGiven(args, flag)),
  );
  return [
    ...commands.map((command) => `no try of verbspec ${command}: add one to a table of ci/attack/areas`),
    ...unused.map(
      ({ command, flag }) => `no try of verbspec ${command} ${flag}: add one to a table of ci/attack/areas`,
    ),
    ...optionsWithoutKind(options).map(
      ({ command, flag }) => `verbspec ${command} ${flag} has no kind: say in ci/attack/option-kinds.ts what it takes`,
    ),
  ];
}

/** What stands after `--` goes to Cucumber. */
function isGiven(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((word) => word === flag || word.startsWith(`${flag}=`));
}
