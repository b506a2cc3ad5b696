import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder, namesIn } from './files';

/** What follows the name of the host: the process, the random part, and perhaps `-old` for what it has put aside. */
const rest = /^(\d+)-[A-Za-z0-9]{6}(-old)?$/;

/** What the names of such folders begin with in the user's cache, and in the system's folder for temporary files. */
export const temporaryPrefixes = { cache: '.tmp-', system: 'verbspec-' } as const;

/**
 * Makes a folder for this process in `parent`, and removes those of dead processes.
 *
 * @param prefix - what its name begins with; host and process follow, so that others can tell whether its maker lives
 */
export function makeTemporaryFolder(parent: string, prefix: string): string {
  makeFolder(parent);
  removeAbandonedFolders(parent, prefix);
  return mkdtempSync(join(parent, `${ofThisHost(prefix)}${process.pid}-`));
}

/**
 * Removes the folders of dead processes of this user on this machine. What cannot be removed stays.
 *
 * @param prefix - as for {@link makeTemporaryFolder}
 */
export function removeAbandonedFolders(parent: string, prefix: string): void {
  const start = ofThisHost(prefix);
  for (const name of namesIn(parent)) {
    const pid = name.startsWith(start) ? rest.exec(name.slice(start.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) removeOwn(join(parent, name));
  }
}

function ofThisHost(prefix: string): string {
  return `${prefix}${hostname()}-`;
}

function removeOwn(folder: string): void {
  try {
    if (lstatSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // else another process was faster, or it stays
  }
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
