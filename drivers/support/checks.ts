import { existsSync } from 'node:fs';
import { findProgram } from './files';

/** Something that a driver needs of this machine, or would use, as `verbspec doctor` reports it. */
export interface Check {
  readonly name: string;
  /** `missing` keeps the driver from running; `optional` is missing too, and the driver can do without. */
  readonly status: 'ok' | 'missing' | 'optional';
  /** What was found, in a few words. */
  readonly found: string;
  /** The command or action that fixes it; there unless all is well. */
  readonly remedy?: string;
}

export function checkOf(name: string, isThere: boolean, found: string, remedy: string): Check {
  return isThere ? { name, status: 'ok', found } : { name, status: 'missing', found, remedy };
}

/** The same check of something that a driver can do without. */
export function optional(asked: Check): Check {
  return asked.status === 'missing' ? { ...asked, status: 'optional' } : asked;
}

export function programCheck(program: string, debianPackage: string, name = program): Check {
  const path = findProgram(program);
  return checkOf(name, path !== undefined, path ?? 'missing', installCommand(debianPackage));
}

export function fileCheck(name: string, path: string, remedy: string): Check {
  const isThere = existsSync(path);
  return checkOf(name, isThere, isThere ? path : 'missing', remedy);
}

const oldestNode = 20;

export function nodeCheck(version = process.versions.node): Check {
  const isNew = Number.parseInt(version, 10) >= oldestNode;
  return checkOf(`Node.js ${oldestNode} or newer`, isNew, version, 'install a newer one, see https://nodejs.org');
}

/** The command of root, as this user calls it. */
export function asRoot(command: string): string {
  return process.getuid?.() === 0 ? command : `sudo ${command}`;
}

/** The command that installs Debian packages, for this user. */
export function installCommand(...packages: readonly string[]): string {
  return asRoot(`apt-get install -y --no-install-recommends ${packages.join(' ')}`);
}
