import {
  callsOf,
  isCall,
  isParallel,
  nameIn,
  type CallOp,
  type Op,
  type Program,
  type ProgramStruct,
} from '../../../programs/program';
import type { VerbName } from '../../../verbs';

const initOf = ({ args }: CallOp): ProgramStruct => args.qpInitAttr as ProgramStruct;

/**
 * Names of CQs that serve both queues of a QP, and are used by nothing but calls that can be made of two CQs. One that is to be
 * smaller than it was made may be too full for that, where two are not.
 */
function sharedCqs(program: Program): ReadonlySet<string> {
  const calls = callsOf(program);
  const shared = new Set<string>();
  const sizes = new Map(calls.map(({ as, args }) => [as, args.cqe]));
  for (const op of calls) {
    const name = op.call === 'ibv_create_qp' ? nameIn(initOf(op).sendCq) : undefined;
    if (name !== undefined && name === nameIn(initOf(op).recvCq)) shared.add(name);
  }
  for (const { call, args, as } of calls) {
    if (as !== undefined && call !== 'ibv_create_cq') shared.delete(as);
    const size = Number(sizes.get(nameIn(args.cq)));
    if (call === 'ibv_resize_cq' && !(Number(args.cqe) >= size)) shared.delete(nameIn(args.cq) ?? '');
    if (call === 'ibv_start_poll') shared.delete(nameIn(args.cq) ?? '');
  }
  return shared;
}

/** Calls that both CQs need; the one for sends has no channel, so it is neither armed nor are its events taken. */
const forBoth: ReadonlySet<VerbName> = new Set(['ibv_poll_cq', 'ibv_resize_cq', 'ibv_destroy_cq']);

const sendsOf = (cq: string): string => `${cq}_s`;

/** Each CQ that serves both queues of a QP becomes two: one for sends, and one for receives. */
export function withSplitCqs(program: Program): Program | undefined {
  const shared = sharedCqs(program);
  if (shared.size === 0 || program.ops.some(isParallel)) return undefined;
  const split = (op: Op): Op[] => {
    if (!isCall(op)) return [op];
    const { call, args, as } = op;
    if (call === 'ibv_create_cq' && as !== undefined && shared.has(as))
      return [op, { call, args: { ...args, channel: null }, as: sendsOf(as) }];
    if (call === 'ibv_create_qp') return [withSendCq(op, shared)];
    const cq = nameIn(args.cq);
    if (cq === undefined || !shared.has(cq) || !forBoth.has(call)) return [op];
    return [op, { call, args: { ...args, cq: { of: sendsOf(cq) } } }];
  };
  return { ...program, ops: program.ops.flatMap(split) };
}

function withSendCq(op: CallOp, shared: ReadonlySet<string>): CallOp {
  const cq = nameIn(initOf(op).sendCq);
  if (cq === undefined || !shared.has(cq)) return op;
  return { ...op, args: { ...op.args, qpInitAttr: { ...initOf(op), sendCq: { of: sendsOf(cq) } } } };
}

/** Names of extended CQs whose completions say of which QP they are. */
function readableCqs(program: Program): ReadonlySet<string> {
  return new Set(
    callsOf(program).flatMap(({ call, args, as }) => {
      const { wcFlags } = (args.cqAttr ?? {}) as { readonly wcFlags?: readonly string[] };
      return call === 'ibv_create_cq_ex' && as !== undefined && wcFlags?.includes('IBV_WC_EX_WITH_QP_NUM') ? [as] : [];
    }),
  );
}

/** What is read of each completion of a batch; what comes after the last one is not called. */
const reads: readonly VerbName[] = ['struct ibv_cq_ex', 'ibv_wc_read_qp_num', 'ibv_wc_read_opcode'];

/** Polls of an extended CQ become batches. */
export function withBatches(program: Program): Program | undefined {
  const readable = readableCqs(program);
  const batch = (op: Op): Op[] => {
    if (!isCall(op) || op.call !== 'ibv_poll_cq' || !readable.has(nameIn(op.args.cq) ?? '')) return [op];
    const count = Number(op.args.numEntries);
    if (count < 1 || count > 16) return [op];
    const calls = Array.from({ length: count }, (_, at): VerbName[] => [
      at === 0 ? 'ibv_start_poll' : 'ibv_next_poll',
      ...reads,
    ]);
    return [...calls.flat(), 'ibv_end_poll' as const].map((call): CallOp => ({
      call,
      args: { cq: op.args.cq ?? null },
    }));
  };
  const ops = program.ops.flatMap(batch);
  return ops.length === program.ops.length ? undefined : { ...program, ops };
}
