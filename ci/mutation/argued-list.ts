import { readFileSync } from 'node:fs';
import { schemaAssertion, type SchemaAssertion } from '../../reports/schema';
import schema from './argued.schema.json';
import type { MutatedFile, Mutant } from './report';

/**
 * Why a mutant has survived. It behaves as the original for every caller (`equivalent`); it differs as the pages allow, so
 * that a scenario which failed for it would be a false alarm (`allowed`); it changes no verb but what stands around them,
 * such as the text of an error of the suite (`tooling`); or a page without features forbids it (`outside`). Only the first
 * do not count as survived.
 */
export const reasonKinds = ['equivalent', 'allowed', 'tooling', 'outside'] as const;
export type ReasonKind = (typeof reasonKinds)[number];

/** A mutant that no scenario kills, and the reason why. */
export interface ArguedMutant extends Mutant {
  /** How many mutants look like this, if it is not one. */
  readonly times?: number;
  readonly why: ReasonKind;
  readonly reason: string;
}

const assertArgued: SchemaAssertion<ArguedMutant[]> = schemaAssertion(schema);

export function readArgued(path: string): ArguedMutant[] {
  const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
  assertArgued(data, path);
  return data;
}

export const isSame = (one: Mutant, other: Mutant): boolean =>
  one.file === other.file &&
  one.line === other.line &&
  one.code === other.code &&
  one.replacement === other.replacement;

/** What is wrong with the list: entries that argue about another number of mutants than have survived. */
export function staleEntries(argued: readonly ArguedMutant[], files: readonly MutatedFile[]): string[] {
  const survivors = new Map(files.map(({ file, survivors }) => [file, survivors]));
  return argued.flatMap((entry) => {
    const { times = 1 } = entry;
    const found = survivors.get(entry.file)?.filter((mutant) => isSame(entry, mutant)).length ?? times;
    const name = `${entry.file}: ${entry.code} => ${entry.replacement}`;
    return found === times ? [] : [`${name} is argued ${times} times and has survived ${found} times; mend its entry`];
  });
}
