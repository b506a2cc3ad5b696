import { CommanderError } from 'commander';
import { DutCrashed, DutHung, DutPanicked, HarnessError, UsageError } from '../drivers/contract';
import { oneLine } from '../catalog/plain-text';
import { commandLine } from './command-line';
import { describeUnexpected } from './common/ending';

/**
 * Runs a `verbspec` command.
 *
 * @param argv - its words, `run` first, as the shell has them
 * @returns the exit code
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const cucumberOptions = end < 0 ? [] : argv.slice(end + 1);
  let code = 3;
  const program = commandLine(cucumberOptions, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(own, { from: 'user' });
    return code;
  } catch (error) {
    return tell(error);
  }
}

/** Tells an error in a line. @returns the exit code that it stands for */
function tell(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof HarnessError) {
    process.stderr.write(`verbspec: ${oneLine(error.message)}\n`);
    return error instanceof UsageError ? 2 : 3;
  }
  if ([DutCrashed, DutHung, DutPanicked].some((type) => error instanceof type)) {
    process.stderr.write(`verbspec: the device could not be made ready: ${oneLine((error as Error).message)}\n`);
    return 3;
  }
  process.stderr.write(`verbspec: ${describeUnexpected(error)}\n`);
  return 3;
}
