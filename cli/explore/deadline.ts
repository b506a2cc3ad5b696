import { isCall, isParallel, type Op, type Program } from '../../drivers/programs/program';

/** Milliseconds that the calls of a program have, on the clock of the device: one that has not returned by then hangs. */
const callsMs = 20_000;

/** Milliseconds that a program has which is executed whole: for its calls, and for all its settles. */
export function programDeadlineMs({ ops }: Pick<Program, 'ops'>, quietMs: number): number {
  return callsMs + settlesIn(ops) * quietMs;
}

function settlesIn(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => {
    if (isParallel(op)) return sum + settlesIn(op.par.flat());
    return isCall(op) ? sum : sum + 1;
  }, 0);
}
