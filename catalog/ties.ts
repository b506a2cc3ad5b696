import { join } from 'node:path';
import { featuresFolder, pageFiles, readJson } from './page-data';
import { schemaAssertion, type SchemaAssertion } from './schema';
import schema from './sentences.schema.json';

/** What ties clauses to sentences, and what is known of other editions, by page. */
export type Ties = ReadonlyMap<string, PageTies>;

/** The sentences of one page in their order, by fingerprint; members are explained in sentences.schema.json. */
export interface PageTies {
  readonly edition: string;
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

/** A difference of another edition that has been reviewed. */
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

const assertTies: SchemaAssertion<PageTies> = schemaAssertion<PageTies>(schema);

/**
 * Reads the ties that lie beside the features.
 *
 * @param folder - of the features
 * @throws {@link HarnessError} when a file cannot be read or departs from its schema
 */
export function loadTies(folder: string = featuresFolder): Ties {
  return new Map(
    pageFiles('sentences', folder).map(({ page, path }) => {
      const data = readJson(join(folder, path));
      assertTies(data, join(folder, path));
      return [page, data];
    }),
  );
}

/** The editions of rdma-core that pages were read in: most often one. */
export function editionsOf(ties: Ties): string {
  return [...new Set([...ties.values()].map(({ edition }) => edition))].join(', ');
}

/** What stands on the sentences of a page, of all editions that are known, by fingerprint. */
export function tiesByFingerprint({
  sentences,
  acknowledged = [],
}: Pick<PageTies, 'sentences' | 'acknowledged'>): ReadonlyMap<string, Tie> {
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
