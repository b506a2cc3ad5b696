import { checkedProgram } from '../programs/check-program';
import { callsOf, flatOps, isCall, isParallel, isPort, nameIn, referencesIn, type Program } from '../programs/program';
import { runProgram } from '../programs/run-program';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import type { Message } from '../sim/qp/message';
import { attributesAllowed } from '../sim/qp/attributes-of-states';
import { Explorer } from './explorer';
import { Paths } from './generate/paths';
import { StatesInText } from './generate/states-in-text';
import { shown } from './shown';

/**
 * Whether a program makes sense: it is well formed, takes no way that the simulator alone lets it take, and the sound
 * simulator does with it what it should. Only such programs accuse a device.
 */
export async function makesSense(program: Program): Promise<boolean> {
  try {
    checkedProgram(program);
    if (![isLawful, postsSome, movesLinkAlone, bindsOnce, getsApart, closesLast].every((holds) => holds(program)))
      return false;
    const sound = new Explorer(new SimBackend(soundParts), { oracles: ['axioms', 'inclusion'] });
    return (await sound.examine(program)).kind === 'sound' && (await readsNoGrh(program));
  } catch {
    return false;
  }
}

/**
 * Each QP goes from state to state with what it needs and may have there, or is refused to go, and takes receives in those
 * that take some.
 */
function isLawful({ ops }: Program): boolean {
  const states = new StatesInText();
  for (const op of ops) {
    if (!isCall(op)) continue;
    const qp = nameIn(op.args.qp) ?? '';
    const from = states.of(qp);
    if (op.call === 'ibv_post_recv' && from === 'IBV_QPS_RESET') return false;
    if (op.call === 'ibv_modify_qp' && !states.refuses(qp, op.args)) {
      const [to, type] = [states.next(qp, op.args), states.typeOf(qp)];
      if (type === undefined || (from === 'IBV_QPS_RESET' && to === 'IBV_QPS_ERR')) return false;
      const allowed = attributesAllowed(type, from, to);
      if (!(op.args.attrMask as readonly string[]).every((name) => allowed.has(name))) return false;
    }
    states.see(op);
  }
  return true;
}

/** Whether each list of requests has one: no page says what becomes of a list without. */
function postsSome(program: Program): boolean {
  return callsOf(program).every(({ args }) => !Array.isArray(args.wrs) || args.wrs.length > 0);
}

/**
 * Whether the link goes down and up in turn, while a context is open, with a call after each move that can tell of it; and
 * whether nothing has a path, or gets one, while it is down.
 */
function movesLinkAlone({ ops }: Program): boolean {
  const paths = new Paths();
  let isUp = true;
  for (const [at, op] of ops.entries()) {
    if (isPort(op)) {
      const next = ops[at + 1];
      if ((op.port === 'up') === isUp || !paths.canBeCut || next === undefined || !isCall(next)) return false;
      isUp = op.port === 'up';
    }
    for (const call of flatOps([op])) if (isCall(call) && paths.see(call) && !isUp) return false;
  }
  return true;
}

/** Whether no thread asks for an event, without waiting for it, at the moment at which another makes its first call. */
function getsApart({ ops }: Program): boolean {
  const nonblocking = new Set<string>();
  for (const op of ops) {
    if (isCall(op) && op.call === 'fcntl' && op.args.cmd === 'F_SETFL') {
      const source = nameIn(op.args.source) ?? '';
      if ((op.args.flags as readonly string[]).includes('O_NONBLOCK')) nonblocking.add(source);
      else nonblocking.delete(source);
    }
    if (!isParallel(op)) continue;
    const first = op.par.flatMap(([one]) => (one !== undefined && isCall(one) ? [one] : []));
    const gets = first.filter(({ args }) => nonblocking.has(nameIn(args.context ?? args.channel) ?? ''));
    if (first.length > 1 && gets.some(({ call }) => call.startsWith('ibv_get_'))) return false;
  }
  return true;
}

/**
 * Whether each window is bound again only once its key was invalidated, and then by a key of which nothing else has heard. A
 * device may go by the rkey member of the window, and no page says who brings that up to date when a WR has bound it.
 */
function bindsOnce(program: Program): boolean {
  const bound = new Set<string>();
  const keys = new Set<string>();
  for (const { wrs = [] } of callsOf(program).map(({ args }) => args as { readonly wrs?: readonly SendWrOf[] })) {
    for (const { bindMw, invalidateRkey } of wrs) {
      if (bindMw !== undefined) {
        const key = JSON.stringify(bindMw.rkey);
        if (bound.has(bindMw.mw.of) || keys.has(key)) return false;
        bound.add(bindMw.mw.of);
        keys.add(key);
      }
      if (invalidateRkey !== undefined && !bound.delete(invalidateRkey.of)) return false;
    }
  }
  return true;
}

/** Sound, in a network of other headers. */
const otherHeaders: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    override receive(message: Message): ReturnType<typeof soundParts.Responder.prototype.receive> {
      return super.receive({ ...message, grh: message.grh.map((byte) => ~byte) });
    }
  },
};

/** Whether nothing that is read hangs on the bytes of a GRH: they are for the network to say. */
async function readsNoGrh(program: Program): Promise<boolean> {
  if (!callsOf(program).some(({ call }) => call === 'memory read')) return true;
  return (await bytesRead(soundParts, program)) === (await bytesRead(otherHeaders, program));
}

async function bytesRead(parts: Parts, program: Program): Promise<string> {
  const { records } = await runProgram(new SimBackend(parts), program);
  return records.map((record) => (record?.verb === 'memory read' ? shown(record.outputs.bytes) : '')).join(' ');
}

/** Whether nothing is used of a context that was closed: nobody can say what becomes of the memory behind it. */
function closesLast(program: Program): boolean {
  const contextOf = new Map<string, string>();
  const closed = new Set<string>();
  for (const { call, args, as } of callsOf(program)) {
    const contexts = [...referencesIn(args)].flatMap(({ of }) => contextOf.get(of) ?? []);
    if (contexts.some((one) => closed.has(one))) return false;
    const context = call === 'ibv_open_device' ? as : contexts[0];
    if (as !== undefined && context !== undefined) contextOf.set(as, context);
    if (call === 'ibv_close_device' && context !== undefined) closed.add(context);
  }
  return true;
}

/** What a send WR of a program names of windows. */
interface SendWrOf {
  readonly bindMw?: { readonly mw: { readonly of: string }; readonly rkey: unknown };
  readonly invalidateRkey?: { readonly of: string };
}
