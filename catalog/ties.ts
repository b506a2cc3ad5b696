import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../drivers/contract';
import { schemaAssertion, type SchemaAssertion } from './schema';
import schema from './sentences.schema.json';

/** What ties clauses to sentences, and what is known of other editions; members are explained in sentences.schema.json. */
export interface Ties {
  readonly edition: string;
  readonly pages: Readonly<Record<string, PageTies>>;
}

/** The sentences of one page in their order, by fingerprint. */
export interface PageTies {
  readonly sentences: readonly TiedSentence[];
  readonly elsewhere?: readonly { readonly clauses: readonly string[]; readonly reason: string }[];
  readonly acknowledged?: readonly Acknowledgement[];
}

/** A sentence of the edition that the rules were written from. */
export interface TiedSentence {
  readonly fingerprint: string;
  readonly sketch: string;
  readonly clauses?: readonly string[];
  readonly note?: string;
}

/** A difference of another edition that somebody has looked at. */
export interface Acknowledgement {
  readonly change: 'new' | 'changed' | 'gone';
  readonly fingerprint: string;
  readonly of?: string;
  readonly clauses?: readonly string[];
  /** Range of versions of rdma-core. */
  readonly editions: string;
  readonly reason: string;
}

/** What stands on a sentence. */
export interface Tie {
  readonly clauses: readonly string[];
  /** Why no clause is to stand on it. */
  readonly note?: string;
  /** There if the sentence is none of the edition that the rules were written from. */
  readonly drift?: Acknowledgement;
}

const assertTies: SchemaAssertion<Ties> = schemaAssertion<Ties>(schema);

/** The ties that come with the features. */
export const tiesPath = join(__dirname, '..', 'features', 'sentences.json');

/**
 * Reads the ties.
 *
 * @throws {@link HarnessError} when the file cannot be read or departs from its schema
 */
export function loadTies(path: string = tiesPath): Ties {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new HarnessError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  assertTies(data, path);
  return data;
}

/** What stands on the sentences of a page, of all editions that are known, by fingerprint. */
export function tiesByFingerprint({ sentences, acknowledged = [] }: PageTies): ReadonlyMap<string, Tie> {
  const ties = new Map<string, Tie>();
  for (const { fingerprint, clauses = [], note } of sentences) {
    ties.set(fingerprint, { clauses, ...(note !== undefined && { note }) });
  }
  for (const drift of acknowledged) {
    const note = drift.of === undefined ? undefined : ties.get(drift.of)?.note;
    if (drift.change !== 'gone') {
      ties.set(drift.fingerprint, { clauses: drift.clauses ?? [], drift, ...(note !== undefined && { note }) });
    }
  }
  return ties;
}
