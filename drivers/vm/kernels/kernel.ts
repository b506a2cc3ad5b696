import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheFolder, inTemporaryFolder, putInPlace } from '../../support/cache';
import { HarnessError, UsageError } from '../../contract';
import { isRegularFile, namesIn } from '../../support/files';
import { PrivateApt } from './apt';
import { ModuleTree, modulesToKeep, soughtFile } from './modules';
import { failure, runProgram } from '../../support/programs';
import { compareReleases, looksLikeRelease, newestMatch, suiteOf, type Suite } from './releases';
import { extractVmlinux } from './vmlinux';

/** A kernel that a VM can boot. */
export interface Kernel {
  /** As `uname -r` says it. */
  readonly release: string;
  /** The image that QEMU boots, compressed or not. */
  readonly image: string;
  /** The folder lib/modules/<release>. */
  readonly modulesDir: string;
}

/** Gets a line about each step that takes time. */
export type OnProgress = (line: string) => void;

/**
 * Finds the kernel that `--kernel` names: the newest of a Debian series (`6.1`), one release of it (`6.1.0-56-amd64`), or
 * a folder with boot/ and lib/modules/. Kernels of Debian are fetched once, into the user's cache; none is installed. A
 * kernel in the cache that was kept without modules that are needed now is completed.
 *
 * @param needed - names of the modules that will be loaded
 * @throws UsageError if there is none, HarnessError if it cannot be fetched
 */
export async function resolveKernel(
  wanted: string,
  progress: OnProgress,
  needed: readonly string[] = [],
): Promise<Kernel> {
  if (!looksLikeRelease(wanted) && existsSync(wanted)) return kernelIn(resolve(wanted));
  const suite = suiteOf(wanted);
  const cache = cacheFolder('kernels');
  const cached = newestMatch(wanted, namesIn(cache));
  const kernel = cached === undefined ? undefined : kernelIn(join(cache, cached));
  const missing = kernel === undefined ? [] : new ModuleTree(kernel.modulesDir).unsought(needed);
  if (kernel !== undefined && missing.length === 0) return kernel;
  if (kernel !== undefined) progress(`kernel ${kernel.release} of the cache was kept without ${missing.join(', ')}`);
  return kernelIn(join(cache, await fetchKernel(wanted, { suite, cache, needed, progress })));
}

/** The newest kernel of a tree. @throws UsageError if it has none */
export function kernelIn(folder: string): Kernel {
  const newest = ['lib/modules', 'usr/lib/modules']
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path) && statSync(path).isDirectory())
    .flatMap((path) => readdirSync(path).flatMap((release) => kernelOf(folder, release, join(path, release))))
    .sort((a, b) => compareReleases(a.release, b.release))
    .at(-1);
  if (newest === undefined) {
    throw new UsageError(`${folder} holds no kernel`, 'it needs boot/vmlinuz-RELEASE and lib/modules/RELEASE');
  }
  return newest;
}

function kernelOf(folder: string, release: string, modulesDir: string): Kernel[] {
  const names = [`boot/vmlinuz-${release}`, `boot/vmlinux-${release}`].map((name) => join(folder, name));
  const images = [...names, join(modulesDir, 'vmlinuz')];
  const image = images.find(isRegularFile);
  return image === undefined ? [] : [{ release, image, modulesDir }];
}

interface Fetching {
  readonly suite: Suite;
  readonly cache: string;
  readonly needed: readonly string[];
  readonly progress: OnProgress;
}

/** @returns the release that is in the cache now */
async function fetchKernel(wanted: string, { suite, cache, needed, progress }: Fetching): Promise<string> {
  try {
    return await inTemporaryFolder(cache, async (folder) => {
      progress(`reading the package lists of Debian ${suite.name}`);
      const apt = await PrivateApt.open(join(folder, 'apt'), suite);
      const release = choose(wanted, suite, await apt.releases());
      const tree = await unpackPackages(apt, release, folder, progress);
      const [kept, final] = [join(folder, 'kernel'), join(cache, release)];
      await keepWhatIsNeeded(kernelIn(tree), kept, needed);
      await putInPlace(kept, final);
      await completeKernel(kernelIn(final), join(kept, 'lib/modules', release));
      return release;
    });
  } catch (error) {
    if (error instanceof HarnessError || !(error instanceof Error)) throw error;
    throw failure(`fetching kernel ${wanted}`, '', error, 'set XDG_CACHE_HOME to a folder that can be written');
  }
}

function choose(wanted: string, suite: Suite, offered: readonly string[]): string {
  const release = newestMatch(wanted, offered);
  if (release !== undefined) return release;
  const known = offered.filter((name) => suite.holds.test(name)).sort(compareReleases);
  throw new UsageError(
    `Debian ${suite.name} has no kernel '${wanted}'`,
    `it has ${known.join(', ') || 'none of that series'}`,
  );
}

/** @returns the folder with the content of the kernel's packages */
async function unpackPackages(apt: PrivateApt, release: string, folder: string, progress: OnProgress): Promise<string> {
  const tree = join(folder, 'tree');
  for (const name of await apt.packagesOf(release)) {
    const { file, size } = await apt.describe(name);
    progress(`fetching ${name} (${Math.ceil(size / 1e6)} MB)`);
    await apt.fetch(name, folder);
    progress(`unpacking ${name}`);
    await runProgram('dpkg-deb', ['-x', join(folder, file), tree]);
  }
  return tree;
}

/** Of some hundred MB the VM needs few: the kernel, and the modules that it loads, unpacked. */
async function keepWhatIsNeeded(kernel: Kernel, folder: string, needed: readonly string[]): Promise<void> {
  const modulesDir = join(folder, 'lib/modules', kernel.release);
  await mkdir(join(folder, 'boot'), { recursive: true });
  await mkdir(modulesDir, { recursive: true });
  const vmlinux = extractVmlinux(await readFile(kernel.image));
  if (vmlinux === undefined) await rename(kernel.image, join(folder, `boot/vmlinuz-${kernel.release}`));
  else await writeFile(join(folder, `boot/vmlinux-${kernel.release}`), vmlinux);
  const builtin = join(kernel.modulesDir, 'modules.builtin');
  if (existsSync(builtin)) await copyFile(builtin, join(modulesDir, 'modules.builtin'));
  const sought = [...modulesToKeep, ...needed.map((name) => ({ name, optional: true }))];
  for (const { name, image } of new ModuleTree(kernel.modulesDir).closure(sought)) {
    await writeFile(join(modulesDir, `${name}.ko`), image);
  }
  await writeSought(
    modulesDir,
    sought.map(({ name }) => name),
  );
}

/**
 * Moves modules over to a kernel that was in the cache already; runs that use it meanwhile miss nothing.
 *
 * @param modulesDir - folder of the modules; if there is none, it is the cached kernel's own by now
 */
export async function completeKernel(cached: Kernel, modulesDir: string): Promise<void> {
  if (!existsSync(modulesDir)) return;
  const sought = [cached.modulesDir, modulesDir].flatMap((folder) => new ModuleTree(folder).sought);
  for (const name of await readdir(modulesDir)) {
    if (name !== soughtFile) await rename(join(modulesDir, name), join(cached.modulesDir, name));
  }
  await writeSought(modulesDir, sought);
  await rename(join(modulesDir, soughtFile), join(cached.modulesDir, soughtFile));
}

async function writeSought(modulesDir: string, names: readonly string[]): Promise<void> {
  await writeFile(join(modulesDir, soughtFile), `${[...new Set(names)].join('\n')}\n`);
}
