import { writeFileSync } from 'node:fs';
import { UsageError } from '../../drivers/contract';
import { oneLine, printableJson } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import type { Causes } from './causes';
import schema from './causes.schema.json';

type CausesFile = Causes & { readonly schemaVersion: 1 };

const assertCauses: SchemaAssertion<CausesFile> = schemaAssertion<CausesFile>(schema);

/** What the file is called among the results of a run. */
export const causesName = 'causes.json';

/** Writes the causes of a run, if anything failed. */
export function writeCauses(causes: Causes, path: string): void {
  if (causes.failed === 0) return;
  const file: CausesFile = { schemaVersion: 1, ...causes };
  assertCauses(file, path);
  writeFileSync(path, `${printableJson(file, 2)}\n`);
}

/**
 * Reads the causes of a run.
 *
 * @param name - what the file is called
 * @throws UsageError if it is damaged, or of another version
 */
export function parseCauses(json: string, name: string): Causes {
  try {
    const data: unknown = JSON.parse(json);
    assertCauses(data, name);
    return data;
  } catch (error) {
    const why = error instanceof SyntaxError ? `${name} is not valid JSON` : (error as Error).message;
    throw new UsageError(
      oneLine(why),
      'record the run again, or remove the file: it only says what failures look like',
    );
  }
}
