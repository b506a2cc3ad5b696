import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Causes } from '../../reports/diagnosis/causes';
import { causesName, parseCauses } from '../../reports/diagnosis/causes-file';
import { readNamedFile, resultsBytesMax } from './read-file';
import { verdictsFile, type RecordedRunFiles } from './recorded-runs';

/**
 * What the failures of runs of one device look like: those of the run in which most failed.
 *
 * @throws UsageError if a causes.json is damaged
 */
export function causesOfRuns(runs: readonly RecordedRunFiles[]): Causes {
  const none: Causes = { failed: 0, causes: [] };
  return runs.map(causesOfRun).reduce((most, causes) => (causes.failed > most.failed ? causes : most), none);
}

/** A verdicts.json that was copied from its run says nothing of what lies beside it. */
function causesOfRun({ name, folder }: RecordedRunFiles): Causes {
  const path = join(folder, causesName);
  if (basename(name) !== verdictsFile || !existsSync(path)) return { failed: 0, causes: [] };
  return parseCauses(readNamedFile(path, resultsBytesMax), path);
}
