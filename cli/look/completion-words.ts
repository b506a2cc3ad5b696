import type { Argument, Command, Option } from 'commander';
import { authorities } from '../../catalog/authority';
import { loadClauses } from '../../catalog/clauses';
import { driverNames } from '../../drivers/registry';
import { faults } from '../../drivers/sim/faults';
import { variants } from '../../drivers/sim/lawful';
import { profiles } from '../../drivers/sim/lawful/profiles';

/** What can stand at a place of the command line. */
export interface Completion {
  readonly words: readonly string[];
  /** Whether several of them can be joined by commas. */
  readonly isList: boolean;
}

/** What a command takes. */
export interface CommandWords {
  readonly name: string;
  readonly flags: readonly string[];
  /** By flag, for options that take a value; no words where it is a file or what nobody can list. */
  readonly values: ReadonlyMap<string, Completion>;
  /** What is no option. */
  readonly arguments: readonly string[];
}

/** Everything that can be completed; pages and rules stand in `places` by name, as they are many and used often. */
export interface CompletionWords {
  readonly pages: readonly string[];
  readonly rules: readonly string[];
  readonly commands: readonly CommandWords[];
}

/** Stand for all pages and rules in the words of a command. */
export const pagesPlace = '<pages>';
export const rulesPlace = '<rules>';

/** Values of options that commander does not know, by the name of the option. */
const valuesOfOptions: Readonly<Record<string, () => readonly string[]>> = {
  '--driver': () => driverNames,
  '--fault': () => Object.keys(faults),
  '--profile': () => Object.keys(profiles),
  '--variant': () => Object.keys(variants),
  '--authority': () => authorities,
};

/** Words for arguments, by the name that the usage has for them. */
const wordsOfArguments: Readonly<Record<string, () => readonly string[]>> = {
  'feature-or-rule': () => [pagesPlace, rulesPlace],
  'page-or-rule': () => [pagesPlace, rulesPlace],
  rule: () => [rulesPlace],
  page: () => [pagesPlace],
  driver: () => driverNames,
};

/** What the command line declares, with the names of the catalog. */
export function completionWords(program: Command): CompletionWords {
  const clauses = [...loadClauses().values()];
  return {
    pages: [...new Set(clauses.map(({ page }) => page))],
    rules: clauses.map(({ id }) => id),
    commands: program.commands.map(commandWords),
  };
}

function commandWords(command: Command): CommandWords {
  const options = command.options.filter(({ hidden }) => !hidden);
  return {
    name: command.name(),
    flags: [...options.flatMap(flagsOf), '--help'],
    values: new Map(
      options
        .filter(({ required, optional }) => required || optional)
        .flatMap((option) => flagsOf(option).map((flag) => [flag, valuesOf(option)] as const)),
    ),
    arguments: command.registeredArguments.flatMap(wordsOf),
  };
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].flatMap((flag) => flag ?? []);
}

function valuesOf({ long = '', flags, argChoices }: Option): Completion {
  const words = argChoices ?? valuesOfOptions[long]?.() ?? [];
  return { words, isList: /<names>|,\.\.\.>/.test(flags) };
}

function wordsOf(argument: Argument): readonly string[] {
  return argument.argChoices ?? wordsOfArguments[argument.name()]?.() ?? [];
}
