import { join } from 'node:path';
import { HarnessError } from '../drivers/contract';
import type { Authority } from './authority';
import schema from './clauses.schema.json';
import { featuresFolder, pageFiles, readJson } from './page-data';
import { schemaAssertion, type SchemaAssertion } from './schema';

/** How binding a clause is. */
export type ClauseLevel = 'must' | 'should' | 'may' | 'info';

/** What was proved of a rule when that was last accepted. */
export interface Proved {
  /** Then steps of its scenarios. */
  readonly checks: number;
  /** How many of its scenarios fail under each of its faults. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Why a Rule shows no more than that a device accepts what is asked. */
export interface EffectNotShown {
  /** What a device can ignore and pass: a verb, or what stands at a path in its arguments. */
  readonly ignoring: string;
  readonly reason: string;
}

/** A clause as its file has it; the members are explained in clauses.schema.json. */
export interface ListedClause {
  readonly id: string;
  readonly section: string;
  readonly authority: Authority;
  /** Number of a statement or a section of the InfiniBand Architecture Specification, volume 1, where that is its authority. */
  readonly ibta?: string;
  readonly level: ClauseLevel;
  readonly testable: 'loopback' | 'hardware-feature' | 'fault' | 'untestable';
  readonly subject?: string;
  readonly chargedInCleanUp?: true;
  readonly rdmaCore?: 'newest-only';
  readonly implied?: boolean;
  /** What it says, where no Rule does. */
  readonly statement?: string;
  /** Why it has no Rule. */
  readonly untested?: string;
  readonly effectNotShown?: EffectNotShown;
  readonly proved?: Proved;
}

/** One statement of a man page that can be checked on its own; the title of its Rule says what it states. */
export interface Clause extends ListedClause {
  readonly page: string;
}

/** All clauses by id, page by page in the order of the features, each page in the order of its file. */
export type Clauses = ReadonlyMap<string, Clause>;

const assertClauses: SchemaAssertion<ListedClause[]> = schemaAssertion<ListedClause[]>(schema);

/**
 * Reads the clauses that lie beside the features.
 *
 * @param folder - of the features
 * @throws {@link HarnessError} when a file cannot be read or departs from its schema
 */
export function loadClauses(folder: string = featuresFolder): Clauses {
  const clauses = pageFiles('clauses', folder).flatMap(({ page, path }) => {
    const name = join(folder, path);
    return parseClauses(readJson(name), page, name);
  });
  if (clauses.length === 0) throw new HarnessError(`there is no clause below ${folder}`);
  return new Map(clauses.map((clause) => [clause.id, clause]));
}

/**
 * Checks the clauses of a page.
 *
 * @param name - what the list is called in error messages
 */
export function parseClauses(data: unknown, page: string, name: string): Clause[] {
  assertClauses(data, name);
  const ids = data.map(({ id }) => id);
  const foreign = ids.find((id) => !id.startsWith(`${page}.`));
  if (foreign !== undefined) {
    throw new HarnessError(`${name}: clause ${foreign} does not begin with the name of its page ${page}`);
  }
  const repeated = ids.find((id, index) => ids.indexOf(id) < index);
  if (repeated !== undefined) throw new HarnessError(`${name}: clause ${repeated} is listed twice`);
  return data.map((clause) => ({ ...clause, page }));
}

/** The ids of clauses among the tags of a Rule; `@needs.<capability>` is none. */
export function clauseIdsOf(tags: readonly { readonly name: string }[]): string[] {
  return tags.flatMap(({ name }) => {
    const id = /^@([a-z][a-z0-9_]*\.[a-z0-9-]+)$/.exec(name)?.[1];
    return id === undefined || id.startsWith('needs.') ? [] : [id];
  });
}
