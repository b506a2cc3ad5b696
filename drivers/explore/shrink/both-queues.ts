import {
  isCall,
  isParallel,
  nameIn,
  type CallOp,
  type Op,
  type Program,
  type ProgramStruct,
} from '../../programs/program';
import { closed } from './closed';
import { isStruct } from './values';

type Creation = CallOp & { readonly as: string; readonly args: { readonly qpInitAttr: ProgramStruct } };

/** Programs in which one QP has its receives complete in the CQ of another one, and receives in place of its sends. */
export function* withBothQueues(program: Program): Generator<Program> {
  const made = program.ops.filter(isCreation);
  for (const kept of made) {
    for (const gone of made) {
      const cq = nameIn(gone.args.qpInitAttr.sendCq);
      if (kept !== gone && cq !== undefined && cq !== nameIn(kept.args.qpInitAttr.sendCq))
        yield joined(program, kept, gone, cq);
    }
  }
}

function isCreation(op: Op): op is Creation {
  return isCall(op) && op.call === 'ibv_create_qp' && op.as !== undefined && isStruct(op.args.qpInitAttr);
}

function joined(program: Program, kept: Creation, gone: Creation, cq: string): Program {
  const creation = program.ops.filter((op) => isCall(op) && op.as === cq);
  const qpInitAttr = { ...kept.args.qpInitAttr, recvCq: { of: cq } };
  const change = (op: Op): Op[] => {
    if (op === kept) return [...creation, { ...kept, args: { ...kept.args, qpInitAttr } }];
    if (op === gone || creation.includes(op)) return [];
    if (isParallel(op)) return [{ par: op.par.map((thread) => thread.flatMap(change)) }];
    return isCall(op) && nameIn(op.args.qp) === gone.as ? receiveOf(op, kept.as) : [op];
  };
  return { ...program, ops: closed(program.ops.flatMap(change)) };
}

/** Posts become those of receives; the other one has gone from state to state already. */
function receiveOf({ call, args: { wrs } }: CallOp, qp: string): Op[] {
  if (!call.startsWith('ibv_post_') || !Array.isArray(wrs)) return [];
  const receives = (wrs as readonly ProgramStruct[]).map(({ wrId = '0x0' }) => ({ wrId, sgList: [] }));
  return [{ call: 'ibv_post_recv', args: { qp: { of: qp }, wrs: receives } }];
}
