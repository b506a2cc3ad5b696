import { execFile, type ExecFileException } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { dyingWithParent } from '../../drivers/support/dying-with-parent';
import { makeTemporaryFolder, temporaryPrefixes } from '../../drivers/support/temporary-folder';
import { embeddedFile, mendPage } from './allure-page';
import { oneLine } from '../../catalog/plain-text';

/** What became of the HTML report. */
export type HtmlReport =
  | { readonly path: string }
  /** There is no Java on this machine; the results are there anyway, and Allure elsewhere can read them. */
  | { readonly missing: 'java' }
  | { readonly error: string };

export interface HtmlOptions {
  /** Title of the report. */
  readonly name?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends Allure and does without a report. */
  readonly signal?: AbortSignal;
}

/** The Allure that makes the reports. */
export const launcher = join(dirname(require.resolve('allure-commandline/package.json')), 'dist', 'bin', 'allure');
const generationMaxMs = 300_000;
const wordsMax = 300;

/**
 * Makes a report of Allure results: one file that opens without a server and asks nothing of the network.
 *
 * The tool succeeds for an empty folder and for results it cannot read, so the report is asked how many it has.
 *
 * @param resultsDir - a folder that {@link writeAllureResults} filled
 * @param reportDir - the folder for `index.html`; what it held before is removed
 */
export async function generateHtml(
  resultsDir: string,
  reportDir: string,
  { name = 'verbspec', env = process.env, signal }: HtmlOptions = {},
): Promise<HtmlReport> {
  const expected = countResults(resultsDir);
  if (expected === 0) return { error: `${resultsDir} holds no Allure results` };
  if (findJava(env) === undefined) return { missing: 'java' };
  const args = ['generate', '--single-file', '--clean', '--name', name, '--output', reportDir, resultsDir];
  const failure = await withCrashLogs((folder) => run(args, { ...env, JAVA_OPTS: javaOptions(env, folder) }, signal));
  if (signal?.aborted === true) {
    rmSync(reportDir, { recursive: true, force: true });
    return { error: 'it was interrupted' };
  }
  if (failure !== undefined) return { error: failure };
  const path = join(reportDir, 'index.html');
  const reported = countReported(path);
  if (reported !== expected) {
    return { error: `${path} shows ${reported ?? 'an unknown number'} of ${expected} results` };
  }
  mendPage(path);
  return { path };
}

function countResults(resultsDir: string): number {
  try {
    return readdirSync(resultsDir).filter((file) => file.endsWith('-result.json')).length;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** The Java that the launcher takes: that of JAVA_HOME where it is set, and otherwise that of the path. */
export function findJava(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { JAVA_HOME: home = '', PATH: path = '' } = env;
  const folders = home === '' ? path.split(delimiter).filter((folder) => folder !== '') : [join(home, 'bin')];
  return folders.map((folder) => join(folder, 'java')).find(isExecutable);
}

/** JAVA_HOME where it leads to no Java: that of the path is not looked for then. */
export function misleadingJavaHome(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { JAVA_HOME: home = '' } = env;
  return home !== '' && findJava(env) === undefined ? home : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Runs Allure; resolves with what it said if it failed. */
function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const limits = { timeout: generationMaxMs, killSignal: 'SIGKILL', ...(signal && { signal }) } as const;
  const options = { env: { ...env, ALLURE_NO_ANALYTICS: 'true' }, ...limits };
  const [program, words] = dyingWithParent(launcher, args);
  return new Promise((resolve) => {
    execFile(program, [...words], options, (error, stdout, stderr) => {
      if (!error) {
        resolve(undefined);
        return;
      }
      const isLate = error.killed === true && signal?.aborted !== true;
      const end = isLate ? `gave no report within ${generationMaxMs / 1000} s` : `failed with ${endOf(error)}`;
      resolve([`Allure ${end}`, ...lastWords(`${stderr}\n${stdout}`)].join(': '));
    });
  });
}

/**
 * A Java that crashes writes its memory and environment where an option says, or else into the working folder. A report
 * takes a few seconds, half of which would go into optimizing code that does not run for long enough to pay for it.
 */
function javaOptions({ JAVA_OPTS: own = '' }: NodeJS.ProcessEnv, crashLogs: string): string {
  return `-XX:ErrorFile='${join(crashLogs, 'hs_err_%p.log')}' -XX:TieredStopAtLevel=1 ${own}`;
}

/** Runs Allure with a folder for what Java writes when it crashes, which nobody needs afterwards. */
async function withCrashLogs(run: (folder: string) => Promise<string | undefined>): Promise<string | undefined> {
  let folder: string;
  try {
    folder = makeTemporaryFolder(tmpdir(), temporaryPrefixes.system);
  } catch (error) {
    return `there is no folder for temporary files; set TMPDIR: ${(error as Error).message}`;
  }
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function endOf({ code, signal }: ExecFileException): string {
  return typeof code === 'number' ? `exit code ${code}` : (signal ?? String(code));
}

/** The line of its output that says most; frames of a stack and banners of a JVM say nothing. */
function lastWords(output: string): string[] {
  const lines = output
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '' && !/^(at |\.\.\. \d+ more)/.test(line));
  const line = lines.find((text) => /error|exception|fatal|cannot|not /i.test(text)) ?? lines[0];
  return line === undefined ? [] : [line.slice(0, wordsMax)];
}

/** How many results a single-file report shows. */
function countReported(path: string): number | undefined {
  try {
    const data = embeddedFile(readFileSync(path, 'utf8'), 'widgets/summary.json');
    if (data === undefined) return undefined;
    const summary = JSON.parse(data) as { statistic?: { total?: number } };
    return summary.statistic?.total;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
