import {
  isCall,
  isParallel,
  isReference,
  nameIn,
  type CallOp,
  type Op,
  type Program,
  type ProgramStruct,
} from '../../programs/program';
import { closed } from './closed';
import { plainSend } from './plain-send';
import { isStruct } from './values';

/**
 * Programs in which QPs are in the error state that were connected: work is flushed there, so completions come with fewer
 * changes of a QP, and without memory or a peer.
 */
export function* withFailedQps(program: Program): Generator<Program> {
  const names = [...new Set(program.ops.flatMap((op) => (isConnecting(op) ? [qpOf(op)] : [])))];
  const sets = names.length > 1 ? [names, ...names.map((name) => [name])] : names.map((name) => [name]);
  for (const some of sets) {
    const failed = withFailed(program, new Set(some));
    yield failed;
    const users = usersOfSrqs(failed);
    yield withPosts(failed, (op) => plainPost(sendOf(op, users)));
  }
}

type Connecting = CallOp & { readonly args: { readonly qp: { readonly of: string }; readonly attr: ProgramStruct } };

function isConnecting(op: Op): op is Connecting {
  if (!isCall(op) || op.call !== 'ibv_modify_qp') return false;
  const { qp = null, attr } = op.args;
  return isReference(qp) && isStruct(attr) && (attr.qpState === 'IBV_QPS_RTR' || attr.qpState === 'IBV_QPS_RTS');
}

const qpOf = ({ args }: Connecting): string => args.qp.of;

/** Each QP fails where it was connected first. */
function withFailed(program: Program, names: ReadonlySet<string>): Program {
  const failed = new Set<string>();
  const ops = program.ops.flatMap((op): Op[] => {
    if (!isConnecting(op) || !names.has(qpOf(op))) return [op];
    if (failed.has(qpOf(op))) return [];
    failed.add(qpOf(op));
    return [{ ...op, args: { ...op.args, attr: { qpState: 'IBV_QPS_ERR' }, attrMask: ['IBV_QP_STATE'] } }];
  });
  return { ...program, ops: closed(ops) };
}

function withPosts(program: Program, changed: (op: CallOp) => CallOp): Program {
  const change = (op: Op): Op => {
    if (isParallel(op)) return { par: op.par.map((thread) => thread.map(change)) };
    return isCall(op) ? changed(op) : op;
  };
  return { ...program, ops: closed(program.ops.map(change)) };
}

/** A post of work that needs nothing. */
function plainPost(op: CallOp): CallOp {
  if (op.call !== 'ibv_post_send') return op;
  return { ...op, args: { ...op.args, wrs: (op.args.wrs as readonly ProgramStruct[]).map(plainSend) } };
}

/** By SRQ, a QP that takes receives from it. */
function usersOfSrqs({ ops }: Program): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  for (const op of ops) {
    if (!isCall(op) || op.call !== 'ibv_create_qp' || op.as === undefined || !isStruct(op.args.qpInitAttr)) continue;
    const srq = nameIn(op.args.qpInitAttr.srq);
    if (srq !== undefined && !users.has(srq)) users.set(srq, op.as);
  }
  return users;
}

/** A post to a send queue in place of one to a receive queue: both are flushed. */
function sendOf(op: CallOp, users: ReadonlyMap<string, string>): CallOp {
  const { wrs } = op.args;
  const qp = op.call === 'ibv_post_recv' ? nameIn(op.args.qp) : users.get(nameIn(op.args.srq) ?? '');
  if (!op.call.startsWith('ibv_post_') || op.call === 'ibv_post_send' || qp === undefined) return op;
  return { ...op, call: 'ibv_post_send', args: { qp: { of: qp }, ...(wrs !== undefined && { wrs }) } };
}
