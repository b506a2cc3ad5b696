import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../drivers/contract';
import schema from './clauses.schema.json';
import { schemaAssertion, type SchemaAssertion } from './schema';

/** How binding a clause is. */
export type ClauseLevel = 'must' | 'should' | 'may' | 'info';

/** One statement of a man page that can be checked on its own; the members are explained in clauses.schema.json. */
export interface Clause {
  readonly id: string;
  readonly page: string;
  readonly section: string;
  readonly statement: string;
  readonly level: ClauseLevel;
  readonly testable: 'loopback' | 'hardware-feature' | 'fault' | 'untestable';
  readonly subject?: string;
  readonly rdmaCore?: 'newest-only';
  readonly implied?: boolean;
}

/** All clauses by id, in the order of the pages. */
export type Clauses = ReadonlyMap<string, Clause>;

const assertClauses: SchemaAssertion<Clause[]> = schemaAssertion<Clause[]>(schema);

/** The clauses that come with the features. */
export const clausesPath = join(__dirname, '..', 'features', 'clauses.json');

/**
 * Reads the list of clauses.
 *
 * @throws {@link HarnessError} when the file cannot be read or departs from its schema
 */
export function loadClauses(path: string = clausesPath): Clauses {
  return parseClauses(readJson(path), path);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new HarnessError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Checks the list of clauses and indexes it by id.
 *
 * @param name - what the list is called in error messages
 */
export function parseClauses(data: unknown, name: string): Clauses {
  assertClauses(data, name);
  const clauses = new Map<string, Clause>();
  for (const clause of data) {
    if (!clause.id.startsWith(`${clause.page}.`)) {
      throw new HarnessError(`${name}: clause ${clause.id} does not begin with the name of its page ${clause.page}`);
    }
    if (clauses.has(clause.id)) throw new HarnessError(`${name}: clause ${clause.id} is there twice`);
    clauses.set(clause.id, clause);
  }
  return clauses;
}

/** The ids of clauses among the tags of a Rule; `@needs.<capability>` is none. */
export function clauseIdsOf(tags: readonly { readonly name: string }[]): string[] {
  return tags.flatMap(({ name }) => {
    const id = /^@([a-z][a-z0-9_]*\.[a-z0-9-]+)$/.exec(name)?.[1];
    return id === undefined || id.startsWith('needs.') ? [] : [id];
  });
}
