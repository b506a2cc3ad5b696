import { UsageError } from '../../drivers/contract';
import { readTextFile } from '../../drivers/support/files';
import { oneLine } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import type { Dictionary } from './dictionary';
import schema from './dictionary.schema.json';

const assertDictionary: SchemaAssertion<Dictionary> = schemaAssertion<Dictionary>(schema);

/** Bytes that a dictionary may have; that of all faults has a few hundred thousand. */
const dictionaryBytesMax = 16 * 1024 * 1024;

const remedy = 'take the file that came with verbspec, or make it anew with `verbspec prove --accept`';

/**
 * Reads a fault dictionary.
 *
 * @throws UsageError if it is damaged, or of another version
 */
export function readDictionary(path: string): Dictionary {
  try {
    const data: unknown = JSON.parse(readTextFile(path, dictionaryBytesMax));
    refuseOtherVersion(data, path);
    assertDictionary(data, path);
    return data;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be used: ${(error as Error).message}`;
    throw new UsageError(oneLine(`the fault dictionary ${path} ${why}`), remedy);
  }
}

function refuseOtherVersion(data: unknown, path: string): void {
  if (typeof data !== 'object' || data === null || !('schemaVersion' in data)) return;
  const known = schema.properties.schemaVersion.const;
  const { schemaVersion } = data;
  if (typeof schemaVersion !== 'number' || schemaVersion === known) return;
  const version = `is of schema version ${schemaVersion}, and this verbspec reads version ${known}`;
  throw new UsageError(oneLine(`the fault dictionary ${path} ${version}`), remedy);
}
