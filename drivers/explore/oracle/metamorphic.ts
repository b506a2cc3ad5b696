import type { TraceStruct, TraceValue } from '../../contract';
import { shown } from '../shown';
import { withBatches, withSplitCqs } from './relations/cq-relations';
import type { Difference } from './difference';
import { structsOf } from '../../pipeline/values';
import {
  callsOf,
  isCall,
  isParallel,
  isReference,
  nameIn,
  programLimits,
  type CallOp,
  type Op,
  type Program,
  type ProgramRecord,
  type ProgramStruct,
  type ProgramValue,
} from '../../programs/program';

/** Two ways to write one program: what they come to is the same, whatever the pages say. */
export interface Relation {
  readonly name: string;
  /** The other way to write an operation, or nothing if it has none. */
  readonly rewrite?: (op: CallOp) => readonly Op[] | undefined;
  /** The other way to write a whole program, or nothing if it has none. */
  readonly rewriteAll?: (program: Program) => Program | undefined;
}

const structs = (value: ProgramValue | undefined): readonly ProgramStruct[] =>
  Array.isArray(value) ? (value as ProgramStruct[]) : [];

/** The pairs of programs whose outcome has to be the same. */
export const relations: readonly Relation[] = [
  {
    name: 'one list of work requests, and single posts',
    rewrite: ({ call, args }) => {
      const wrs = structs(args.wrs);
      if (!['ibv_post_send', 'ibv_post_recv', 'ibv_post_srq_recv'].includes(call) || wrs.length < 2) return undefined;
      return wrs.map((wr): CallOp => ({ call, args: { ...args, wrs: [wr] } }));
    },
  },
  {
    name: 'a poll of several completions, and several polls of one',
    rewrite: ({ call, args }) => {
      const { numEntries } = args;
      if (call !== 'ibv_poll_cq' || typeof numEntries !== 'number' || numEntries < 2 || numEntries > 16)
        return undefined;
      return Array.from({ length: numEntries }, (): CallOp => ({ call, args: { ...args, numEntries: 1 } }));
    },
  },
  {
    name: 'inline data, and data of a region',
    rewrite: (op) => {
      const wrs = structs(op.args.wrs);
      if (op.call !== 'ibv_post_send' || !wrs.some(canBePlain)) return undefined;
      const plain = wrs.map((wr) => (canBePlain(wr) ? withoutInline(wr) : wr));
      return [{ ...op, args: { ...op.args, wrs: plain } }];
    },
  },
  { name: 'one CQ for sends and receives, and two', rewriteAll: withSplitCqs },
  { name: 'polls of an extended CQ, and batches', rewriteAll: withBatches },
];

const flagsOf = ({ sendFlags }: ProgramStruct): readonly string[] =>
  Array.isArray(sendFlags) ? sendFlags.map(String) : [];
const withoutInline = (wr: ProgramStruct): ProgramStruct => ({
  ...wr,
  sendFlags: flagsOf(wr).filter((flag) => flag !== 'IBV_SEND_INLINE'),
});

/** Whether it is inline, and names a region of which its data could come as well: nobody looks at the key of inline data. */
const canBePlain = (wr: ProgramStruct): boolean =>
  flagsOf(wr).includes('IBV_SEND_INLINE') && structs(wr.sgList).every(({ lkey = null }) => isReference(lkey));

/** The other way to write a program; nothing if it has nothing that can be written so, depends on time, or becomes too long. */
export function rewritten(program: Program, relation: Relation): Program | undefined {
  const other = isCalm(program) ? otherWay(program, relation) : undefined;
  return other === undefined || other.ops.length > programLimits.ops ? undefined : other;
}

function otherWay(program: Program, { rewrite, rewriteAll }: Relation): Program | undefined {
  if (rewriteAll !== undefined) return rewriteAll(program);
  if (rewrite === undefined) return undefined;
  const ops = program.ops.flatMap((op) => (isCall(op) ? (rewrite(op) ?? [op]) : [op]));
  return ops.length === program.ops.length && ops.every((op, index) => op === program.ops[index])
    ? undefined
    : { ...program, ops };
}

const beforeSettling: ReadonlySet<string> = new Set([
  'ibv_modify_qp',
  'ibv_create_ah',
  'ibv_post_recv',
  'ibv_post_srq_recv',
  'ibv_post_send',
]);

/** Whether all work is waited for before anything else is done, so that nothing depends on how fast it is. */
function isCalm({ ops }: Program): boolean {
  let isUnderWay = false;
  for (const op of ops) {
    if (isParallel(op)) return false;
    if (!isCall(op)) isUnderWay = false;
    else if (isUnderWay && !beforeSettling.has(op.call)) return false;
    else if (op.call === 'ibv_post_send' || isChangeOfState(op)) isUnderWay = true;
  }
  return true;
}

/** A change of state after which work is flushed, or goes on. */
const isChangeOfState = ({ call, args }: CallOp): boolean =>
  call === 'ibv_modify_qp' && !/IBV_QPS_(RESET|INIT|RTR|RTS)/.test(JSON.stringify(args.attr));

/** Names of CQs that serve the sends of a QP, and receives: the order of these is free. */
function mixedCqs(program: Program): ReadonlySet<string> {
  const ends = callsOf(program).flatMap(({ call, args }) =>
    call === 'ibv_create_qp' ? [args.qpInitAttr as ProgramStruct] : [],
  );
  const receiving = new Set(ends.map(({ recvCq }) => nameIn(recvCq)));
  return new Set(ends.flatMap(({ sendCq }) => (receiving.has(nameIn(sendCq)) ? [nameIn(sendCq) ?? ''] : [])));
}

/** Whether not all CQEs of a CQ of several queues were looked at: which these are depends on the order across queues. */
export function leavesSome(program: Program, records: readonly (ProgramRecord | undefined)[]): boolean {
  const mixed = mixedCqs(program);
  const left = new Map<string, boolean>();
  const looks = new Map<string, Set<boolean>>();
  for (const [at, { call, args }] of callsOf(program).entries()) {
    const name = nameIn(args.cq);
    const record = records[at];
    // What was not called, as the call before it had not returned, has looked at nothing.
    if (record === undefined || name === undefined || !mixed.has(name)) continue;
    const { returned } = record;
    if (call === 'ibv_poll_cq') left.set(name, returned === args.numEntries);
    const isLook = call === 'ibv_poll_cq' ? returned !== 0 : movesOn.has(call) && returned === 0;
    if (!isLook) continue;
    const isSeen = call === 'ibv_poll_cq' || readAt(records, at + 1) !== undefined;
    looks.set(name, (looks.get(name) ?? new Set()).add(isSeen));
  }
  return [...left.values()].includes(true) || [...looks.values()].some(({ size }) => size === 2);
}

/** Whether several QPs take their receives from one SRQ: which of them gets a receive that is late is for them to decide. */
export function sharesReceives(program: Program): boolean {
  const srqs = callsOf(program).flatMap(({ call, args }) =>
    call === 'ibv_create_qp' ? (nameIn((args.qpInitAttr as ProgramStruct).srq) ?? []) : [],
  );
  return new Set(srqs).size < srqs.length;
}

/** Calls after which a batch stands on another completion. */
const movesOn: ReadonlySet<string> = new Set(['ibv_start_poll', 'ibv_next_poll']);

/** The completion of a batch of which QP and opcode are read next. */
function readAt(records: readonly (ProgramRecord | undefined)[], at: number): TraceStruct | undefined {
  const [current, qpNum, opcode] = records.slice(at, at + 3);
  if (current?.verb !== 'struct ibv_cq_ex' || qpNum?.verb !== 'ibv_wc_read_qp_num') return undefined;
  if (opcode?.verb !== 'ibv_wc_read_opcode') return undefined;
  return { ...current.outputs, qpNum: qpNum.outputs.value ?? null, opcode: opcode.outputs.value ?? null };
}

/** What a run came to, in terms that do not depend on how it was written: of each queue its completions, and all bytes read. */
export function digestOf(program: Program, records: readonly (ProgramRecord | undefined)[]): string {
  const calls = callsOf(program);
  const names = new Map<TraceValue, string>();
  const queues = new Map<string, string[]>();
  const bytes: string[] = [];
  const see = (qp: string, wc: TraceStruct): void => {
    const isGood = wc.status === 'IBV_WC_SUCCESS';
    const queue = `${qp} ${isGood ? (shown(wc.opcode).startsWith('IBV_WC_RECV') ? 'receives' : 'sends') : 'failed'}`;
    const list = queues.get(queue) ?? [];
    queues.set(queue, [...list, `${shown(wc.wrId)} ${shown(wc.status)} ${isGood ? shown(wc.opcode) : ''}`]);
  };
  for (const [at, record] of records.entries()) {
    if (record === undefined) continue;
    const { verb, outputs } = record;
    if (verb === 'ibv_create_qp') names.set(outputs.qpNum ?? '', calls[at]?.as ?? '');
    if (verb === 'memory read') bytes.push(shown(outputs.bytes));
    if (verb === 'ibv_poll_cq' && 'wc' in outputs)
      for (const wc of structsOf(outputs, 'wc')) see(names.get(wc.qpNum ?? '') ?? '?', wc);
    const read = readAt(records, at);
    if (read !== undefined) see(names.get(read.qpNum ?? '') ?? '?', read);
  }
  // Which queue a failed CQE is of, it does not say, and the order across queues is free.
  const sorted = [...queues]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([queue, list]) => `${queue}: ${(queue.endsWith(' failed') ? [...list].sort() : list).join(', ')}`);
  return [...sorted, ...bytes].join('\n');
}

/** The first line in which two digests differ; `null` where one has ended. */
export function firstDifference(one: string, other: string): Pick<Difference, 'what' | 'expected' | 'observed'> {
  const [mine, its] = [one.split('\n'), other.split('\n')];
  const lines = mine.length < its.length ? its : mine;
  const at = lines.findIndex((_line, index) => mine[index] !== its[index]);
  return { what: 'outcome', expected: mine[at] ?? null, observed: its[at] ?? null };
}
