import {
  callsOf,
  isCall,
  isParallel,
  referencesIn,
  type CallOp,
  type Op,
  type Program,
  type ProgramStruct,
  type ProgramValue,
} from '../../programs/program';
import { dutName } from '../../programs/bindings';
import { isReference } from '../../programs/program';
import { descriptionOf } from '../../verbs';
import { qpAttrBits } from '../../verbs/qp';

/** Whether a smaller program still shows what is wrong. */
export type StillFails = (program: Program) => Promise<boolean>;

/** The bits by which a mask names the attributes of a QP. */
const bits: Readonly<Record<string, string>> = qpAttrBits;

/** Candidates that are tried at most. */
const triesMax = 1500;

/** Makes a program that shows something wrong as small as it goes: operations first, then values. */
export async function shrink(
  program: Program,
  stillFails: StillFails,
  isOver = (): boolean => false,
): Promise<Program> {
  return new Shrinker(stillFails, isOver).run(program);
}

class Shrinker {
  #tries = 0;

  constructor(
    readonly stillFails: StillFails,
    readonly isOver: () => boolean,
  ) {}

  async run(program: Program): Promise<Program> {
    let best = program;
    for (let before = Infinity; sizeOf(best) < before && !this.#isSpent;) {
      before = sizeOf(best);
      best = await this.#fewerOps(best);
      best = await this.#eachOf(best, smallerOps);
    }
    return best;
  }

  get #isSpent(): boolean {
    return this.#tries >= triesMax || this.isOver();
  }

  async #holds(candidate: Program): Promise<boolean> {
    if (this.#isSpent) return false;
    this.#tries += 1;
    return this.stillFails(candidate);
  }

  /** Leaves out stretches of operations, large ones first, with what depends on them. */
  async #fewerOps(program: Program): Promise<Program> {
    let best = program;
    for (let size = best.ops.length >> 1; size >= 1; size >>= 1) {
      for (let at = best.ops.length - size; at >= 0; at -= size) {
        const candidate = { ...best, ops: closed([...best.ops.slice(0, at), ...best.ops.slice(at + size)]) };
        if (candidate.ops.length < best.ops.length && (await this.#holds(candidate))) {
          best = candidate;
          at = Math.min(at, best.ops.length);
        }
      }
    }
    return best;
  }

  async #eachOf(program: Program, variantsOf: (program: Program) => Generator<Program>): Promise<Program> {
    let best = program;
    for (let found = true; found && !this.#isSpent;) {
      found = false;
      for (const candidate of variantsOf(best)) {
        if (!(await this.#holds(candidate))) continue;
        best = candidate;
        found = true;
        break;
      }
    }
    return best;
  }
}

/** What counts: calls, then all that is written. */
function sizeOf(program: Program): number {
  return callsOf(program).length * 100_000 + JSON.stringify(program.ops).length;
}

/** Leaves out what refers to names that nothing makes. */
export function closed(ops: readonly Op[]): Op[] {
  const made = new Set<string>([dutName]);
  const keep = (op: Op): Op | undefined => {
    if (isParallel(op)) {
      const par = op.par
        .map((thread) => thread.flatMap((one) => keep(one) ?? []))
        .filter((thread) => thread.length > 0);
      return par.length === 0 ? undefined : { par };
    }
    if (!isCall(op)) return op;
    if ([...referencesIn(op.args)].some(({ of }) => !made.has(of))) return undefined;
    if (op.as !== undefined) made.add(op.as);
    return op;
  };
  return ops.flatMap((op) => keep(op) ?? []);
}

/** Programs that are simpler in one place. */
function* smallerOps(program: Program): Generator<Program> {
  yield* mergedQps(program);
  for (const [at, op] of program.ops.entries()) {
    for (const other of simplerOps(op)) {
      const ops = closed([...program.ops.slice(0, at), ...other, ...program.ops.slice(at + 1)]);
      const candidate = { ...program, ops };
      if (sizeOf(candidate) < sizeOf(program)) yield candidate;
    }
  }
}

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

function* mergedQps(program: Program): Generator<Program> {
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

/** Simpler operations in place of one. */
function* simplerOps(op: Op): Generator<readonly Op[]> {
  if (isParallel(op)) {
    yield op.par.flat();
    for (const [at, thread] of op.par.entries()) {
      for (let index = 0; index < thread.length; index++) {
        yield [{ par: op.par.map((one, place) => (place === at ? one.filter((_, where) => where !== index) : one)) }];
      }
    }
  } else if (isCall(op)) for (const args of simplerArgs(op)) yield [{ ...op, args }];
}

function* simplerArgs({ call, args }: CallOp): Generator<ProgramStruct> {
  const { wrs, numEntries, attr, attrMask } = args;
  if (call === 'ibv_modify_qp' && isStruct(attr) && Array.isArray(attrMask)) {
    const named = Object.entries(attr).filter(([name]) => attrMask.includes(bits[name]));
    yield { ...args, attr: Object.fromEntries(named) };
  }
  if (Array.isArray(wrs)) yield* simplerLists(args, wrs as readonly ProgramStruct[]);
  if (typeof numEntries === 'number' && numEntries > 1) yield { ...args, numEntries: numEntries >> 1 };
  const types: Readonly<Record<string, unknown>> = Object.assign({}, ...descriptionOf(call).in) as Record<
    string,
    unknown
  >;
  for (const name of ['channel', 'srq'])
    if (name in types && args[name] !== null && name in args) yield { ...args, [name]: null };
  for (const name of ['cqAttr', 'qpInitAttr']) {
    const attr = args[name];
    if (isStruct(attr)) for (const plain of plainer(attr)) yield { ...args, [name]: plain };
  }
}

function isStruct(value: ProgramValue | undefined): value is ProgramStruct {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isReference(value);
}

/** A struct with the plainest value in one of its members. */
function* plainer(attr: ProgramStruct): Generator<ProgramStruct> {
  for (const [member, plain] of Object.entries(plainest)) {
    if (member in attr && JSON.stringify(attr[member]) !== JSON.stringify(plain)) yield { ...attr, [member]: plain };
  }
}

const plainest: ProgramStruct = { channel: null, srq: null, wcFlags: [], flags: [], compMask: [] };

function* simplerLists(args: ProgramStruct, wrs: readonly ProgramStruct[]): Generator<ProgramStruct> {
  if (wrs.length > 1)
    for (let at = 0; at < wrs.length; at++) yield { ...args, wrs: wrs.filter((_, index) => index !== at) };
  for (const [at, wr] of wrs.entries()) {
    const replace = (other: ProgramStruct): ProgramStruct => ({
      ...args,
      wrs: wrs.map((one, index) => (index === at ? other : one)),
    });
    if (Array.isArray(wr.sgList) && wr.sgList.length > 0) yield replace({ ...wr, sgList: [] });
    const { sendFlags } = wr;
    if (!Array.isArray(sendFlags)) continue;
    for (const flag of sendFlags) yield replace({ ...wr, sendFlags: sendFlags.filter((one) => one !== flag) });
  }
}
