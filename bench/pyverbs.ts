import { readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { cacheFolder, inTemporaryFolder, putInPlace } from '../drivers/support/cache';
import { HarnessError } from '../drivers/contract';
import { RdmaCore } from '../drivers/native/linux/rdma-core';
import { within } from '../drivers/support/timeout';
import type { OnProgress } from '../drivers/vm/kernels/kernel';
import { suites } from '../drivers/vm/kernels/releases';
import { unpackWithLibraries } from '../drivers/vm/kernels/unpack';
import { startVm } from '../drivers/vm/vm';

/** The module, whose package brings the suite too, and the Python that it was built for. */
const packages = ['python3-pyverbs', 'ibverbs-providers', 'python3.11-minimal'];
const suiteName = 'bookworm';
const testsFolder = 'usr/share/doc/rdma-core/tests';
const program = join(__dirname, 'pyverbs-suite.py');
/** The suite takes about half a minute. */
const deadlineMs = 900_000;

/** A test of pyverbs' suite, as pyverbs-suite.py prints it. */
export interface PyverbsTest {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
}

/** Unpacks pyverbs, its suite and all that they need into the user's cache, once; nothing is installed. */
export async function unpackPyverbs(progress: OnProgress): Promise<string> {
  const suite = suites.find(({ name }) => name === suiteName);
  if (suite?.rdmaCore === undefined) throw new HarnessError(`nothing is known of Debian ${suiteName}`);
  const cache = cacheFolder('pyverbs');
  const final = join(cache, suite.rdmaCore);
  if (existsSync(final)) return final;
  return inTemporaryFolder(cache, async (work) => {
    const tree = join(work, 'tree');
    await unpackWithLibraries(suite, packages, { work, tree, progress });
    decompress(join(tree, testsFolder));
    await putInPlace(tree, final);
    return final;
  });
}

/** Debian compresses what it takes for documentation. */
function decompress(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.gz'))) {
    const path = join(folder, name);
    writeFileSync(path.slice(0, -'.gz'.length), gunzipSync(readFileSync(path)));
    rmSync(path);
  }
}

/** Runs the suite in a VM like that of the soft-roce driver. */
export async function runPyverbs(kernel: string, tree: string, progress: OnProgress): Promise<readonly PyverbsTest[]> {
  const command = pyverbsCommand(tree);
  const vm = await startVm({ kernel, hostCommand: () => command, progress }, 'command');
  try {
    const guest = await vm.start(1);
    const output = await within(deadlineMs, text(guest.output));
    if (output === undefined) throw new HarnessError(`the suite did not end within ${deadlineMs / 1000} s`);
    const { code, signal, stderrTail } = await guest.ended;
    if (code === 0) return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as readonly PyverbsTest[];
    throw new HarnessError(`the suite ended with ${code ?? signal ?? stderrTail}:\n${output.slice(-2000)}`);
  } finally {
    await vm.close();
  }
}

function pyverbsCommand(tree: string): readonly string[] {
  const modules = [testsFolder, join(testsFolder, '..'), 'usr/lib/python3/dist-packages'];
  const environment = [`PYTHONHOME=${tree}/usr`, `PYTHONPATH=${modules.map((path) => join(tree, path)).join(':')}`];
  const python = [join(tree, 'usr/bin/python3.11'), program, '--dev', 'rxe0'];
  // The cache is read only in the VM, so no byte code can be kept there.
  return [
    '/usr/bin/env',
    ...environment,
    'PYTHONDONTWRITEBYTECODE=1',
    ...new RdmaCore(tree, 'rxe').around(python, true),
  ];
}
