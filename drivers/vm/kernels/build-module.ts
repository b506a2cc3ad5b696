/**
 * Builds the module of a software RDMA device for a kernel of Debian, for `--module`:
 *
 *     node -r ./ci/typescript.js drivers/vm/kernels/build-module.ts [--edges] KERNEL rxe|siw FILE.ko [PATCH...]
 *
 * KERNEL is as `--kernel` has it. Patches are those of a kernel tree, for `patch -p1`. With `--edges` the module records
 * which of its code runs. Nothing is installed.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, renameSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inTemporaryFolder } from '../../support/cache';
import { HarnessError, UsageError } from '../../contract';
import { instrument, listEdges, putList, type Build } from '../edges/instrument';
import { sourceFolder, resolveBuildRoot, type BuildRoot } from './build-root';
import { resolveKernel } from './kernel';
import { looksLikeRelease } from './releases';
import { needProgram } from '../../support/programs';
import { inOneLine } from '../../support/foreign-text';
import { rdmaLinks, type RdmaLink } from './rdma-links';

const usage = `name [--edges] KERNEL ${rdmaLinks.map(({ linkType }) => linkType).join('|')} FILE.ko [PATCH...]`;
/** Where a root has the folder of the build. */
const place = '/build';

interface Wanted {
  readonly kernel: string;
  readonly rdmaLink: RdmaLink;
  readonly target: string;
  readonly patches: readonly string[];
  /** Whether the module records its edges. */
  readonly edges: boolean;
}

/** @throws UsageError for what cannot be built */
function readArguments(args: readonly string[]): Wanted {
  const { edges, positionals } = optionsIn(args);
  const [kernel, link, target, ...patches] = positionals;
  const rdmaLink = rdmaLinks.find(({ linkType }) => linkType === link);
  if (kernel === undefined || target === undefined)
    throw new UsageError('a kernel, a link type or a file is missing', usage);
  if (rdmaLink === undefined) throw new UsageError(`unknown link type '${link}'`, usage);
  if (!looksLikeRelease(kernel))
    throw new UsageError(`'${kernel}' is not a release of a kernel`, 'name one, such as 6.1');
  if (!target.endsWith('.ko')) throw new UsageError(`${target} does not end in .ko`, usage);
  const missing = [dirname(resolve(target)), ...patches].find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no ${missing}`, usage);
  return { kernel, rdmaLink, target, patches, edges };
}

function optionsIn(args: readonly string[]): { readonly edges: boolean; readonly positionals: readonly string[] } {
  try {
    const options = { edges: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { edges: values.edges, positionals };
  } catch (error) {
    throw new UsageError(inOneLine((error as Error).message), usage);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { kernel, rdmaLink, target, patches, edges } = readArguments(args);
  for (const program of ['unshare', 'tar', 'xz'] as const) needProgram(program); // before anything is fetched
  const { release } = await resolveKernel(kernel, printLine);
  const root = await resolveBuildRoot(release, printLine);
  await inTemporaryFolder(dirname(root.folder), (folder) => {
    const tree = join(folder, 'linux');
    cpSync(root.sources, tree, { recursive: true });
    demandRoot(root, folder);
    for (const patch of patches) applyPatch(patch, folder, root);
    printLine(`compiling ${rdmaLink.module} for ${release}`);
    const built = build(rdmaLink, tree, { root, edges });
    // Another process may read the file of that name meanwhile.
    const [beside, final] = [`${resolve(target)}.new`, resolve(target)];
    copyFileSync(built, beside);
    renameSync(beside, final);
    return Promise.resolve();
  });
  printLine(`use it: npx verbspec run --driver soft-roce --kernel ${release} --module ${target}`);
}

/** The reason is reported by `unshare`, `mount` or `chroot`. */
function demandRoot(root: BuildRoot, folder: string): void {
  if (inRoot(root, folder, ['true'])) return;
  throw new HarnessError(
    `the root cannot be changed to ${root.folder}; a line above says why`,
    'run as root, in a container with CAP_SYS_ADMIN, or where user namespaces are allowed',
  );
}

/** A patch that does not fit is reported by `patch` itself. */
function applyPatch(patch: string, folder: string, root: BuildRoot): void {
  copyFileSync(patch, join(folder, 'patch'));
  printLine(`applying ${patch}`);
  const command = ['patch', '-p1', '--batch', '--forward', '-d', `${place}/linux`, '-i', `${place}/patch`];
  if (inRoot(root, folder, command)) return;
  throw new UsageError(
    `${patch} does not apply`,
    `it may change ${sourceFolder} alone, in the version of this kernel; a line above says more`,
  );
}

interface How {
  readonly root: BuildRoot;
  readonly edges: boolean;
}

/** @returns the path of the module, without the debug information */
function build({ module, linkType }: RdmaLink, tree: string, { root, edges }: How): string {
  const source = join(sourceFolder, linkType);
  const run = (command: readonly string[]): boolean => inRoot(root, dirname(tree), command);
  const made: Build = { module, folder: join(tree, source), compiled: `${place}/linux/${source}`, run };
  if (edges) instrument(made);
  const option = `CONFIG_RDMA_${linkType.toUpperCase()}=m`;
  const jobs = `-j${availableParallelism()}`;
  const make = ['make', '--silent', jobs, '-C', root.headers, `M=${made.compiled}`, option, 'modules'];
  demand(make, made);
  const list = edges ? listEdges(made) : undefined;
  demand(['strip', '--strip-debug', `${made.compiled}/${module}.ko`], made);
  if (list !== undefined) putList(list, made);
  return join(made.folder, `${module}.ko`);
}

/** Runs a command of a build. @throws HarnessError if it fails */
function demand(command: readonly string[], { module, run }: Build): void {
  if (!run(command)) throw new HarnessError(`${module} does not compile`, "the compiler's message is above");
}

/** Mounts what a build needs into the root, and changes over to it; the mounts are seen by nobody else, and go with it. */
const changeRoot =
  'root=$1 folder=$2 && shift 2 && mount --rbind /dev "$root/dev" && mount --rbind /proc "$root/proc" && ' +
  'mount --bind "$folder" "$root/build" && exec chroot "$root" "$@"';

/** Runs a command in the root, where `folder` is /build. @returns whether it succeeded; it says itself why not */
function inRoot({ folder: root }: BuildRoot, folder: string, command: readonly string[]): boolean {
  const isRoot = process.getuid?.() === 0;
  const apart = ['--mount', ...(isRoot ? [] : ['--map-root-user'])];
  const clean = ['/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', `TMPDIR=${place}`, 'LC_ALL=C'];
  const args = [...apart, '/bin/sh', '-c', changeRoot, 'sh', root, folder, ...clean, ...command];
  const { status } = spawnSync(needProgram('unshare'), args, { stdio: ['ignore', 2, 2] });
  return status === 0;
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
