import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Something that a driver needs of this machine, as `verbspec doctor` tells it. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was found, in a few words. */
  readonly found: string;
  /** The command, or the deed, that mends it. */
  readonly remedy: string;
}

/** Where administrators' programs lie, which the search path of a plain user often lacks. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'];

/** Path of a program, or `undefined` if this machine has none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find((path) => mayAccess(path, constants.X_OK));
}

export function programCheck(name: string, debianPackage: string): Check {
  const path = findProgram(name);
  return { what: name, ok: path !== undefined, found: path ?? 'missing', remedy: installCommand(debianPackage) };
}

export function fileCheck(what: string, path: string, remedy: string): Check {
  const ok = existsSync(path);
  return { what, ok, found: ok ? path : 'missing', remedy };
}

/** The command that installs Debian packages, for this user. */
export function installCommand(...packages: readonly string[]): string {
  return `${process.getuid?.() === 0 ? '' : 'sudo '}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
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

/** Names in a folder, none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
