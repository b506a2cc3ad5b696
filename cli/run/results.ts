import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installCommand } from '../../drivers/support/checks';
import { HarnessError } from '../../drivers/contract';
import { writeCiFormats } from '../../reports/ci-formats/write';
import { writeAllureResults } from '../../reports/allure/allure';
import {
  findJava,
  generateHtml,
  launcher,
  misleadingJavaHome,
  type HtmlOptions,
  type HtmlReport,
} from '../../reports/allure/allure-html';
import type { AllureHistory } from '../../reports/allure/allure-history';
import type { Causes } from '../../reports/diagnosis/causes';
import { causesName, writeCauses } from '../../reports/diagnosis/causes-file';
import { edgesName } from '../../reports/cell-coverage/edges-file';
import { writeEvidence } from '../../reports/evidence/evidence';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { writeListableFailures } from '../../reports/judge/listable-failures';
import { oneLine, plainText } from '../../catalog/plain-text';
import { runTitle } from '../../reports/evidence/run-title';
import { conformance } from '../../reports/run-page/headline';
import { runPageName } from '../../reports/run-page/run-page';
import { writeRunPage } from '../../reports/run-page/write';
import { renderSummary } from '../../reports/summary/summary';
import { writeVerdicts, type Verdicts } from '../../reports/judge/verdicts';
import { manSentences } from '../inputs/man-sentences';
import { hasColors } from '../common/colors';
import type { OutFolder } from '../out/out-folder';
import { exitLine } from './exit-line';

const allureResults = 'allure-results';

/** What the run has to say of itself beside what was judged. */
export interface RunEnd {
  /** Whether a signal has cut it off. */
  readonly interrupted: boolean;
  /** Why the messages are not written whole. */
  readonly failure: Error | undefined;
  /** Whether each rule has a line. */
  readonly verbose: boolean;
  /** The exit code, by whether the report could be made. */
  readonly exitCode: (reported: boolean) => number;
  /** Makes it do without HTML. */
  readonly signal: AbortSignal;
  /** What its failures look like. */
  readonly causes: Causes;
  /** What the kernel module of the device has executed, where it records that: in a line, and as a file. */
  readonly edges: { readonly words: string; readonly file: string } | undefined;
}

/**
 * Writes everything that derives from the messages, and prints the summary and where the results are. Results that are
 * not whole, or cannot be written whole, leave those of an earlier run as they are.
 *
 * @param history - what Allure remembers of earlier runs
 * @param show - what a path looks like to others
 * @returns the exit code; without Java the HTML is left out, which is not a failure
 * @throws HarnessError if something could not be written; what fits is there
 */
export async function reportRun(
  judged: JudgedRun,
  out: OutFolder,
  { interrupted, failure, causes, edges, verbose, exitCode, signal }: RunEnd,
  history: AllureHistory | undefined,
  show: (line: string) => string,
): Promise<number> {
  const shown = (path: string): string => oneLine(show(relativeToUser(path)));
  const page = { judged, causes, interrupted, folder: shown(out.final), sentences: manSentences(judged) };
  const pageFor = (reported: boolean, hasReport: boolean) => (): void => {
    writeRunPage({ ...page, exit: exitLine(exitCode(reported), judged) }, out.partial, hasReport);
  };
  const results = [...resultsOf(judged, causes, out.partial, history), ...edgeResults(edges, out.partial)];
  const unwritten = write([...results, [[runPageName], pageFor(true, findJava() !== undefined)]], out, failure);
  const color = hasColors(process.stdout);
  process.stdout.write(renderSummary(judged, { color, columns: process.stdout.columns || 80, verbose }, causes));
  out.keep(interrupted ? 'interrupted' : unwritten === undefined ? 'whole' : 'incomplete');
  if (unwritten !== undefined) throw incomplete(out, unwritten);
  const html = await makeHtml(out, { name: reportTitle(judged.verdicts), signal });
  const unremembered = failureOf(() => {
    if ('path' in html) history?.renewFrom(html.path);
  });
  if ('error' in html && failureOf(pageFor(false, false)) !== undefined) out.remove(runPageName);
  const elsewhere = out.end();
  const code = exitCode(!('error' in html));
  const paths = [
    ['page of the run', join(out.path, runPageName)],
    ['verdicts', join(out.path, 'verdicts.json')],
  ] as const;
  process.stdout.write(`${exitLine(code, judged)}\n\n`);
  for (const [name, path] of paths) process.stdout.write(placeLine(name, shown(path)));
  if (edges !== undefined) {
    process.stdout.write(placeLine('edges', `${oneLine(edges.words)}: ${shown(join(out.path, edgesName))}`));
  }
  if (elsewhere !== undefined) {
    process.stdout.write(placeLine('earlier run', `${shown(out.final)}, as it was: this one is not whole`));
  }
  tellHtml(html, out, show);
  if (unremembered !== undefined) throw unremembered;
  return code;
}

/** What an Allure report of a run is called: Allure itself counts scenarios, of which known deviations are none to it. */
export function reportTitle(verdicts: Verdicts): string {
  return `${runTitle(verdicts)}; ${conformance(verdicts)}`;
}

/** Makes the HTML report of the Allure results in a folder. */
export async function makeHtml(out: OutFolder, options: HtmlOptions): Promise<HtmlReport> {
  const html = await out.making('allure-report', (path) =>
    generateHtml(join(out.partial, allureResults), path, options),
  );
  if ('error' in html) out.remove('allure-report');
  return html;
}

/** Tells where the HTML report is, or why there is none. */
export function tellHtml(html: HtmlReport, out: OutFolder, show = (line: string): string => line): void {
  process.stdout.write(placeLine('Allure report', plainText(show(htmlLine(html, out)))));
}

/** Tells where the page of a run is, or why there is none. */
export function tellPage(place: string): void {
  process.stdout.write(placeLine('page of the run', place));
}

/** What something is called, and where it is. */
function placeLine(name: string, place: string): string {
  return `${name.padEnd('page of the run'.length)}  ${place}\n`;
}

/** What could not be written, and why. */
interface Unwritten {
  readonly names: readonly string[];
  readonly reason: Error;
}

/** Files or folders, and what writes them. */
type Output = readonly [names: readonly string[], write: () => void];

/** What derives from the messages, what counts most first. */
function resultsOf(judged: JudgedRun, causes: Causes, folder: string, history: AllureHistory | undefined): Output[] {
  return [
    [
      ['verdicts.json'],
      () => {
        writeVerdicts(join(folder, 'verdicts.json'), judged.verdicts);
      },
    ],
    [
      ['failures.json'],
      () => {
        writeListableFailures(judged, folder);
      },
    ],
    [
      [causesName],
      () => {
        writeCauses(causes, join(folder, causesName));
      },
    ],
    [
      ['trace', 'kernel.log'],
      () => {
        writeEvidence(judged, folder);
      },
    ],
    [
      ['junit.xml', 'results.ktap'],
      () => {
        writeCiFormats(judged, causes, folder);
      },
    ],
    [
      [allureResults],
      () => {
        writeAllureResults(judged, join(folder, allureResults), { causes, ...(history && { history }) });
      },
    ],
  ];
}

function edgeResults(edges: RunEnd['edges'], folder: string): Output[] {
  if (edges === undefined) return [];
  return [
    [
      [edgesName],
      () => {
        writeFileSync(join(folder, edgesName), edges.file);
      },
    ],
  ];
}

/** Writes what there is room for; what cannot be written whole is left out, except for messages. */
function write(outputs: readonly Output[], out: OutFolder, failure: Error | undefined): Unwritten | undefined {
  const failed = outputs.flatMap(([names, write]) => {
    const reason = failureOf(write);
    if (reason !== undefined) for (const name of names) out.remove(name);
    return reason === undefined ? [] : [{ names, reason }];
  });
  const all = failure === undefined ? failed : [{ names: ['messages.ndjson'], reason: failure }, ...failed];
  const [first] = all;
  return first && { names: all.flatMap(({ names }) => names), reason: first.reason };
}

function failureOf(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function htmlLine(html: HtmlReport, out: OutFolder): string {
  const folder = relativeToUser(out.path);
  if ('path' in html) return join(folder, 'allure-report', 'index.html');
  if ('error' in html) return `failed: ${html.error}`;
  const [report, results] = ['allure-report', allureResults].map((name) => quoted(join(folder, name)));
  const generate = `${quoted(relativeToUser(launcher))} generate --single-file -o ${report} ${results}`;
  const home = misleadingJavaHome();
  if (home !== undefined) return `no HTML, JAVA_HOME is ${home}, without bin/java: unset JAVA_HOME && ${generate}`;
  return `no HTML, there is no Java: ${installCommand('default-jre-headless')} && ${generate}`;
}

/** A path as the user knows it: from the folder that he is in, if it lies in there. */
export function relativeToUser(path: string): string {
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}

/** Publishes what fits. */
function incomplete(out: OutFolder, { names, reason }: Unwritten): HarnessError {
  out.end();
  const fits = readdirSync(out.path).filter((name) => !name.startsWith('.'));
  const kept = `${fits.join(', ')} in ${relativeToUser(out.path)}`;
  return new HarnessError(
    `cannot write results to ${out.final}: ${names.join(', ')}: ${reason.message}; what fits is ${kept}`,
    'free space or name another --out',
  );
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
