/**
 * Unpacks libibverbs, its providers and what they need of a Debian suite into a new folder for `--rdma-core`:
 *
 *     node -r ts-node/register/transpile-only drivers/soft-roce/fetch-rdma-core.ts bookworm|trixie|sid|44|56 FOLDER
 *
 * The C library is among them where this machine's is too old. Nothing is installed.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inTemporaryFolder, publish } from '../cache';
import { HarnessError, UsageError } from '../contract';
import { RdmaCore } from '../native/rdma-core';
import { PrivateApt } from './apt';
import { run } from './programs';
import { compareReleases, suites, type Suite } from './releases';

const wanted = ['libibverbs1', 'ibverbs-providers'];

async function main([name, folder]: readonly string[]): Promise<void> {
  if (name === undefined || folder === undefined) throw new UsageError('name a suite and a folder', known());
  const suite = suites.find((candidate) => candidate.name === name || candidate.rdmaCore === name);
  if (suite === undefined) throw new UsageError(`unknown suite or version '${name}'`, known());
  const target = resolve(folder);
  if (existsSync(target)) throw new UsageError(`${target} is there already`, 'name a folder that is to be made');
  await inTemporaryFolder(dirname(target), async (temporary) => {
    const tree = join(temporary, 'tree');
    await unpack(suite, temporary, tree);
    new RdmaCore(tree);
    await publish(tree, target);
  });
  tell(`use it with --rdma-core ${folder}`);
}

function known(): string {
  return `known are ${suites.map(({ name, rdmaCore = 'the newest' }) => `${name} (${rdmaCore})`).join(', ')}`;
}

async function unpack(suite: Suite, folder: string, tree: string): Promise<void> {
  tell(`reading the package lists of Debian ${suite.name}`);
  const apt = await PrivateApt.open(join(folder, 'apt'), suite);
  for (const name of await withLibraries(apt)) {
    const { file } = await apt.describe(name);
    tell(`unpacking ${file}`);
    await apt.fetch(name, folder);
    await run('dpkg-deb', ['-x', join(folder, file), tree]);
  }
}

/** Packages that are wanted, and the libraries that they need, theirs too. */
async function withLibraries(apt: PrivateApt): Promise<readonly string[]> {
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

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
