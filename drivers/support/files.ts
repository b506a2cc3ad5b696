import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Where administrators' programs lie, which the search path of a plain user often lacks. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'];

/** Bytes that a text file of the user's may have unless its reader says otherwise; a string holds no more than 512 MiB. */
const textBytesMax = 256 * 1024 * 1024;

const chunkBytes = 1024 * 1024;

/** Path of a program, or `undefined` if this machine has none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders].filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => mayAccess(path, constants.X_OK));
}

/** Whether this process may access a file in that way. */
export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Whether there is a regular file; what links lead to counts. */
export function isRegularFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

/** Whether something is there that can be loaded as a module: a file or the folder of a package. A FIFO would be waited for. */
export function isFileOrFolder(path: string): boolean {
  const stat = statOf(path);
  return stat?.isFile() === true || stat?.isDirectory() === true;
}

/** Names in a folder, none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * Reads a text file that somebody else has made. A FIFO, a device or a file without an end is refused and not waited for.
 * A byte order mark is left out.
 *
 * @param bytesMax - bytes that the file may have
 * @throws Error whose message is one line without the path: not a regular file, too large, or what the system says
 */
export function readTextFile(path: string, bytesMax = textBytesMax): string {
  return readRegularFile(path, bytesMax)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/**
 * Reads a regular file that somebody else has made.
 *
 * @param bytesMax - bytes that the file may have
 * @param followsLink - whether it may be a symbolic link; where that leads is not for a stranger to say
 * @throws Error as {@link readTextFile} does
 */
export function readRegularFile(path: string, bytesMax: number, followsLink = true): Buffer {
  const file = openToRead(path, followsLink);
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new Error('it is a folder');
    if (!stat.isFile()) throw new Error('it is not a regular file');
    return readAtMost(file, bytesMax);
  } finally {
    closeSync(file);
  }
}

/** A FIFO without a writer must not hold us. */
function openToRead(path: string, followsLink: boolean): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW));
  } catch (error) {
    if (followsLink || (error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new Error('it is a symbolic link', { cause: error });
  }
}

/** Files of /proc have no size before they are read. */
function readAtMost(file: number, bytesMax: number): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= bytesMax;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  throw new Error(`it has more than ${bytesMax} bytes`);
}

/**
 * Makes a folder and those above it. Node's own never returns where the system refuses with ENOENT, as /proc does.
 *
 * @param mode - permissions of new folders, before the umask
 * @throws what the system says
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (tryToMake(folder, mode)) return;
  makeFolder(dirname(folder), mode);
  if (!tryToMake(folder, mode)) mkdirSync(folder, { mode }); // now the refusal is final, and says why
}

/** @returns whether the folder is there now; `false` only where a folder above it is missing */
function tryToMake(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && isFolder(folder)) return true;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return false;
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** What there is, or `undefined` where nothing is or nobody can look. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
