import { execFile, execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { installCommand } from './checks';
import { HarnessError } from '../contract';
import { dyingWithParent } from './dying-with-parent';
import { findProgram } from './files';

export { findProgram };

/** The programs that the carrier needs and their Debian packages; Debian's own tools come with Debian alone. */
const packages = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'apt-get': undefined,
  'apt-cache': undefined,
  'apt-config': undefined,
  'dpkg-deb': undefined,
  busybox: 'busybox-static',
  rdma: 'iproute2',
  ip: 'iproute2',
  modprobe: 'kmod',
  setpriv: 'util-linux',
  xz: 'xz-utils',
  zstd: 'zstd',
  tar: 'tar',
  unshare: 'util-linux',
} as const;
export type Program = keyof typeof packages;

/** What to do where no kernel can be fetched. */
export const ownKernelRemedy = 'name a folder that has boot/ and lib/modules/ with --kernel DIR';

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
 * Runs a program to its end, or to that of this process.
 *
 * @returns what it wrote to stdout
 * @throws HarnessError with the last line of its stderr, and the remedy given or one that suits the cause
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<string> {
  const { remedy, ...rest } = options;
  const [path, words] = dyingWithParent(needProgram(program), args);
  return new Promise((resolve, reject) => {
    const child = execFile(path, [...words], { maxBuffer: 1 << 28, ...rest }, (error, stdout, stderr) => {
      process.off('exit', kill);
      if (error === null) resolve(stdout);
      else reject(failure(`${program} ${args[0] ?? ''}`.trim(), stderr, error, remedy));
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.prependOnceListener('exit', kill); // before what it writes to is removed
  });
}

/** {@link runProgram} for what must not be broken off, nor wait for its turn: a signal that comes meanwhile is taken afterwards. */
export function runNow(program: Program, args: readonly string[]): void {
  try {
    execFileSync(needProgram(program), args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const { stderr = '' } = error as { stderr?: string };
    throw failure(`${program} ${args[0] ?? ''}`.trim(), stderr, error as Error);
  }
}

export interface ProgramOptions {
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
  const debianPackage = packages[name];
  return debianPackage === undefined ? ownKernelRemedy : installCommand(debianPackage);
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
