import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { mergeAllureResults } from '../../reports/allure/allure-merge';
import { oneLine } from '../../catalog/plain-text';
import { runNames } from '../../reports/evidence/run-names';
import type { Verdicts } from '../../reports/judge/verdicts';
import { OutFolder } from '../out/out-folder';
import { Interruption } from '../common/interruption';
import { root } from '../common/project';
import { readRuns, type RecordedRunFiles } from '../inputs/recorded-runs';
import { makeHtml, reportTitle, tellHtml } from '../run/results';
import { refuseEmpty } from '../inputs/runs-of-this-suite';

/** What the user asks of `verbspec report`. */
export interface ReportOptions {
  /** Folders of runs. */
  readonly runs: readonly string[];
  readonly out?: string;
}

const recordName = 'report.json';

/**
 * Makes one Allure report of several runs, or that of a single run again.
 *
 * @returns the exit code
 */
export async function report({ runs: folders, out: folder }: ReportOptions): Promise<number> {
  const recorded = readRuns(folders);
  for (const run of recorded) refuseEmpty(run.name, run.verdicts);
  const verdicts = recorded.map((run) => run.verdicts);
  refuseOtherVersions(verdicts);
  const names = runNames(
    verdicts,
    recorded.map(({ folder }) => folder),
  );
  const out = new OutFolder(folder ?? join(root, 'reports', 'out', 'report'), 'report');
  const html = new AbortController();
  const interruption = new Interruption(() => {
    out.end();
  });
  try {
    writeMerged(recorded, names, out);
    interruption.calls(() => {
      html.abort();
    });
    const [only] = verdicts;
    const name = verdicts.length === 1 && only ? reportTitle(only) : `verbspec on ${verdicts.length} devices`;
    const made = await makeHtml(out, { name, signal: html.signal });
    out.keep('error' in made ? 'incomplete' : 'whole');
    if (interruption.exitCode !== undefined) out.keep('interrupted');
    out.end();
    tellHtml(made, out);
    return interruption.exitCode ?? ('path' in made ? 0 : 3);
  } finally {
    interruption.end();
    out.end();
  }
}

function writeMerged(recorded: readonly RecordedRunFiles[], names: readonly string[], out: OutFolder): void {
  try {
    const runs = recorded.map((run, index) => ({ ...run, name: names[index] ?? run.name }));
    mergeAllureResults(runs, join(out.partial, 'allure-results'));
    writeFileSync(join(out.partial, recordName), `${JSON.stringify({ runs: names })}\n`);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError(
      `cannot write ${out.final}: ${(error as Error).message}`,
      'free space or name another --out',
    );
  }
}

/** Rules of two versions are not the same rules; those of two commits may be. */
function refuseOtherVersions(verdicts: readonly Verdicts[]): void {
  const versions = new Set(verdicts.map(({ suite }) => suite.version));
  if (versions.size > 1) {
    const told = [...versions].join(' and ');
    throw new UsageError(`the runs are of different versions of verbspec: ${told}`, 'run them with one');
  }
  const commits = new Set(verdicts.map(({ suite }) => suite.commit));
  if (commits.size > 1)
    process.stderr.write(`verbspec: the runs are of different commits: ${oneLine([...commits].join(', '))}\n`);
}
