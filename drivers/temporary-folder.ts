import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './files';

/** What follows the name of the host: the process, the random part, and perhaps `-old` for what it has put aside. */
const rest = /^(\d+)-[A-Za-z0-9]{6}(-old)?$/;

/**
 * Makes a folder for this process in `parent`, and removes those of dead processes.
 *
 * @param prefix - what its name begins with; host and process follow, so that others can tell whether its maker lives
 */
export function makeTemporaryFolder(parent: string, prefix: string): string {
  makeFolder(parent);
  const ofThisHost = `${prefix}${hostname()}-`;
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(ofThisHost) ? rest.exec(name.slice(ofThisHost.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${ofThisHost}${process.pid}-`));
}

/** Whether there is a process of that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
