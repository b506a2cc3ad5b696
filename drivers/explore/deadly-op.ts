import { callsOf, isCall, isParallel, isPort, type Program } from '../programs/program';
import type { Difference } from './oracle/difference';

/**
 * Finds the operation that a program fails at: those before it can be executed.
 *
 * @param fails - whether such a program fails
 * @returns the program up to that operation
 */
export async function upToDeadlyOp(program: Program, fails: (part: Program) => Promise<boolean>): Promise<Program> {
  const upTo = (count: number): Program => ({ ...program, ops: program.ops.slice(0, count) });
  let [executed, failed] = [0, program.ops.length];
  // What was made smaller mostly ends with it.
  let next = failed - 1;
  while (failed - executed > 1) {
    if (await fails(upTo(next))) failed = next;
    else executed = next;
    next = (executed + failed) >> 1;
  }
  return upTo(failed);
}

/** The place and the name of the last operation of a program. */
export function lastOf(program: Program): Pick<Difference, 'at' | 'verb'> {
  const last = program.ops.at(-1);
  const calls = callsOf(program).length;
  if (last === undefined) return { at: 0, verb: 'call' };
  if (isCall(last)) return { at: calls - 1, verb: last.call };
  return { at: calls, verb: isParallel(last) ? 'parallel' : isPort(last) ? 'port' : 'settle' };
}
