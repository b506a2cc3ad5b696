import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../support/files';
import { inOneLine } from '../../support/foreign-text';

/** Files of /proc/PID/task/TID that show what a thread is doing; the last needs root. */
export const threadFiles = ['comm', 'stat', 'syscall', 'wchan', 'stack'] as const;

/** The name that the addon gives a thread while it is inside a verb; see native/src/server/workers.cc. */
const verbThread = 'verb';

/** Threads that a message has room for. */
const threadsShown = 16;

/** Functions of the kernel that are shown of a thread's stack. */
const framesShown = 3;

/** What {@link threadFiles} say, by `TID/FILE`. */
export type ThreadTexts = ReadonlyMap<string, string>;

/** Reads what the threads of a process of this machine are doing. What cannot be read is left out. */
export function readThreads(pid: number): ThreadTexts {
  const folder = `/proc/${pid}/task`;
  const paths = namesIn(folder).flatMap((tid) => threadFiles.map((file) => `${tid}/${file}`));
  return new Map(paths.map((path) => [path, textOf(join(folder, path))]));
}

/** Threads are gone at any moment, and not everybody may look at all of them. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

/** The same from the output of head(1), which puts `==> TID/FILE <==` in front of each file. */
export function parseThreads(text: string): ThreadTexts {
  const [, ...parts] = `\n${text}`.split(/\n==> (.*) <==\n/);
  const texts = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) texts.set(parts[at] ?? '', parts[at + 1] ?? '');
  return texts;
}

/**
 * What the main thread and those inside verbs are doing, in one line:
 * `main thread: state S, in system call 34, at __do_sys_pause`. Empty if nothing is known.
 */
export function describeThreads(pid: number, texts: ThreadTexts): string {
  const tids = [...texts.keys()].filter((path) => path.endsWith('/stat')).map((path) => Number.parseInt(path, 10));
  const told = tids.flatMap((tid) => {
    const text = (file: (typeof threadFiles)[number]): string => texts.get(`${tid}/${file}`)?.trim() ?? '';
    const name = tid === pid ? 'main thread' : text('comm') === verbThread ? `thread ${tid} in a verb` : undefined;
    const state = /^.*\) (\w)/.exec(text('stat'))?.[1];
    if (name === undefined || state === undefined) return [];
    return [
      `${name}: ${[`state ${state}`, ...callOf(text('syscall')), ...placeOf(text('stack'), text('wchan'))].join(', ')}`,
    ];
  });
  return told
    .slice(0, threadsShown)
    .map((thread) => inOneLine(thread))
    .join('; ');
}

/** The file has the number of the system call and its arguments, `-1` outside of any, or `running`. */
function callOf(text: string): string[] {
  const number = /^\d+/.exec(text)?.[0];
  return number === undefined ? [] : [`in system call ${number}`];
}

/** The functions of the kernel, the innermost first. */
function placeOf(stack: string, wchan: string): string[] {
  const frames = [...stack.matchAll(/^\[<\w+>\] (\w[\w.]*)/gm)].map(([, name]) => name);
  if (frames.length > 0) return [`at ${frames.slice(0, framesShown).join(' < ')}`];
  return /^[A-Za-z_]/.test(wchan) ? [`at ${wchan}`] : [];
}
