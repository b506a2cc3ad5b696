import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Dictionary } from '../../reports/diagnosis/dictionary';
import { readDictionary } from '../../reports/diagnosis/dictionary-file';
import { root } from '../common/project';

/** Where `verbspec prove --accept` records how the planted faults show. */
export const dictionaryPath = join(root, 'reports', 'proof', 'recorded-fault-dictionary.json');

/**
 * How the planted faults show, or `undefined` where nobody has recorded that.
 *
 * @throws UsageError if the file is damaged, or of another version
 */
export function faultDictionary(path: string = dictionaryPath): Dictionary | undefined {
  return existsSync(path) ? readDictionary(path) : undefined;
}
