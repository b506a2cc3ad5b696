import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../drivers/contract';
import type { Clauses } from '../reports/clauses';
import { parseVerdicts, scenariosOf, type Verdicts } from '../reports/verdicts';
import { suiteVersion } from './project';

const remedy = 'name folders of `verbspec run`, or their verdicts.json';

/**
 * Reads recorded runs of this version of the suite.
 *
 * @param paths - folders of runs, or their verdicts.json
 * @throws UsageError naming the first that is missing, damaged, empty or of another version
 */
export function readRuns(paths: readonly string[], clauses: Clauses): Verdicts[] {
  return paths.map((path) => {
    const run = readRun(path);
    const unknown = run.rules.find(({ id }) => !clauses.has(id));
    if (run.suite.version !== suiteVersion() || unknown !== undefined) {
      const what = unknown === undefined ? '' : `, which has a rule ${unknown.id}`;
      throw new UsageError(
        `${path} is a run of verbspec ${run.suite.version}${what}; this is ${suiteVersion()}`,
        'run it again with this one',
      );
    }
    if (scenariosOf(run).length === 0) throw new UsageError(`${path} is a run without a scenario`, remedy);
    return run;
  });
}

function readRun(path: string): Verdicts {
  if (!existsSync(path)) throw new UsageError(`there is no run ${path}`, remedy);
  const file = statSync(path).isDirectory() ? join(path, 'verdicts.json') : path;
  if (!existsSync(file)) throw new UsageError(`${path} holds no verdicts.json`, remedy);
  try {
    return parseVerdicts(readFileSync(file, 'utf8'), file);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new UsageError(`${file} is no record of a run: ${why}`, remedy);
  }
}
