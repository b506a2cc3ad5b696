/**
 * Runs a command in the VM that the soft-roce driver makes, for the project's own tests:
 *
 *     node -r ./ci/typescript.js drivers/vm/in-vm.ts [--kernel 6.1] [--no-link] -- COMMAND ARG...
 *
 * The command runs in the current folder and sees this machine's files; only /tmp, its home, can be written, and what is
 * written is gone with the VM. Its output, stderr included, comes to stdout, and its exit code is passed on.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { HarnessError, UsageError } from '../contract';
import { startVm } from './vm';

/** A test runner with type stripping needs more than a host process does. */
const MEMORY_MB = 2048;

async function main(): Promise<number> {
  const { kernel, link, command } = readArguments(process.argv.slice(2));
  const inFolder = ['/usr/bin/env', '-C', process.cwd(), ...command];
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const vm = await startVm({ kernel, link, hostCommand: () => inFolder, progress, memoryMb: MEMORY_MB }, 'command');
  try {
    const guest = await vm.start(1);
    guest.output.pipe(process.stdout);
    const { code, signal, stderrTail } = await guest.ended;
    if (code === null && signal === null) throw new HarnessError(stderrTail);
    return code ?? 128 + constants.signals[signal as NodeJS.Signals];
  } finally {
    await vm.close();
  }
}

function readArguments(args: string[]): { kernel: string; link: boolean; command: readonly string[] } {
  const options = {
    kernel: { type: 'string', default: '6.1' },
    'no-link': { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('no command', 'name one after --');
  return { kernel: values.kernel, link: !values['no-link'], command: positionals };
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
