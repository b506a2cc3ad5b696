import {
  isCall,
  isParallel,
  isReference,
  type CallOp,
  type Op,
  type Program,
  type ProgramStruct,
  type ProgramValue,
} from '../../programs/program';
import { closed } from './closed';
import { isStruct } from './values';

/** What one will do in place of two of, the least needed first: of QPs, one that is its own peer. */
const merging = [
  'ibv_create_qp',
  'ibv_reg_mr',
  'memory allocate',
  'ibv_create_cq',
  'ibv_create_cq_ex',
  'ibv_create_comp_channel',
  'ibv_create_srq',
  'ibv_create_ah',
  'ibv_alloc_pd',
  'ibv_open_device',
];

/** Programs with one object in place of two. */
export function* withOneOfTwo(program: Program): Generator<Program> {
  const made = (verb: string): CallOp[] =>
    program.ops.filter((op): op is CallOp => isCall(op) && op.call === verb && op.as !== undefined);
  for (const verb of merging) {
    const all = made(verb);
    for (const one of all) {
      for (const other of all)
        if (one !== other && one.as !== undefined && other.as !== undefined) yield merged(program, one.as, other.as);
    }
  }
}

function merged(program: Program, kept: string, gone: string): Program {
  const makes = program.ops.findIndex((op) => isCall(op) && op.as === kept);
  const reached = new Set<unknown>();
  const ops = program.ops.flatMap((op, index): Op[] => {
    if (isCall(op) && op.as === gone) return [];
    const next = renamedOp(op, gone, kept);
    return index > makes && isCall(next) && isAgain(next, kept, reached) ? [] : [next];
  });
  return { ...program, ops: closed(ops) };
}

/** The states by which a QP comes to send. */
const way: readonly unknown[] = ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'];

/** Whether a QP is brought to a state of its way that it has come to as the other one of two. */
function isAgain({ call, args: { qp = null, attr } }: CallOp, name: string, reached: Set<unknown>): boolean {
  if (call !== 'ibv_modify_qp' || !isReference(qp) || qp.of !== name || !isStruct(attr)) return false;
  const { qpState } = attr;
  if (qpState === undefined) return false;
  if (reached.has(qpState)) return true;
  if (!way.includes(qpState)) reached.clear();
  else reached.add(qpState);
  return false;
}

function renamedOp(op: Op, from: string, to: string): Op {
  if (isParallel(op)) return { par: op.par.map((thread) => thread.map((one) => renamedOp(one, from, to))) };
  return isCall(op) ? { ...op, args: renamed(op.args, from, to) as ProgramStruct } : op;
}

function renamed(value: ProgramValue, from: string, to: string): ProgramValue {
  if (isReference(value)) return value.of === from ? { ...value, of: to } : value;
  if (Array.isArray(value)) return (value as readonly ProgramValue[]).map((item) => renamed(item, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries<ProgramValue>(value).map(([name, member]) => [name, renamed(member, from, to)]),
  );
}
