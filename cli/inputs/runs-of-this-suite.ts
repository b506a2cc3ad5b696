import { UsageError } from '../../drivers/contract';
import type { Clauses } from '../../catalog/clauses';
import { scenariosOf, type Verdicts } from '../../reports/judge/verdicts';
import { suiteVersion } from '../common/project';
import { readRuns, type RecordedRunFiles } from './recorded-runs';

/**
 * Reads recorded runs of this version of the suite.
 *
 * @param paths - folders of runs, or their verdicts.json
 * @throws UsageError naming the first that is missing, damaged, empty or of another version
 */
export function runsOfThisSuite(paths: readonly string[], clauses: Clauses): RecordedRunFiles[] {
  const runs = readRuns(paths);
  for (const { name, verdicts } of runs) {
    const unknown = verdicts.rules.find(({ id }) => !clauses.has(id));
    if (verdicts.suite.version !== suiteVersion() || unknown !== undefined) {
      const what = unknown === undefined ? '' : `, which has a rule ${unknown.id}`;
      throw new UsageError(
        `${name} is a run of verbspec ${verdicts.suite.version}${what}; this is ${suiteVersion()}`,
        'run it again with this one',
      );
    }
    refuseEmpty(name, verdicts);
  }
  return runs;
}

/** @throws UsageError if nothing ran */
export function refuseEmpty(name: string, verdicts: Verdicts): void {
  if (scenariosOf(verdicts).length === 0) throw new UsageError(`${name} is a run without a scenario`, 'run it again');
}
