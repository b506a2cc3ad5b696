import { existsSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HarnessError } from '../contract';
import { namesIn } from './files';
import { makeTemporaryFolder, temporaryPrefixes } from './temporary-folder';

/**
 * The folder of this user for things of one kind that can be made again: `~/.cache/verbspec/<kind>`. What lies there is
 * run, so it is one that no other user can have filled.
 *
 * @throws {@link HarnessError} if a user without a home finds that somebody else was first
 */
export function cacheFolder(kind: string, env: NodeJS.ProcessEnv = process.env, home = accountHome): string {
  const { root, isAmongOthers } = cacheRoot(env, home);
  if (isAmongOthers) keepPrivate(root);
  return join(root, 'verbspec', kind);
}

/** The folders of all kinds that there are. */
export function cacheKinds(env: NodeJS.ProcessEnv = process.env, home = accountHome): readonly string[] {
  const folder = join(cacheRoot(env, home).root, 'verbspec');
  return namesIn(folder).map((kind) => join(folder, kind));
}

/**
 * The XDG specification has relative paths ignored. Under sudo, HOME may be that of another user, who can write there. A
 * user without a home of his own, as containers have, keeps less long.
 */
function cacheRoot(env: NodeJS.ProcessEnv, home: () => string | undefined): { root: string; isAmongOthers: boolean } {
  const { XDG_CACHE_HOME: base = '', HOME = '' } = env;
  if (isAbsolute(base)) return { root: base, isAmongOthers: false };
  const folder = [HOME, home() ?? ''].find((one) => isAbsolute(one) && isOwn(one));
  if (folder !== undefined) return { root: join(folder, '.cache'), isAmongOthers: false };
  return { root: join(tmpdir(), `cache-of-user-${process.getuid?.()}`), isAmongOthers: true };
}

/** The name of the folder is known to all, and all may make one there. */
function keepPrivate(folder: string): void {
  const remedy = 'set XDG_CACHE_HOME to a folder of yours';
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new HarnessError(`no folder for what is kept between runs: ${message}`, remedy);
  }
  const stat = lstatSync(folder);
  if (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0) return;
  throw new HarnessError(`others than you can write to ${folder}, or have made it, so nothing in it is used`, remedy);
}

/** Whether the folder is there, and belongs to this user. */
function isOwn(folder: string): boolean {
  try {
    return statSync(folder).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** The home that the system's list of users has for this one, or `undefined` if he is not in it. */
function accountHome(): string | undefined {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Does work in a temporary folder below `parent`, which is removed afterwards. So is what a killed process has left there.
 * What shall stay is moved out with {@link putInPlace}.
 */
export async function inTemporaryFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = makeTemporaryFolder(parent, temporaryPrefixes.cache);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a finished folder appear under its final name, whole and at once. If another process was faster, its folder stays. */
export async function putInPlace(finished: string, final: string): Promise<void> {
  try {
    await rename(finished, final);
  } catch (error) {
    if (!existsSync(final)) throw error;
  }
}
