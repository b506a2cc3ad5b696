import { relative } from 'node:path';
import { oneLine } from '../../catalog/plain-text';
import { RepeatFolder } from '../out/repeat-folder';

/** Exit codes of a run, the most severe first: a violation outranks what is broken. */
const mostSevereFirst = [1, 3];
const firstSignalCode = 128;

/** How runs are repeated. */
export interface RepeatOptions {
  /** What a line looks like to others. */
  readonly show?: (line: string) => string;
  /** Whether the first run that does not end with 0 is the last. */
  readonly untilFail?: boolean;
}

/**
 * Runs the suite several times, each run into a folder of its own: `1`, `2`, ... What earlier runs have left there goes
 * when the last of these has ended.
 *
 * @param run - runs once, into the folder that it is given
 * @returns the most severe exit code; a run that a signal has ended is the last
 */
export async function repeat(
  times: number,
  out: string,
  run: (out: string) => Promise<number>,
  { show = (line) => line, untilFail = false }: RepeatOptions = {},
): Promise<number> {
  const codes: number[] = [];
  const folder = new RepeatFolder(out, times);
  try {
    for (let number = 1; number <= times; number++) {
      process.stderr.write(`verbspec: run ${number} of ${times}\n`);
      const code = await run(folder.run(number));
      if (code >= firstSignalCode) return code;
      codes.push(code);
      if (untilFail && code !== 0) break;
    }
    folder.complete();
  } finally {
    const earlier = folder.end();
    if (earlier !== undefined)
      process.stderr.write(`verbspec: the runs before these are in ${oneLine(show(earlier))}\n`);
  }
  const name = oneLine(show(relative(process.cwd(), out) || '.'));
  process.stdout.write(
    `\n${codes.length === 1 ? '1 run' : `${codes.length} runs`} in ${name}: \`verbspec gate --baseline FILE ${name}\` lists what differs\n`,
  );
  return mostSevereFirst.find((code) => codes.includes(code)) ?? 0;
}
