import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HarnessError } from '../contract';

/** Where administrators' programs lie, which the search path of a plain user often lacks. */
const systemFolders = ['/usr/sbin', '/sbin', '/usr/bin', '/bin'];

/** Debian packages of the programs that the carrier needs. */
const packages = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'apt-get': 'apt',
  'apt-cache': 'apt',
  'apt-config': 'apt',
  'dpkg-deb': 'dpkg',
  busybox: 'busybox-static',
  rdma: 'iproute2',
  ip: 'iproute2',
  modprobe: 'kmod',
  setpriv: 'util-linux',
  xz: 'xz-utils',
  zstd: 'zstd',
} as const;
export type Program = keyof typeof packages;

/** Path of a program, or `undefined` if this machine has none. */
export function findProgram(name: Program): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Path of a program. @throws HarnessError that names the package to install */
export function needProgram(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw new HarnessError(`there is no ${name} on this machine`, remedyFor(name));
  return path;
}

/** Path of a busybox that runs without any library, as it must before the file system is there. */
export function needStaticBusybox(): string {
  const path = needProgram('busybox');
  if (!isStatic(path)) throw new HarnessError(`${path} is not linked statically`, remedyFor('busybox'));
  return path;
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to stdout
 * @throws HarnessError with the last line of its stderr, and the remedy given or one that suits the cause
 */
export async function run(program: Program, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { remedy, ...rest } = options;
  const path = needProgram(program);
  return new Promise((resolve, reject) => {
    execFile(path, args, { maxBuffer: 1 << 28, ...rest }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(failure(`${program} ${args[0] ?? ''}`.trim(), stderr, error, remedy));
    });
  });
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  remedy?: string;
}

/** The error of a failed program or file operation, with the remedy that its text calls for. */
export function failure(what: string, stderr: string, error: Error, remedy?: string): HarnessError {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? error.message;
  return new HarnessError(`${what} failed: ${cause.trim()}`, remedyOf(`${stderr}\n${error.message}`) ?? remedy);
}

function remedyOf(text: string): string | undefined {
  if (/No space left on device|ENOSPC/.test(text)) return 'free some space, or set XDG_CACHE_HOME to a larger disk';
  if (/Permission denied|EACCES|EPERM/.test(text)) return 'run as a user who may do this, or set XDG_CACHE_HOME';
  return undefined;
}

function remedyFor(name: Program): string {
  return `apt-get install ${packages[name]}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const PT_INTERP = 3;

/** A dynamic ELF file has a program header that names its loader. */
function isStatic(path: string): boolean {
  const head = Buffer.alloc(4096);
  const file = openSync(path, 'r');
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  const [offset, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  const types = Array.from({ length: count }, (_, index) => head.readUInt32LE(offset + index * size));
  return !types.includes(PT_INTERP);
}
