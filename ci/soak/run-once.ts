import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from '../../cli/common/project';
import { parseVerdicts } from '../../reports/judge/verdicts';
import type { RunOutcome } from './observations';

const program = join(root, 'cli', 'verbspec.js');

/** Nobody reads the HTML of so many runs. */
const withoutHtml = { JAVA_HOME: '/nonexistent' };

/** A `verbspec run` under way. */
export interface RunUnderWay {
  readonly outcome: Promise<RunOutcome>;
  signal(signal: NodeJS.Signals): void;
}

/**
 * Starts `verbspec run`; its output is kept in `output.txt` beside its results. It gets its signals from us alone: one that a terminal sent to both of us would come twice,
 * and then the run would not end in order.
 */
export function runOnce(args: readonly string[], order: string, out: string): RunUnderWay {
  const child = spawn(process.execPath, [program, 'run', ...args, '--order', order, '--out', out], {
    env: { ...process.env, ...withoutHtml },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let told = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const outcome = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'output.txt'), complaints + told);
    const exitCode = typeof code === 'number' ? code : 128 + constants.signals[signal as NodeJS.Signals];
    return { exitCode, ...verdictsIn(out), lastWords: lastWordsIn(complaints) };
  });
  return { outcome, signal: (signal) => child.kill(signal) };
}

function verdictsIn(out: string): Pick<RunOutcome, 'verdicts'> {
  const path = join(out, 'verdicts.json');
  return existsSync(path) ? { verdicts: parseVerdicts(readFileSync(path, 'utf8'), path) } : {};
}

/** The last line that is an error and not progress. */
function lastWordsIn(said: string): string {
  const lines = said.split('\n').filter((line) => line.startsWith('verbspec: ') && !line.includes(', device '));
  return lines.at(-1) ?? '';
}
