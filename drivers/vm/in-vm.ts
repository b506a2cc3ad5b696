/**
 * Runs a command in the VM that the soft-roce driver makes, for the project's own tests:
 *
 *     node -r ./ci/typescript.js drivers/vm/in-vm.ts [--kernel 6.1] [--no-link] [--executed-time] -- COMMAND ARG...
 *
 * With --executed-time, its clock does not go on while a busy machine keeps the VM from executing. The command runs in the current folder and sees this machine's files; only /tmp, its home, can be written, and what is
 * written is gone with the VM. Its output, stderr included, comes to stdout, and its exit code is passed on.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { HarnessError, UsageError } from '../contract';
import { startVm, type VmOptions } from './vm';

/** A test runner with type stripping needs more than a host process does. */
const MEMORY_MB = 2048;

async function main(): Promise<number> {
  const { command, ...choices } = readArguments(process.argv.slice(2));
  const inFolder = ['/usr/bin/env', '-C', process.cwd(), ...command];
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const vm = await startVm({ ...choices, hostCommand: () => inFolder, progress, memoryMb: MEMORY_MB }, 'command');
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

/** What is asked of the VM, and the command. */
interface Wanted extends Pick<VmOptions, 'kernel' | 'link' | 'time'> {
  readonly command: readonly string[];
}

function readArguments(args: string[]): Wanted {
  const options = {
    kernel: { type: 'string', default: '6.1' },
    'no-link': { type: 'boolean', default: false },
    'executed-time': { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('no command', 'name one after --');
  const time = values['executed-time'] ? 'executed' : 'wall';
  return { kernel: values.kernel, link: !values['no-link'], time, command: positionals };
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
