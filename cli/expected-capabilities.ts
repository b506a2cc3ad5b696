import { readFileSync } from 'node:fs';
import { UsageError, type Capability } from '../drivers/contract';
import { parseExpectedCapabilities } from '../reports/expected-capabilities';

/** The capabilities that a file expects, where there is one. @throws UsageError if it cannot be read, or is no such file */
export function readExpectedCapabilities(file: string | undefined): readonly Capability[] | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--expect-capabilities ${file} cannot be read: ${(error as Error).message}`);
  }
  return parseExpectedCapabilities(text, file);
}
