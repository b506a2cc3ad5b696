/**
 * Unpacks libibverbs, its providers and what they need of a Debian suite into a new folder for `--rdma-core`:
 *
 *     node -r ./ci/typescript.js drivers/vm/kernels/fetch-rdma-core.ts bookworm|trixie|sid|44|56 FOLDER
 *
 * The C library is among them where this machine's is too old. Nothing is installed.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inTemporaryFolder, putInPlace } from '../../support/cache';
import { HarnessError, UsageError } from '../../contract';
import { RdmaCore } from '../../native/linux/rdma-core';
import { suites } from './releases';
import { unpackWithLibraries } from './unpack';

const wanted = ['libibverbs1', 'ibverbs-providers'];

async function main([name, folder]: readonly string[]): Promise<void> {
  if (name === undefined || folder === undefined) throw new UsageError('name a suite and a folder', known());
  const suite = suites.find((candidate) => candidate.name === name || candidate.rdmaCore === name);
  if (suite === undefined) throw new UsageError(`unknown suite or version '${name}'`, known());
  const target = resolve(folder);
  if (existsSync(target)) throw new UsageError(`${target} exists already`, 'name a new folder');
  await inTemporaryFolder(dirname(target), async (temporary) => {
    const tree = join(temporary, 'tree');
    await unpackWithLibraries(suite, wanted, { work: temporary, tree, progress: printLine });
    new RdmaCore(tree);
    await putInPlace(tree, target);
  });
  printLine(`use it with --rdma-core ${folder}`);
}

function known(): string {
  return `known are ${suites.map(({ name, rdmaCore = 'the newest' }) => `${name} (${rdmaCore})`).join(', ')}`;
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 3;
});
