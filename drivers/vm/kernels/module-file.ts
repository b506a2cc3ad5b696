import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError, type DutModule, type FunctionEdges } from '../../contract';
import { isRegularFile, readRegularFile } from '../../support/files';
import { inOneLine } from '../../support/foreign-text';
import { edgeListIn } from '../edges/edge-list';
import { moduleInfo, type ModuleInfo } from './module-info';
import { moduleBytesMax, unpackModule } from './modules';
import { rdmaLinkOf, rdmaLinks, type RdmaLink } from './rdma-links';

/** A module of the user's that takes the place of the kernel's own. */
export interface ModuleFile {
  readonly path: string;
  readonly info: ModuleInfo;
  /** Its ELF image, unpacked. */
  readonly image: Buffer;
  /** What the verdicts say of it. */
  readonly dutModule: DutModule;
  /** Those of which it records the edges; `undefined` unless it was built for that. */
  readonly functions?: readonly FunctionEdges[];
}

/** What `--module` chooses: the link, and the file of its module unless it is the kernel's own. */
export interface ModuleChoice {
  readonly rdmaLink: RdmaLink;
  readonly file?: ModuleFile;
}

const known = rdmaLinks.map(({ module }) => module);

/**
 * Reads what `--module` names: a file, or the name of a module that the kernel has.
 *
 * @throws UsageError if it is not a module of a software RDMA device
 */
export function chooseModule(wanted: string): ModuleChoice {
  const own = rdmaLinkOf(wanted);
  if (own !== undefined && !existsSync(wanted)) return { rdmaLink: own };
  if (!isRegularFile(wanted)) {
    throw new UsageError(`there is no file ${wanted}`, `--module takes a file, or one of ${known.join(', ')}`);
  }
  const image = imageOf(wanted);
  const info = moduleInfo(image);
  if (info === undefined) {
    throw new UsageError(`${wanted} is not a kernel module for x86-64`, 'name a file .ko, .ko.xz, .ko.zst or .ko.gz');
  }
  const rdmaLink = rdmaLinkOf(info.name);
  if (rdmaLink === undefined) {
    throw new UsageError(
      `${wanted} is the module '${inOneLine(info.name)}'`,
      `--module takes one of ${known.join(', ')}`,
    );
  }
  const sha256 = createHash('sha256').update(readRegularFile(wanted, moduleBytesMax)).digest('hex');
  const dutModule = { name: info.name, file: basename(wanted), sha256 };
  return { rdmaLink, file: { path: wanted, info, image, dutModule, ...edgesOf(wanted, image) } };
}

function edgesOf(path: string, image: Buffer): Pick<ModuleFile, 'functions'> {
  try {
    const functions = edgeListIn(image);
    return functions === undefined ? {} : { functions };
  } catch (error) {
    throw new UsageError(
      `the list of edges of ${path} cannot be read: ${inOneLine((error as Error).message)}`,
      'build it again with ci/kernel-module.sh --edges',
    );
  }
}

function imageOf(path: string): Buffer {
  try {
    return unpackModule(path);
  } catch (error) {
    throw new UsageError(
      `${path} cannot be unpacked: ${inOneLine((error as Error).message)}`,
      'name the module as the build left it, FILE.ko',
    );
  }
}

/**
 * Demands that a module is built for a kernel.
 *
 * @param expected - the vermagic of that kernel's own modules
 * @throws UsageError naming both
 */
export function demandVermagic({ path, info }: ModuleFile, release: string, expected: string | undefined): void {
  if (expected === undefined || info.vermagic === expected) return;
  throw new UsageError(
    `${path} is built for "${inOneLine(info.vermagic)}", and kernel ${release} takes "${inOneLine(expected)}"`,
    'build it against the headers of that kernel, as ci/kernel-module.sh does, or name its own with --kernel',
  );
}
