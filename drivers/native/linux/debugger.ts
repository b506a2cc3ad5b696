import { execFile } from 'node:child_process';
import { findProgram } from '../../support/files';

/** Milliseconds that gdb may take; it waits for ever for a process that the kernel does not let go. */
const gdbMaxMs = 20_000;

/** Lines of a backtrace that are worth a message. */
const linesMax = 12;

/** No configuration of the user's, and no download of symbols. */
const options = ['-batch', '-nx', '-iex', 'set debuginfod enabled off', '-ex', 'bt'];

/** The main thread's backtrace in a process of this machine, as gdb reports it; empty where there is no gdb, or it cannot. */
export async function backtraceOf(pid: number): Promise<string> {
  const gdb = findProgram('gdb');
  if (gdb === undefined) return '';
  const output = await new Promise<string>((resolve) => {
    const limits = { timeout: gdbMaxMs, killSignal: 'SIGKILL', maxBuffer: 1 << 24 } as const;
    execFile(gdb, [...options, '-p', String(pid)], limits, (_error, stdout) => {
      resolve(stdout);
    });
  });
  return framesIn(output).slice(0, linesMax).join('\n');
}

function framesIn(output: string): string[] {
  return output.split('\n').filter((line) => /^#\d+ /.test(line));
}
