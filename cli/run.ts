import { join, relative } from 'node:path';
import pc from 'picocolors';
import { HarnessError, type Driver, type DriverOptions } from '../drivers/contract';
import { loadDriver } from '../drivers/registry';
import { generateHtml, writeAllureResults } from '../reports/allure';
import { loadClauses } from '../reports/clauses';
import { judgeRun, type JudgedRun } from '../reports/judge';
import { renderSummary } from '../reports/summary';
import { exitCode, writeVerdicts } from '../reports/verdicts';
import { deviationsOf } from './deviations';
import { execute } from './execute';
import { Interruption } from './interruption';
import { OutFolder } from './out-folder';
import { Progress } from './progress';
import { root, suiteCommit, suiteVersion } from './project';
import { Recorder } from './recorder';
import { featureRules } from './registry';
import { selectPaths } from './selection';

/** What the user asks of `verbspec run`. */
export interface RunOptions extends Omit<DriverOptions, 'progress'> {
  readonly driver: string;
  /** `--out`. */
  readonly out?: string;
  readonly selectors: readonly string[];
  readonly cucumberOptions: readonly string[];
}

/**
 * Runs features on a driver, writes the results and tells them.
 *
 * @returns the exit code
 */
export async function run(options: RunOptions): Promise<number> {
  const paths = selectPaths(options.selectors, featureRules());
  const createDriver = loadDriver(options.driver);
  const clauses = loadClauses();
  const deviations = deviationsOf(options.driver, clauses);
  const out = new OutFolder(options.out ?? join(root, 'reports', 'out', nameOf(options.driver)));
  const progress = new Progress(process.stderr);
  const interruption = new Interruption(() => {
    out.discard();
  });
  try {
    const driver = await createDriver({ ...options, progress: (line) => progress.tell(line) });
    interruption.closes(driver);
    progress.tell(`verbspec: ${options.driver}, device ${driver.dut.hcaId}`);
    const recorder = new Recorder(join(out.partial, 'messages.ndjson'));
    await record(driver, recorder, progress, options, paths);
    const info = { suite: { version: suiteVersion(), commit: suiteCommit() }, driver: options.driver, dut: driver.dut };
    const judged = judgeRun({ envelopes: recorder.envelopes, info, clauses, deviations });
    if (recorder.failure) throw unwritable(out, recorder.failure);
    await report(judged, out);
    return interruption.exitCode ?? exitCode(judged.verdicts, judged.problems);
  } finally {
    interruption.end();
    out.discard();
  }
}

async function record(
  driver: Driver,
  recorder: Recorder,
  progress: Progress,
  { cucumberOptions }: RunOptions,
  paths: readonly string[],
): Promise<void> {
  try {
    const onMessage = (envelope: Parameters<Recorder['record']>[0]): void => {
      recorder.record(envelope);
      progress.follow(envelope);
    };
    await execute(driver, { paths, cucumberOptions, onMessage });
  } finally {
    progress.end();
    await driver.close();
  }
}

/** Writes everything that derives from the messages, and tells the summary and where the results are. */
async function report(judged: JudgedRun, out: OutFolder): Promise<void> {
  const allureResults = join(out.partial, 'allure-results');
  try {
    writeVerdicts(join(out.partial, 'verdicts.json'), judged.verdicts);
    writeAllureResults(judged, allureResults);
  } catch (error) {
    throw unwritable(out, error as Error);
  }
  process.stdout.write(`${renderSummary(judged, { colors: pc.isColorSupported && process.stdout.isTTY })}\n`);
  const html = await generateHtml(allureResults, join(out.partial, 'allure-report'));
  out.publish();
  process.stdout.write(`\nverdicts       ${relativeToUser(join(out.final, 'verdicts.json'))}\n`);
  process.stdout.write(`Allure report  ${htmlLine(html, out)}\n`);
}

function htmlLine(html: Awaited<ReturnType<typeof generateHtml>>, out: OutFolder): string {
  if ('path' in html) return relativeToUser(join(out.final, 'allure-report', 'index.html'));
  return html.missing;
}

function relativeToUser(path: string): string {
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}

function unwritable(out: OutFolder, error: Error): HarnessError {
  return new HarnessError(`cannot write results to ${out.final}: ${error.message}`, 'free space or name another --out');
}

function nameOf(driver: string): string {
  return driver.replace(/[^\w.-]+/g, '-');
}
