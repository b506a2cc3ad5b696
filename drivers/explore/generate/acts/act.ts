import type { ProgramStruct } from '../../../programs/program';
import type { VerbName } from '../../../verbs';
import type { Act } from '../aim';
import { callOp, type Walk } from '../walk';

/** A call, made as it stands or by `make`, which keeps account of what follows from it. */
export function actOf(w: Walk, call: VerbName, args: ProgramStruct, make?: () => Promise<unknown>): Act {
  const op = callOp(call, args);
  return {
    situation: w.situationOf(op),
    make: make ?? (() => w.call(call, args)),
    stateAfter: () => w.situationOf(op)?.state,
  };
}

/** An act that is there for one outcome. */
export function withGoal(act: Act, outcome: string): Act {
  return act.situation === undefined ? act : { ...act, goals: [{ ...act.situation, outcome }] };
}
