import type { Command } from 'commander';
import { completionScript } from './completion-script';
import { completionWords } from './completion-words';
import type { Shell } from './shells';

/**
 * Prints a script with which a shell completes `verbspec`.
 *
 * @param program - the command line with all commands
 * @returns the exit code
 */
export function completion(shell: Shell, program: Command): number {
  process.stdout.write(completionScript(shell, completionWords(program)));
  return 0;
}
