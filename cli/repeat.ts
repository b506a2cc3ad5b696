import { readdirSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { oneLine } from '../reports/plain-text';
import { marksOfRun } from './out-folder';
import { repeatedRuns } from './recorded-runs';

/** Exit codes of a run, the gravest first: a violation outranks what is broken. */
const gravestFirst = [1, 3];
const firstSignalCode = 128;

/** What a single run leaves in its folder. */
const resultsOfOne = [
  'verdicts.json',
  'messages.ndjson',
  'junit.xml',
  'results.ktap',
  'kernel.log',
  'trace',
  'allure-results',
  'allure-report',
];

/**
 * Runs the suite several times, each run into a folder of its own: `1`, `2`, ... What earlier runs have left there goes
 * when the first of these has results.
 *
 * @param run - runs once, into the folder that it is given
 * @param show - what a line looks like to others
 * @returns the gravest exit code; a run that a signal has ended is the last
 */
export async function repeat(
  times: number,
  out: string,
  run: (out: string) => Promise<number>,
  show: (line: string) => string = (line) => line,
): Promise<number> {
  const codes: number[] = [];
  for (let number = 1; number <= times; number++) {
    process.stderr.write(`verbspec: run ${number} of ${times}\n`);
    const code = await run(join(out, String(number)));
    if (number === 1) removeEarlier(out);
    if (code >= firstSignalCode) return code;
    codes.push(code);
  }
  const folder = oneLine(show(relative(process.cwd(), out) || '.'));
  process.stdout.write(
    `\n${times} runs in ${folder}: \`verbspec gate --baseline FILE ${folder}\` tells what differs\n`,
  );
  return gravestFirst.find((code) => codes.includes(code)) ?? 0;
}

function removeEarlier(out: string): void {
  const runs = repeatedRuns(out).filter((folder) => basename(folder) !== '1');
  const files = readdirSync(out);
  const single = marksOfRun.some((mark) => files.includes(mark)) ? resultsOfOne.map((name) => join(out, name)) : [];
  for (const path of [...runs, ...single]) rmSync(path, { recursive: true, force: true });
}
