import { UsageError } from '../../../drivers/contract';
import { readNamedFile } from '../../inputs/read-file';
import { readProgram } from '../programs';
import { readFeature, type CallScenario } from './read-feature';
import { findingBytesMax } from './stored-finding';

/** The program of a file, which may be a finding as data or as a scenario. @throws UsageError */
export function readScenario(path: string): CallScenario {
  if (!path.endsWith('.feature')) return { program: readProgram(path), demands: [] };
  const text = readNamedFile(path, findingBytesMax);
  try {
    return readFeature(text);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}
