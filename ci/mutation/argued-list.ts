import { readFileSync } from 'node:fs';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import schema from './argued.schema.json';
import type { MutatedFile, Mutant } from './report';

/**
 * Why a mutant has survived: no scenario can distinguish it from a sound device (`equivalent`), or it differs where the pages leave
 * a device free, so that a scenario which failed for it would be a false alarm (`allowed`). Any other is a scenario that is
 * missing, or code that has to go.
 */
export const reasonKinds = ['equivalent', 'allowed'] as const;
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
    return found === times ? [] : [`${name} is argued ${times} times and has survived ${found} times; fix its entry`];
  });
}
