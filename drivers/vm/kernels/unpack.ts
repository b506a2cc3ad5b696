import { join } from 'node:path';
import { HarnessError } from '../../contract';
import { PrivateApt } from './apt';
import type { OnProgress } from './kernel';
import { runProgram } from '../../support/programs';
import { compareReleases, type Suite } from './releases';

/** Where packages go. */
export interface Unpacking {
  /** Folder for what is only needed meanwhile. */
  readonly work: string;
  /** Folder that their files are put into. */
  readonly tree: string;
  readonly progress: OnProgress;
}

/**
 * Unpacks packages of a suite, and the libraries that they need. The C library is among them where this machine's is too
 * old. Nothing is installed.
 */
export async function unpackWithLibraries(
  suite: Suite,
  wanted: readonly string[],
  { work, tree, progress }: Unpacking,
): Promise<void> {
  progress(`reading the package lists of Debian ${suite.name}`);
  const apt = await PrivateApt.open(join(work, 'apt'), suite);
  for (const name of await withLibraries(apt, wanted)) {
    const { file } = await apt.describe(name);
    progress(`unpacking ${file}`);
    await apt.fetch(name, work);
    await runProgram('dpkg-deb', ['-x', join(work, file), tree]);
  }
}

/** Packages that are wanted, and the libraries that they need, theirs too. */
async function withLibraries(apt: PrivateApt, wanted: readonly string[]): Promise<readonly string[]> {
  const packages = new Set(wanted);
  const libcs: string[] = [];
  for (const name of packages) {
    const needed = await apt.librariesOf(name);
    for (const library of needed.packages) packages.add(library); // visited later in this loop
    if (needed.libc !== undefined) libcs.push(needed.libc);
  }
  return libcs.some((version) => compareReleases(version, ownLibc()) > 0) ? [...packages, 'libc6'] : [...packages];
}

/** Version of the C library that this process runs on. */
function ownLibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  if (header.glibcVersionRuntime === undefined) throw new HarnessError('this Node does not run on the GNU C library');
  return header.glibcVersionRuntime;
}
