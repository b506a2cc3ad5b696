import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { mergeAllureResults } from '../../reports/allure/allure-merge';
import { oneLine } from '../../catalog/plain-text';
import { writeEvidence } from '../../reports/evidence/evidence';
import { runNames } from '../../reports/evidence/run-names';
import { exitCode, type Verdicts } from '../../reports/judge/verdicts';
import { runPageName } from '../../reports/run-page/run-page';
import { writeRunPage } from '../../reports/run-page/write';
import { OutFolder } from '../out/out-folder';
import { Interruption } from '../common/interruption';
import { root } from '../common/project';
import { manSentences } from '../inputs/man-sentences';
import { causesOfRuns } from '../inputs/recorded-causes';
import { readRuns, type RecordedRunFiles } from '../inputs/recorded-runs';
import { exitLine } from '../run/exit-line';
import { makeHtml, relativeToUser, reportTitle, tellHtml, tellPage } from '../run/results';
import { judgedAgain } from './judged-again';
import { refuseEmpty } from '../inputs/runs-of-this-suite';

/** What the user asks of `verbspec report`. */
export interface ReportOptions {
  /** Folders of runs. */
  readonly runs: readonly string[];
  readonly out?: string;
}

const recordName = 'report.json';

/**
 * Makes one Allure report of several runs, or the reports of a single run again: with its page.
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
    const page = pageOf(recorded, out);
    const made = await makeHtml(out, { name, signal: html.signal });
    if ('path' in made) page.write(true);
    out.keep('error' in made ? 'incomplete' : 'whole');
    if (interruption.exitCode !== undefined) out.keep('interrupted');
    out.end();
    page.tell();
    tellHtml(made, out);
    return interruption.exitCode ?? ('path' in made ? 0 : 3);
  } finally {
    interruption.end();
    out.end();
  }
}

/** The page of the only run, which is written before there is HTML of Allure, and once more to link to it. */
interface RunPage {
  readonly write: (hasReport: boolean) => void;
  /** Tells where it is, or why there is none. */
  readonly tell: () => void;
}

const noPage: RunPage = { write: () => undefined, tell: () => undefined };

function pageOf([run, ...more]: readonly RecordedRunFiles[], out: OutFolder): RunPage {
  if (run === undefined || more.length > 0) return noPage;
  const again = judgedAgain(run);
  if ('reason' in again)
    return {
      ...noPage,
      tell: () => {
        tellPage(`none: ${oneLine(again.reason)}`);
      },
    };
  const { judged, interrupted } = again;
  const exit = exitLine(exitCode(judged.verdicts, judged.problems), judged);
  const folder = oneLine(relativeToUser(run.folder));
  const page = { judged, causes: causesOfRuns([run]), exit, interrupted, folder, sentences: manSentences(judged) };
  writing(out, () => {
    writeEvidence(judged, out.partial);
  });
  const write = (hasReport: boolean): void => {
    writing(out, () => {
      writeRunPage(page, out.partial, hasReport);
    });
  };
  write(false);
  return {
    write,
    tell: () => {
      tellPage(oneLine(relativeToUser(join(out.path, runPageName))));
    },
  };
}

function writeMerged(recorded: readonly RecordedRunFiles[], names: readonly string[], out: OutFolder): void {
  writing(out, () => {
    const runs = recorded.map((run, index) => ({ ...run, name: names[index] ?? run.name }));
    mergeAllureResults(runs, join(out.partial, 'allure-results'));
    writeFileSync(join(out.partial, recordName), `${JSON.stringify({ runs: names })}\n`);
  });
}

/** @throws HarnessError if that cannot be written */
function writing(out: OutFolder, write: () => void): void {
  try {
    write();
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
