import type { Capability } from '../../drivers/contract';
import { parseExpectedCapabilities } from '../../reports/judge/expected-capabilities';
import { readNamedFile, resultsBytesMax } from '../inputs/read-file';

/** The capabilities that a file expects, where there is one. @throws UsageError if it cannot be read, or is not such a file */
export function readExpectedCapabilities(file: string | undefined): readonly Capability[] | undefined {
  if (file === undefined) return undefined;
  return parseExpectedCapabilities(readNamedFile(file, resultsBytesMax, `--expect-capabilities ${file}`), file);
}
