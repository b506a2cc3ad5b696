import { join, relative } from 'node:path';
import { installCommand } from '../drivers/checks';
import { HarnessError } from '../drivers/contract';
import { writeCiFormats } from '../reports/ci-formats/write';
import { writeAllureResults } from '../reports/allure';
import { generateHtml, launcher, misleadingJavaHome, type HtmlOptions, type HtmlReport } from '../reports/allure-html';
import type { AllureHistory } from '../reports/allure-history';
import { writeEvidence } from '../reports/evidence';
import type { JudgedRun } from '../reports/judge';
import { runTitle } from '../reports/run-title';
import { renderSummary } from '../reports/summary';
import { writeVerdicts } from '../reports/verdicts';
import { hasColors } from './colors';
import type { OutFolder } from './out-folder';

/**
 * Writes everything that derives from the messages, and tells the summary and where the results are. Results that
 * cannot be written whole leave those of an earlier run as they are.
 *
 * @param failure - why the messages are not written whole
 * @param history - what Allure remembers of earlier runs
 * @param signal - makes it do without HTML
 * @returns whether all of it could be made; without Java the HTML is left out, which is no failure
 */
export async function reportRun(
  judged: JudgedRun,
  out: OutFolder,
  failure: Error | undefined,
  history: AllureHistory | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const allureResults = join(out.partial, 'allure-results');
  const unwritten = failure ?? writeResults(judged, out.partial, allureResults, history);
  const color = hasColors(process.stdout);
  process.stdout.write(renderSummary(judged, { color, columns: process.stdout.columns || 80 }));
  if (unwritten !== undefined) {
    out.drop();
    throw unwritable(out, unwritten);
  }
  const html = await makeHtml(out, { name: runTitle(judged.verdicts), signal });
  if ('path' in html) history?.renewFrom(html.path);
  out.end();
  process.stdout.write(`\nverdicts       ${relativeToUser(join(out.final, 'verdicts.json'))}\n`);
  tellHtml(html, out);
  return !('error' in html);
}

/** Makes the HTML report of the Allure results in a folder. */
export function makeHtml(out: OutFolder, options: HtmlOptions): Promise<HtmlReport> {
  return generateHtml(join(out.partial, 'allure-results'), join(out.partial, 'allure-report'), options);
}

/** Tells where the HTML report is, or why there is none. */
export function tellHtml(html: HtmlReport, out: OutFolder): void {
  process.stdout.write(`Allure report  ${htmlLine(html, out)}\n`);
}

/** @returns why not all could be written */
function writeResults(
  judged: JudgedRun,
  folder: string,
  allureResults: string,
  history: AllureHistory | undefined,
): Error | undefined {
  try {
    writeVerdicts(join(folder, 'verdicts.json'), judged.verdicts);
    writeAllureResults(judged, allureResults, history);
    writeEvidence(judged, folder);
    writeCiFormats(judged, folder);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function htmlLine(html: HtmlReport, out: OutFolder): string {
  const folder = relativeToUser(out.final);
  if ('path' in html) return join(folder, 'allure-report', 'index.html');
  if ('error' in html) return `failed: ${html.error}`;
  const [report, results] = ['allure-report', 'allure-results'].map((name) => quoted(join(folder, name)));
  const generate = `${quoted(relativeToUser(launcher))} generate --single-file -o ${report} ${results}`;
  const home = misleadingJavaHome();
  if (home !== undefined) return `no HTML, JAVA_HOME is ${home}, without bin/java: unset JAVA_HOME && ${generate}`;
  return `no HTML, there is no Java: ${installCommand('default-jre-headless')} && ${generate}`;
}

function relativeToUser(path: string): string {
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}

function unwritable(out: OutFolder, error: Error): HarnessError {
  return new HarnessError(`cannot write results to ${out.final}: ${error.message}`, 'free space or name another --out');
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
