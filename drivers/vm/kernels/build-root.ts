import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, inTemporaryFolder, putInPlace } from '../../support/cache';
import { HarnessError } from '../../contract';
import { PrivateApt } from './apt';
import type { OnProgress } from './kernel';
import { runProgram } from '../../support/programs';
import { suiteOf } from './releases';

/** Where the sources of the software links are in a kernel's tree. */
export const sourceFolder = 'drivers/infiniband/sw';

/** A folder to change the root to, in which modules of one kernel are built, whatever this machine has installed. */
export interface BuildRoot {
  readonly folder: string;
  /** Sources of {@link sourceFolder}, as the kernel was built from. */
  readonly sources: string;
  /** The kernel's headers, seen from within the root. */
  readonly headers: string;
}

/** What a build needs beside the headers, which bring the compiler of the kernel along. */
const tools = ['make', 'dash', 'coreutils', 'sed', 'grep', 'mawk', 'findutils', 'diffutils', 'patch', 'binutils'];
/** Of the documentation nothing is needed. */
const unneeded = ['doc', 'info', 'locale', 'man'];
/** Where the packages before trixie put what later ones have below usr/. */
const merged = ['bin', 'lib', 'lib64', 'sbin'];

/**
 * The build root of a Debian kernel: its headers, compiler and tools, and the sources of the links, each in the very
 * version of the kernel. It is fetched once, into the user's cache; nothing is installed.
 *
 * @param release - as `uname -r` says it
 * @throws HarnessError if the archive has not what it takes
 */
export async function resolveBuildRoot(release: string, progress: OnProgress): Promise<BuildRoot> {
  const cache = cacheFolder('build-roots');
  const folder = join(cache, release);
  if (!existsSync(folder)) {
    await inTemporaryFolder(cache, async (temporary) => {
      const root = join(temporary, 'root');
      await fetchBuildRoot(release, { temporary, root, progress });
      await putInPlace(root, folder);
    });
  }
  return { folder, sources: join(folder, 'sources'), headers: `/usr/src/linux-headers-${release}` };
}

interface Fetching {
  readonly temporary: string;
  readonly root: string;
  readonly progress: OnProgress;
}

async function fetchBuildRoot(release: string, { temporary, root, progress }: Fetching): Promise<void> {
  const suite = suiteOf(release);
  progress(`reading the package lists of Debian ${suite.name}`);
  const apt = await PrivateApt.open(join(temporary, 'apt'), suite);
  const headers = `linux-headers-${release}`;
  const version = await apt.versionOf(headers).catch(() => '');
  if (version === '') {
    throw new HarnessError(
      `Debian ${suite.name} has no ${headers} any more`,
      `remove ${join(cacheFolder('kernels'), release)}, a newer kernel is fetched then`,
    );
  }
  const series = /^\d+\.\d+/.exec(release)?.[0] ?? release;
  await fetchSources(apt, `linux-source-${series}`, version, { temporary, root, progress });
  await fetchTools(apt, [headers, ...tools], { temporary, root, progress });
}

/** Of the sources of the whole kernel two folders are kept. */
async function fetchSources(apt: PrivateApt, name: string, version: string, fetching: Fetching): Promise<void> {
  const { temporary, root, progress } = fetching;
  const [packages, tree] = ['source', 'tree'].map((folder) => join(temporary, folder)) as [string, string];
  await Promise.all([packages, tree, root].map((folder) => mkdir(folder)));
  progress(`fetching ${name} (140 MB), of which ${sourceFolder} is kept`);
  await apt.fetch(`${name}=${version}`, packages);
  await unpackAll(packages, tree);
  const archive = join(tree, 'usr/src', `${name}.tar.xz`);
  await runProgram('tar', ['-xJf', archive, '-C', tree, `${name}/${sourceFolder}`]);
  await rename(join(tree, name), join(root, 'sources'));
}

/** The kernel itself is among what its headers depend on, and not needed. */
async function fetchTools(apt: PrivateApt, wanted: readonly string[], fetching: Fetching): Promise<void> {
  const { temporary, root, progress } = fetching;
  const packages = join(temporary, 'tools');
  await mkdir(packages);
  const names = (await apt.withDependencies(wanted)).filter((name) => !name.startsWith('linux-image-'));
  progress(`fetching ${wanted[0] ?? ''} and its compiler, ${names.length} packages (90 MB)`);
  await apt.fetch(names, packages);
  for (const folder of merged) {
    await mkdir(join(root, 'usr', folder), { recursive: true });
    await symlink(`usr/${folder}`, join(root, folder));
  }
  await unpackAll(packages, root);
  await symlink('mawk', join(root, 'usr/bin/awk'));
  for (const folder of ['dev', 'proc', 'build']) await mkdir(join(root, folder), { recursive: true });
  for (const name of unneeded) await rm(join(root, 'usr/share', name), { recursive: true, force: true });
}

async function unpackAll(packages: string, target: string): Promise<void> {
  for (const file of await readdir(packages)) await runProgram('dpkg-deb', ['-x', join(packages, file), target]);
}
