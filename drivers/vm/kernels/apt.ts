import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError } from '../../contract';
import { ownKernelRemedy, runProgram } from '../../support/programs';
import type { Suite } from './releases';

const archiveKeys = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Names a mirror of Debian, for machines whose apt has none. */
const mirrorVariable = 'VERBSPEC_DEBIAN_MIRROR';
const noMirrorRemedy = `set ${mirrorVariable} to the address of a mirror of Debian, or ${ownKernelRemedy}`;
const remedy = `check the network, or ${ownKernelRemedy}`;

/** A package as a suite offers it now. */
export interface Download {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

/** Libraries that a package needs. */
export interface Libraries {
  /** Their packages, without that of the C library. */
  readonly packages: readonly string[];
  /** Oldest version of the C library that does, or `undefined` if the package needs none. */
  readonly libc: string | undefined;
}

/** Apt with lists, cache and sources of its own: nothing that this machine has configured or installed is changed. */
export class PrivateApt {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#env = { ...process.env, LC_ALL: 'C', APT_CONFIG: join(folder, 'apt.conf') };
  }

  /** Sets up apt for one suite and reads its package lists. */
  static async open(folder: string, suite: Suite): Promise<PrivateApt> {
    for (const name of ['lists/partial', 'cache/archives/partial', 'parts']) {
      await mkdir(join(folder, name), { recursive: true });
    }
    const named = process.env[mirrorVariable];
    const mirrors = named
      ? { main: named }
      : parseMirrors(await runProgram('apt-get', ['--print-uris', 'update'], { remedy }));
    if (mirrors === undefined) throw new HarnessError('apt has no source of Debian here', noMirrorRemedy);
    await writeFile(join(folder, 'sources.list'), sourcesList(suite, mirrors, existsSync(archiveKeys)));
    await writeFile(join(folder, 'apt.conf'), aptConf(folder, await runProgram('apt-config', ['dump'])));
    const apt = new PrivateApt(folder);
    await apt.#run('apt-get', ['update', '-o', 'APT::Update::Error-Mode=any']);
    return apt;
  }

  /** Releases of the plain kernels of the suite. */
  async releases(): Promise<readonly string[]> {
    return parseReleases(await this.#run('apt-cache', ['pkgnames', 'linux-image-']));
  }

  /** The packages that make up a kernel: one, or in sid also base, binary and modules. */
  async packagesOf(release: string): Promise<readonly string[]> {
    const image = `linux-image-${release}`;
    return [image, ...parseParts(await this.#run('apt-cache', ['show', '--no-all-versions', image]), release)];
  }

  /** The libraries that a package depends on. */
  async librariesOf(name: string): Promise<Libraries> {
    return parseLibraries(await this.#run('apt-cache', ['show', '--no-all-versions', name]));
  }

  /** Names of packages with all that they depend on, as if nothing were installed. */
  async withDependencies(names: readonly string[]): Promise<readonly string[]> {
    const args = ['install', '--print-uris', '--yes', '--no-install-recommends', ...names];
    return parsePackages(await this.#run('apt-get', args));
  }

  /** The version of a package. */
  async versionOf(name: string): Promise<string> {
    const shown = await this.#run('apt-cache', ['show', '--no-all-versions', name]);
    return /^Version: (.*)$/m.exec(shown)?.[1] ?? '';
  }

  /** What {@link fetch} would bring. */
  async describe(name: string): Promise<Download> {
    return parseDownload(await this.#run('apt-get', ['download', '--print-uris', name]));
  }

  /** Downloads packages, `name` or `name=version`, checked against the archive's signatures, into `target`. */
  async fetch(names: string | readonly string[], target: string): Promise<void> {
    await this.#run('apt-get', ['download', ...[names].flat()], target);
  }

  #run(program: 'apt-get' | 'apt-cache', args: readonly string[], cwd = this.#folder): Promise<string> {
    return runProgram(program, args, { cwd, env: this.#env, remedy });
  }
}

/** Base addresses of Debian's archives. */
export interface Mirrors {
  readonly main: string;
  readonly security?: string;
}

/**
 * The mirrors of Debian that this machine uses, from `apt-get --print-uris update`, or `undefined` if it uses none.
 * Other archives end in `/debian` too; one that carries a suite of updates is preferred, as only a mirror does.
 */
export function parseMirrors(printedUris: string): Mirrors | undefined {
  const sources = [...printedUris.matchAll(/^'(\S+?)\/dists\/(\S+)\/InRelease'/gm)].map(
    ([, base = '', suite = '']) => ({
      base,
      suite,
    }),
  );
  const mains = sources.filter(({ base }) => base.endsWith('/debian'));
  const main = (mains.find(({ suite }) => suite.endsWith('-updates')) ?? mains[0])?.base;
  const security = sources.find(({ base }) => base.endsWith('/debian-security'))?.base;
  return main === undefined ? undefined : { main, ...(security !== undefined && { security }) };
}

/** sources.list of one suite. */
export function sourcesList(suite: Suite, mirrors: Mirrors, hasKeyring: boolean): string {
  const options = `[arch=amd64 target=Packages${hasKeyring ? ` signed-by=${archiveKeys}` : ''}]`;
  const lines = [`deb ${options} ${mirrors.main} ${suite.name} main`];
  if (suite.hasSecurity && mirrors.security !== undefined) {
    lines.push(`deb ${options} ${mirrors.security} ${suite.name}-security main`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Configuration that keeps apt in `folder`. Of the system's own settings it takes how to reach a mirror (proxies and the
 * like), and no hooks: those would run against the system.
 */
export function aptConf(folder: string, systemConf: string): string {
  const transport = systemConf
    .split('\n')
    .filter((line) => /^Acquire::(http|https|tor|Retries|ForceIPv|Check-|Proxy|AllowReleaseInfoChange)/i.test(line));
  const own = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Main': '/dev/null',
    'Dir::Etc::Parts': join(folder, 'parts'),
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': '/dev/null',
    'Dir::Cache': join(folder, 'cache'),
    'APT::Architecture': 'amd64',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  return [...transport, ...Object.entries(own).map(([name, value]) => `${name} "${value}";`), ''].join('\n');
}

/** Releases of the plain kernels (no cloud, rt, dbg or unsigned ones) among package names. */
export function parseReleases(names: string): readonly string[] {
  return [...names.matchAll(/^linux-image-(\d[\d.]*(?:-\d+)?(?:\+deb\d+)?-amd64)$/gm)]
    .flatMap(([, release]) => release ?? [])
    .filter((release) => /^\d+\.\d+[.+]/.test(release));
}

/** The packages with files of the kernel among the dependencies that `apt-cache show` names. */
export function parseParts(shown: string, release: string): readonly string[] {
  const names = parseDepends(shown).map(({ name }) => name);
  const parts = ['base', 'binary', 'modules'].map((part) => `linux-${part}-${release}`);
  return parts.filter((part) => names.includes(part));
}

/** The libraries among the dependencies that `apt-cache show` names. */
export function parseLibraries(shown: string): Libraries {
  const depends = parseDepends(shown);
  const libc = depends.find(({ name }) => name === 'libc6')?.atLeast;
  const packages = depends.map(({ name }) => name).filter((name) => name.startsWith('lib') && name !== 'libc6');
  return { packages, libc };
}

/** Packages of the line `Depends`, with the oldest versions that will do. */
function parseDepends(shown: string): { readonly name: string; readonly atLeast: string | undefined }[] {
  const depends = /^Depends: (.*)$/m.exec(shown)?.[1] ?? '';
  return depends.split(/[,|]/).map((item) => {
    const [name = '', relation, version] = item.trim().split(/[ ()]+/);
    return { name, atLeast: relation === '>=' ? version : undefined };
  });
}

/** Names of the packages that `apt-get install --print-uris` would fetch. */
export function parsePackages(printedUris: string): readonly string[] {
  return [...printedUris.matchAll(/^'\S+' ([^\s_]+)_\S+\.deb \d+/gm)].flatMap(([, name]) => name ?? []);
}

/** File name and size from `apt-get download --print-uris`. */
export function parseDownload(printedUris: string): Download {
  const [, file = '', size = ''] = /^'\S+' (\S+) (\d+)/m.exec(printedUris) ?? [];
  return { file, size: Number(size) };
}
