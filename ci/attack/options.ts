import type { Command, Option } from 'commander';
import { commandLine } from '../../cli/command-line';

/** An option of a command as the command line declares it. */
export interface DeclaredOption {
  /** `run`. */
  readonly command: string;
  /** `--driver`. */
  readonly flag: string;
  readonly takesValue: boolean;
}

/** Every option of every command. */
export function declaredOptions(program: Command = declared()): DeclaredOption[] {
  return program.commands.flatMap((command) =>
    command.options.map((option) => ({
      command: command.name(),
      flag: flagOf(option),
      takesValue: option.required || option.optional,
    })),
  );
}

/** Every command. */
export function declaredCommands(program: Command = declared()): string[] {
  return program.commands.map((command) => command.name());
}

function declared(): Command {
  return commandLine([], () => undefined);
}

function flagOf({ long, short, flags }: Option): string {
  return long ?? short ?? flags;
}
