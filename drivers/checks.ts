import { existsSync } from 'node:fs';
import { findProgram } from './files';

/** Something that a driver needs of this machine, as `verbspec doctor` tells it. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was found, in a few words. */
  readonly found: string;
  /** The command, or the deed, that mends it. */
  readonly remedy: string;
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
