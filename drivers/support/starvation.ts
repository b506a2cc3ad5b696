import { readdirSync, readFileSync } from 'node:fs';

const nsPerMs = 1e6;

/** Milliseconds for which a process could not run although it would have, since somebody began to measure. */
export type Starvation = () => number;

/**
 * Begins to measure for how long other processes keep a process from running: of its threads the one counts that waits
 * longest for a processor. Where the kernel does not tell, that is 0.
 */
export function starvationOf(pid: number): Starvation {
  const before = waitsOf(pid);
  return () => {
    const waits = [...waitsOf(pid)].map(([thread, ns]) => ns - (before.get(thread) ?? ns));
    return Math.max(0, ...waits) / nsPerMs;
  };
}

/** Nanoseconds that each thread has waited for a processor: the second number of proc_pid_schedstat. */
function waitsOf(pid: number): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`;
  try {
    return new Map(
      readdirSync(folder).map((thread) => {
        const [, ns] = readFileSync(`${folder}/${thread}/schedstat`, 'latin1').split(' ');
        return [thread, Number(ns)];
      }),
    );
  } catch {
    return new Map(); // it has ended, or the kernel keeps no such account
  }
}
