import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './files';

/** What follows the name of the host: the process, the random part, and perhaps `-old` for what it has put aside. */
const rest = /^(\d+)-[A-Za-z0-9]{6}(-old)?$/;

/** How a temporary folder differs from a private one whose leftovers are worth nothing. */
export interface TemporaryFolderOptions {
  /** Permissions, before the umask. */
  readonly mode?: number;
  /** What becomes of a folder that a dead process has left. */
  readonly discard?: (path: string) => void;
}

/**
 * Makes a folder for this process in `parent`, and discards those of dead processes.
 *
 * @param prefix - what its name begins with; host and process follow, so that others can tell whether its maker lives
 */
export function makeTemporaryFolder(
  parent: string,
  prefix: string,
  { mode = 0o700, discard = remove }: TemporaryFolderOptions = {},
): string {
  makeFolder(parent);
  const ofThisHost = `${prefix}${hostname()}-`;
  for (const name of readdirSync(parent).sort()) {
    const pid = name.startsWith(ofThisHost) ? rest.exec(name.slice(ofThisHost.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) discard(join(parent, name));
  }
  const folder = join(parent, `${ofThisHost}${process.pid}-${randomBytes(3).toString('hex')}`);
  mkdirSync(folder, { mode });
  return folder;
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

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
