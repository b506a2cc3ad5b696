import { findProgram } from './files';

/** Whether {@link dyingWithParent} can do what it is for. */
export function canDieWithParent(): boolean {
  return findProgram('setpriv') !== undefined;
}

/**
 * A command whose process is killed as soon as this one has ended, even by SIGKILL. Where this machine has no setpriv it
 * is the command as it was.
 */
export function dyingWithParent(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const setpriv = findProgram('setpriv');
  return setpriv === undefined ? [program, args] : [setpriv, ['--pdeathsig', 'KILL', program, ...args]];
}
