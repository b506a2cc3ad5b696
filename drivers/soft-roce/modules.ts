import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { HarnessError } from '../contract';
import { needProgram, needStaticBusybox } from './programs';

/** A module that the VM loads. */
export interface ModuleToLoad {
  readonly name: string;
  /** Not every kernel has it, nor every CPU a use for it. */
  readonly optional?: boolean;
}

/** What the VM needs for its devices, for the file system, and for soft-RoCE. */
export const vmModules: readonly ModuleToLoad[] = [
  { name: 'virtio_pci' },
  { name: 'virtio_console' },
  { name: '9p' },
  { name: '9pnet_virtio' },
  { name: 'overlay' },
  { name: 'pvpanic', optional: true },
  { name: 'pvpanic_pci', optional: true },
  // rdma_rxe asks the crypto layer for crc32 by name, so no module lists it as a dependency. Kernels since 6.15 do not.
  { name: 'crc32_generic', optional: true },
  { name: 'crc32_pclmul', optional: true },
  { name: 'dummy' },
  { name: 'ib_uverbs' },
  { name: 'rdma_rxe' },
];

/** A module's uncompressed ELF image. */
export interface ModuleImage {
  readonly name: string;
  readonly image: Buffer;
  readonly optional: boolean;
}

/** Modules of one kernel. */
export class ModuleTree {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #builtin: ReadonlySet<string>;

  /** @param folder - lib/modules/<release> */
  constructor(folder: string) {
    this.#folder = folder;
    this.#files = new Map(
      moduleFiles(folder)
        .sort((a, b) => precedence(a) - precedence(b))
        .map((file) => [moduleName(file), file]),
    );
    const list = join(folder, 'modules.builtin');
    this.#builtin = new Set(existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').map(moduleName) : []);
  }

  /** The modules and all they depend on, each after its dependencies; those built into the kernel are left out. */
  closure(wanted: readonly ModuleToLoad[]): ModuleImage[] {
    const images = new Map<string, Buffer>();
    const read = (name: string): Buffer | undefined => {
      const image = images.get(name) ?? this.#read(name);
      if (image !== undefined) images.set(name, image);
      return image;
    };
    const order = loadOrder(wanted, (name) => {
      if (this.#builtin.has(name)) return undefined;
      const image = read(name);
      if (image !== undefined) return moduleDependencies(image);
      if (wanted.some((module) => module.name === name && module.optional === true)) return undefined;
      throw new HarnessError(
        `the kernel has no module ${name}, looked in ${this.#folder}`,
        'choose another one; a kernel of the cache may be removed, it is fetched again',
      );
    });
    const optional = new Set(wanted.filter((module) => module.optional === true).map(({ name }) => name));
    return order.map((name) => ({ name, image: read(name) ?? Buffer.alloc(0), optional: optional.has(name) }));
  }

  #read(name: string): Buffer | undefined {
    const file = this.#files.get(name);
    return file === undefined ? undefined : unpackModule(join(this.#folder, file));
  }
}

/** Name by which the kernel knows a module file: `crc32_pclmul` for `kernel/arch/x86/crypto/crc32-pclmul.ko.xz`. */
export function moduleName(file: string): string {
  return basename(file)
    .replace(/\.ko(\.\w+)?$/, '')
    .replaceAll('-', '_');
}

/**
 * Names in an order in which each comes after what it depends on.
 *
 * @param dependenciesOf - names that a module needs, or `undefined` if it is not to be loaded
 */
export function loadOrder(
  wanted: readonly ModuleToLoad[],
  dependenciesOf: (name: string) => readonly string[] | undefined,
): readonly string[] {
  const order = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const dependencies = dependenciesOf(name);
    if (dependencies === undefined) return;
    dependencies.forEach(visit);
    order.add(name);
  };
  wanted.forEach(({ name }) => {
    visit(name);
  });
  return [...order];
}

/**
 * What a module says it depends on. The packages carry no modules.dep (it is made when a kernel is installed), so it is
 * read from where depmod reads it: the NUL-terminated strings of the section .modinfo.
 */
export function moduleDependencies(image: Buffer): readonly string[] {
  const text = image.toString('latin1');
  const list = /(?:^|\0)depends=([\w,-]*)\0/.exec(text)?.[1] ?? '';
  return list
    .split(',')
    .filter((name) => name !== '')
    .map(moduleName);
}

/** Reads a module file, unpacking .xz, .zst and .gz. */
export function unpackModule(path: string): Buffer {
  const unpack = (program: string, ...args: string[]): Buffer =>
    execFileSync(program, [...args, '-dc', path], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
  if (path.endsWith('.xz')) return unpack(needStaticBusybox(), 'xz');
  if (path.endsWith('.zst')) return unpack(needProgram('zstd'));
  return path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
}

function moduleFiles(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return moduleFiles(folder, path);
    return /\.ko(\.(xz|zst|gz))?$/.test(entry.name) ? [path] : [];
  });
}

/** As depmod has it: a module in updates/ stands before its namesake in kernel/. The last one of a name counts. */
function precedence(file: string): number {
  return file.startsWith('updates/') ? 1 : 0;
}
