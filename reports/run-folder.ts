import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../drivers/contract';
import { parseVerdicts, scenariosOf, type Verdicts } from './verdicts';

/** What is found in the folder of a run. */
export interface RunFolder {
  readonly folder: string;
  readonly verdicts: Verdicts;
}

/**
 * Opens the results of a run.
 *
 * @param folder - what `--out` of the run was
 * @throws UsageError if there are none, if they are damaged, or if nothing ran
 */
export function openRun(folder: string): RunFolder {
  const path = join(folder, 'verdicts.json');
  if (!existsSync(path)) throw new UsageError(`${folder} holds no run: there is no verdicts.json`, 'name its --out');
  try {
    const verdicts = parseVerdicts(readFileSync(path, 'utf8'), path);
    if (scenariosOf(verdicts).length === 0) throw new UsageError(`${path} tells of no scenario that ran`);
    return { folder, verdicts };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof HarnessError || error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${why}`, 'run it again');
  }
}
