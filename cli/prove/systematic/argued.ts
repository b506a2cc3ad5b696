import { join } from 'node:path';
import { schemaAssertion, type SchemaAssertion } from '../../../catalog/schema';
import { readTextFile } from '../../../drivers/support/files';

/** Why faults need not be caught. */
export interface Argument {
  /** Names of systematic faults; `*` stands for anything. */
  readonly faults: readonly string[];
  /** Why no page forbids what they do: clause ids with what they say, or that the pages are silent. */
  readonly because: string;
}

const schema = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['faults', 'because'],
    properties: {
      faults: { type: 'array', minItems: 1, items: { type: 'string' } },
      because: { type: 'string', minLength: 20 },
    },
  },
};

const assertArguments: SchemaAssertion<readonly Argument[]> = schemaAssertion<readonly Argument[]>(schema);

const path = join(__dirname, 'not-forbidden.json');

/** What is argued of the systematic faults. */
export function readArguments(): readonly Argument[] {
  const data: unknown = JSON.parse(readTextFile(path));
  assertArguments(data, path);
  return data;
}

/** The argument for a fault, if there is one. */
export function argumentFor(fault: string, all: readonly Argument[]): Argument | undefined {
  return all.find(({ faults }) => faults.some((pattern) => isLike(fault, pattern)));
}

export function isLike(fault: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(fault);
}
