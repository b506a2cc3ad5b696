import { findProgram } from './files';

/**
 * A command whose process is killed as soon as this one has ended, even by SIGKILL. Where this machine has no setpriv it
 * is the command as it was.
 */
export function dyingWithParent(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const setpriv = findProgram('setpriv');
  return setpriv === undefined ? [program, args] : [setpriv, ['--pdeathsig', 'KILL', program, ...args]];
}
