import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The folder of this user for things of one kind that can be made again: `~/.cache/verbspec/<kind>`. */
export function cacheFolder(kind: string): string {
  const base = process.env.XDG_CACHE_HOME;
  // The XDG specification has relative paths ignored.
  const root = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache');
  return join(root, 'verbspec', kind);
}

/**
 * Does work in a temporary folder below `parent`, which is removed afterwards. So is what a killed process has left there.
 * What shall stay is moved out with {@link publish}.
 */
export async function inTemporaryFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(parent, { recursive: true });
  await removeStale(parent);
  const folder = await mkdtemp(join(parent, temporaryPrefix()));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a finished folder appear under its final name, whole and at once. If another process was faster, its folder stays. */
export async function publish(finished: string, final: string): Promise<void> {
  try {
    await rename(finished, final);
  } catch (error) {
    if (!existsSync(final)) throw error;
  }
}

/** Host and process are part of the name, so that others can tell whether its maker still lives. */
function temporaryPrefix(pid = process.pid): string {
  return `.tmp-${hostname()}-${pid}-`;
}

async function removeStale(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = Number(/-(\d+)-[^-]+$/.exec(entry)?.[1]);
    if (entry.startsWith(temporaryPrefix(pid)) && !isAlive(pid)) {
      await rm(join(parent, entry), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
