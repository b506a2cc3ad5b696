import type { ModuleToLoad } from './module-to-load';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { HarnessError, UsageError } from '../../contract';
import { readRegularFile, readTextFile } from '../../support/files';
import { inOneLine } from '../../support/foreign-text';
import { moduleInfo } from './module-info';
import { needProgram, needStaticBusybox } from '../../support/programs';
import { rdmaLinks, type RdmaLink } from './rdma-links';

/** What the VM needs for its devices and for the file system, whatever RDMA device it makes. */
const basicModules: readonly ModuleToLoad[] = [
  { name: 'virtio_pci' },
  { name: 'virtio_console' },
  { name: '9p' },
  { name: '9pnet_virtio' },
  { name: 'overlay' },
  { name: 'pvpanic', optional: true },
  { name: 'pvpanic_pci', optional: true },
  { name: 'dummy' },
  { name: 'ib_uverbs' },
];

/** What the VM loads to make a link. */
export function vmModules({ companions, module }: RdmaLink): readonly ModuleToLoad[] {
  return [...basicModules, ...companions, { name: module }];
}

/** What the cache keeps of a kernel: enough for any link, also where its module is the user's. */
export const modulesToKeep: readonly ModuleToLoad[] = [
  ...basicModules,
  ...rdmaLinks.flatMap(({ companions, module }) => [...companions, { name: module, optional: true }]),
];

/** In a folder of modules that holds a choice: names that were looked for, found or not. */
export const soughtFile = 'verbspec.sought';

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
  /** Names that were looked for when this choice was made; none if it is not a choice, or made before there was a list. */
  readonly sought: readonly string[];
  readonly #replacements: ReadonlyMap<string, Buffer>;

  /**
   * @param folder - lib/modules/<release>
   * @param replacements - images that take the place of modules, by name
   */
  constructor(folder: string, replacements: ReadonlyMap<string, Buffer> = new Map()) {
    this.#folder = folder;
    this.#replacements = replacements;
    this.#files = new Map(
      moduleFiles(folder)
        .sort((a, b) => precedence(a) - precedence(b))
        .map((file) => [moduleName(file), file]),
    );
    this.#builtin = new Set(linesOf(join(folder, 'modules.builtin')).map(moduleName));
    this.sought = linesOf(join(folder, soughtFile));
  }

  /** Names that a choice of modules has been made without: whether the kernel has them is not known. */
  unsought(names: readonly string[]): readonly string[] {
    const found = (name: string): boolean => this.#files.has(name) || this.#builtin.has(name);
    return [...new Set(names)].filter((name) => !found(name) && !this.sought.includes(name));
  }

  /** What the kernel's own modules say that they are built for; `undefined` if there is none to ask. */
  vermagic(): string | undefined {
    const [file] = this.#files.values();
    return file === undefined ? undefined : moduleInfo(this.#unpack(file))?.vermagic;
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
      if (this.#builtin.has(name) && !this.#replacements.has(name)) return undefined;
      const image = read(name);
      if (image !== undefined) return moduleDependencies(image);
      if (wanted.some((module) => module.name === name && module.optional === true)) return undefined;
      throw new HarnessError(
        `the kernel has no module ${name}, looked in ${this.#folder}`,
        'choose another --kernel, or build the module (see ci/kernel-module.sh) and name its file with --module',
      );
    });
    const optional = new Set(wanted.filter((module) => module.optional === true).map(({ name }) => name));
    return order.map((name) => ({ name, image: read(name) ?? Buffer.alloc(0), optional: optional.has(name) }));
  }

  #read(name: string): Buffer | undefined {
    const replacement = this.#replacements.get(name);
    if (replacement !== undefined) return replacement;
    const file = this.#files.get(name);
    return file === undefined ? undefined : this.#unpack(file);
  }

  #unpack(file: string): Buffer {
    const path = join(this.#folder, file);
    return reading(path, () => unpackModule(path));
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

/** Bytes that a module may have, packed or not; one with all debug information has some ten million. */
export const moduleBytesMax = 256 * 1024 * 1024;

/** Bytes that a list of modules may have. */
const listBytesMax = 16 * 1024 * 1024;

/** Reads a module file, unpacking .xz, .zst and .gz. */
export function unpackModule(path: string): Buffer {
  const packed = readRegularFile(path, moduleBytesMax);
  const unpack = (program: string, ...args: string[]): Buffer =>
    execFileSync(program, [...args, '-dc'], { input: packed, maxBuffer: moduleBytesMax, stdio: 'pipe' });
  if (path.endsWith('.xz')) return unpack(needStaticBusybox(), 'xz');
  if (path.endsWith('.zst')) return unpack(needProgram('zstd'));
  return path.endsWith('.gz') ? gunzipSync(packed, { maxOutputLength: moduleBytesMax }) : packed;
}

/** Reads a file of a kernel. @throws UsageError naming it: the folder may be the user's */
function reading<Content>(path: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const why = inOneLine((error as Error).message);
    throw new UsageError(`${path} cannot be read: ${why}`, 'name another kernel with --kernel');
  }
}

function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return reading(path, () => readTextFile(path, listBytesMax))
    .trim()
    .split('\n');
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
