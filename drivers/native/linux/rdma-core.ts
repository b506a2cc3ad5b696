import { existsSync, realpathSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { UsageError } from '../../contract';
import { findProgram, isRegularFile, namesIn } from '../../support/files';

const libraryName = 'libibverbs.so.1';
/** Code of a provider, by the name and the version of the private interface to libibverbs: `librxe-rdmav34.so`. */
const providerFile = /^lib(.+)-rdmav\d+\.so$/;
const loaderFile = /^ld-linux.*\.so\.\d+$/;
/** Where libibverbs may read which providers to load, by its build. */
const configFolders = ['/etc/libibverbs.d', '/usr/etc/libibverbs.d', '/usr/local/etc/libibverbs.d'];

/**
 * The user-space part of an rdma-core that is not installed: unpacked packages, or a build tree. libibverbs finds its
 * providers by absolute paths that were set when it was built, and by RDMAV_DRIVERS.
 */
export class RdmaCore {
  /** Without symbolic links, as loaded files are listed. */
  readonly folder: string;
  /** Folders of its libraries, that of libibverbs the first. */
  readonly libraryFolders: readonly string[];
  /** Paths of its providers as RDMAV_DRIVERS has them, up to `-rdmav`. */
  readonly providers: readonly string[];
  /** Loader of the C library that the folder brings along, if any. */
  readonly loader: string | undefined;

  /**
   * @param provider - the provider that is needed, `rxe`; any unless given
   * @throws UsageError naming what the folder lacks
   */
  constructor(folder: string, provider?: string) {
    if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`, 'name another one with --rdma-core');
    this.folder = realpathSync(folder);
    // Both the search path of libraries and RDMAV_DRIVERS take these for separators.
    if (/[:;]/.test(this.folder)) throw new UsageError(`${this.folder} has a colon or semicolon`, 'rename it');
    const candidates = libraryFoldersOf(this.folder);
    const first = candidates.find((path) => isRegularFile(join(path, libraryName)));
    if (first === undefined) {
      throw new UsageError(`${folder} holds no ${libraryName}`, `it was looked for in ${placesOfLibraries}`);
    }
    this.libraryFolders = [first, ...candidates.filter((path) => path !== first)];
    const providerFolders = [join(first, 'libibverbs'), first];
    this.providers = providerFolders.flatMap(providersIn);
    const isNeeded = (path: string): boolean => provider === undefined || basename(path) === `lib${provider}`;
    if (!this.providers.some(isNeeded)) {
      const what = `lib${provider ?? '*'}-rdmav*.so`;
      throw new UsageError(`${folder} holds no ${what}`, `it was looked for in ${providerFolders.join(', ')}`);
    }
    this.loader = this.libraryFolders.flatMap((path) =>
      namesIn(path)
        .filter(isLoader)
        .map((name) => join(path, name))
        .filter(isRegularFile),
    )[0];
  }

  /**
   * The command that runs a program on this rdma-core.
   *
   * @param isRoot - whether it will run as root, who can hide from it which providers are installed
   */
  around(command: readonly string[], isRoot: boolean): readonly string[] {
    const libraryPath = this.libraryFolders.join(':');
    const onLibraries =
      this.loader === undefined
        ? [`LD_LIBRARY_PATH=${libraryPath}`, ...command]
        : [this.loader, '--library-path', libraryPath, ...command];
    const onProviders = ['/usr/bin/env', `RDMAV_DRIVERS=${this.providers.join(':')}`, ...onLibraries];
    return isRoot ? withoutInstalledProviders(onProviders) : onProviders;
  }

  /**
   * Files that were loaded from elsewhere although this rdma-core has them, in whatever version.
   *
   * @param loaded - paths of loaded files
   */
  strangersAmong(loaded: readonly string[]): readonly string[] {
    const own = new Set(this.providers.map((path) => basename(path)));
    for (const folder of this.libraryFolders) for (const name of namesIn(folder)) own.add(stem(name));
    return loaded.filter((path) => !this.holds(path) && own.has(stem(basename(path))));
  }

  holds(path: string): boolean {
    return existsSync(path) && realpathSync(path).startsWith(this.folder === sep ? sep : this.folder + sep);
  }
}

const placesOfLibraries = '{usr/,}lib/*-linux-gnu*, {usr/,}lib64 and {usr/,}lib';

/** Debian has one folder an architecture, others have lib64, a build tree has lib. */
function libraryFoldersOf(folder: string): string[] {
  const bases = ['usr/lib', 'lib'].map((name) => join(folder, name));
  const ofArchitectures = bases.flatMap((base) =>
    namesIn(base)
      .filter((name) => name.includes('-linux-gnu'))
      .map((name) => join(base, name)),
  );
  const others = ['usr/lib64', 'lib64', 'usr/lib', 'lib'].map((name) => join(folder, name));
  return [...ofArchitectures, ...others].filter((path) => existsSync(path));
}

function providersIn(folder: string): string[] {
  return namesIn(folder).flatMap((file) => {
    const name = providerFile.exec(file)?.[1];
    return name === undefined || !isRegularFile(join(folder, file)) ? [] : [join(folder, `lib${name}`)];
  });
}

function isLoader(name: string): boolean {
  return loaderFile.test(name);
}

/** `libmlx5` for `libmlx5.so.1.24.44.0` and for `libmlx5-rdmav34.so`. */
function stem(name: string): string {
  return name.replace(/(-rdmav\d+)?\.so(\..*)?$/, '');
}

/** Runs a command where the lists of the installed providers are empty, and for nobody else. */
function withoutInstalledProviders(command: readonly string[]): readonly string[] {
  const unshare = findProgram('unshare');
  const hidden = configFolders.filter((folder) => existsSync(folder));
  if (unshare === undefined || hidden.length === 0) return command;
  const script = [...hidden.map((folder) => `mount -t tmpfs none ${folder}`), 'exec "$@"'].join(' && ');
  return [unshare, '--mount', '/bin/sh', '-c', script, 'sh', ...command];
}
