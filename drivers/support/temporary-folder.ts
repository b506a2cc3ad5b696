import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder, namesIn } from './files';

/** What follows the name of the host: the process, the random part, and perhaps `-old` for what it has put aside. */
const rest = /^(\d+)-[A-Za-z0-9]{6}(-old)?$/;

/** What the names of such folders begin with in the user's cache, and in the system's folder for temporary files. */
export const temporaryPrefixes = { cache: '.tmp-', system: 'verbspec-' } as const;

/** How a temporary folder differs from a private one whose leftovers are worth nothing. */
export interface TemporaryFolderOptions {
  /** Permissions, before the umask. */
  readonly mode?: number;
  /** What becomes of a folder that a dead process of this user has left. */
  readonly discard?: (path: string) => void;
}

/**
 * Makes a folder for this process in `parent`, and discards those of dead processes.
 *
 * @param prefix - what its name begins with; host and process follow, so that others can see whether its maker lives
 */
export function makeTemporaryFolder(
  parent: string,
  prefix: string,
  { mode = 0o700, discard = remove }: TemporaryFolderOptions = {},
): string {
  makeFolder(parent);
  discardAbandonedFolders(parent, prefix, discard);
  const folder = join(parent, `${ofThisHost(prefix)}${process.pid}-${randomBytes(3).toString('hex')}`);
  mkdirSync(folder, { mode });
  return folder;
}

/**
 * Discards the folders of dead processes of this user on this machine. By default it removes them; what cannot
 * be removed stays.
 *
 * @param prefix - as for {@link makeTemporaryFolder}
 */
export function discardAbandonedFolders(parent: string, prefix: string, discard = remove): void {
  const start = ofThisHost(prefix);
  for (const name of namesIn(parent)) {
    const pid = name.startsWith(start) ? rest.exec(name.slice(start.length))?.[1] : undefined;
    const path = join(parent, name);
    if (pid !== undefined && !isAlive(Number(pid)) && isOwn(path)) discard(path);
  }
}

function ofThisHost(prefix: string): string {
  return `${prefix}${hostname()}-`;
}

function isOwn(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
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
