import { readFileSync } from 'node:fs';
import { UsageError, type Capability } from '../drivers/contract';
import { parseExpectedCapabilities } from '../reports/expected-capabilities';

/** The capabilities that a file expects. @throws UsageError if it cannot be read, or is no such file */
export function readExpectedCapabilities(file: string): readonly Capability[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--expect-capabilities ${file} cannot be read: ${(error as Error).message}`);
  }
  return parseExpectedCapabilities(text, file);
}
