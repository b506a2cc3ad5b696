import { maskOf, qpAttrBits, type QpAttr } from '../../../../contract';
import type { ProgramStruct } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { recoverPair } from '../../moves/sharing';
import { bringUp, makeCq, makePair, reset } from '../../objects';
import { attrMasks } from '../../questions';
import {
  grhBytes,
  isAtomic,
  look,
  messageOf,
  needsReceive,
  postReceives,
  wrOf,
  writePayload,
  type Opcode,
} from '../../work';
import { callOp, member, of, type Qp, type QpState, type Walk } from '../../walk';
import { shuffled } from '../rig';
import { withUnmasked } from '../unmasked';
import { maySend, neededFor, opcodesBetween, someAttributes, someChange, someMtu, type End } from './attribute-values';

/** QPs that have each attribute at one of its ends tell it as it is, and work by it, in one life after the other. */
export async function setBoundaryValues(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64, isEx: false })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const init = { type, cqs: [cq, cq, cq, cq], srq: undefined, signalsAll: false } as const;
  const pairs = [await makePair(w, init)];
  if (chance.happens(0.4)) pairs.push(await makePair(w, init));
  for (let lives = 3; lives > 0 && !w.isOver && w.size < 110; lives--) await live(w, pairs.flat());
  for (const [client, server] of pairs) [client.peer, server.peer] = [server, client];
}

/** Two of the QPs are connected for a while, whichever they are. */
async function live(w: Walk, qps: readonly Qp[]): Promise<void> {
  const mtu = someMtu(w);
  const [one, other] = shuffled(w, qps).map((qp): End => ({ qp, mtu, attributes: someAttributes(w) }));
  if (one === undefined || other === undefined) return;
  [one.qp.peer, other.qp.peer] = [other.qp, one.qp];
  for (const state of ['INIT', 'RTR', 'RTS'] as const)
    for (const [end, peer] of bothWays(one, other)) await goTo(w, state, end, peer);
  for (const [end, peer] of bothWays(one, other)) await send(w, end, peer, true);
  for (const end of shuffled(w, [one, other])) await changeLater(w, end);
  const last = w.chance.one(one, other);
  for (const isLet of [true, false]) await send(w, last, last === one ? other : one, isLet);
  await end(w, [one, other]);
}

const bothWays = (one: End, other: End): (readonly [End, End])[] => [
  [one, other],
  [other, one],
];

async function modify(w: Walk, { qp }: End, attr: ProgramStruct): Promise<void> {
  const attrMask = maskOf(qpAttrBits, attr as QpAttr);
  await w.perform(withUnmasked(w.chance, callOp('ibv_modify_qp', { qp: of(qp.name), attr, attrMask })));
}

async function ask(w: Walk, { qp }: End, share: number): Promise<void> {
  for (const attrMask of w.chance.some(attrMasks, share)) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask });
}

/** One step on the way to IBV_QPS_RTS; on the last one some attributes may be set once more. */
async function goTo(w: Walk, state: QpState, own: End, other: End): Promise<void> {
  const change = state === 'RTS' && w.chance.happens(0.3) ? someChange(w, own, 'RTS') : {};
  own.attributes = { ...own.attributes, ...change };
  await modify(w, own, { qpState: `IBV_QPS_${state}`, ...neededFor(state, own, other), ...(change as ProgramStruct) });
  own.qp.state = state;
  await ask(w, own, state === 'INIT' ? 0.25 : 0.5);
  if (state === 'RTS') await bringUp(w, own.qp);
}

async function change(w: Walk, own: End, state: 'RTS' | 'SQD', attr: ProgramStruct): Promise<void> {
  const changed = someChange(w, own, state);
  own.attributes = { ...own.attributes, ...changed };
  if (Object.keys(attr).length + Object.keys(changed).length === 0) return;
  await modify(w, own, { ...attr, ...(changed as ProgramStruct) });
  await ask(w, own, 0.4);
}

/** In IBV_QPS_RTS, and while the send queue is drained. */
async function changeLater(w: Walk, own: End): Promise<void> {
  const { chance } = w;
  if (chance.happens(0.5)) await change(w, own, 'RTS', chance.one({}, { qpState: 'IBV_QPS_RTS' }));
  if (!w.has('sq-drain') || chance.happens(0.4)) return;
  await w.settle();
  await modify(w, own, { qpState: 'IBV_QPS_SQD' });
  await w.settle();
  await drainAsync(w);
  await ask(w, own, 0.4);
  await change(w, own, 'SQD', {});
  await change(w, own, 'RTS', { qpState: 'IBV_QPS_RTS' });
}

/** A message that the other end lets in, or one that it does not. */
async function send(w: Walk, from: End, to: End, isLet: boolean): Promise<void> {
  const opcode = w.chance.pick(opcodesBetween(w, from, to, isLet));
  if (opcode === undefined || !maySend(from) || [from, to].some(({ qp }) => w.hasFailed(qp))) return;
  const long = from.qp.type === 'IBV_QPT_UD' || !isLet ? 33 : 1500;
  const length = isAtomic(opcode) ? 8 : w.chance.one(16, 1, long);
  const message = messageOf(w, from.qp, opcode, { length, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  const [receive] = needsReceive(opcode) ? await postReceives(w, to.qp, [length]) : [];
  await writePayload(w, from.qp, message);
  if (bringsBack(opcode)) {
    const addr = member(to.qp.region.memory, 'addr', message.remote);
    await w.call('memory write', { addr, bytes: w.payload(length + 1).slice(2) });
  }
  const wr = wrOf(w, from.qp, message);
  const { qkey: remoteQkey } = to.attributes;
  const ud = from.qp.type === 'IBV_QPT_UD' ? { ud: { ...(wr.ud as ProgramStruct), remoteQkey } } : {};
  await w.call('ibv_post_send', { qp: of(from.qp.name), wrs: [{ ...wr, ...ud }] });
  await w.settle();
  await drain(w, from.qp.sendCq);
  if (bringsBack(opcode)) await look(w, from.qp.region, message.local, length);
  const header = grhBytes(to.qp);
  if (receive !== undefined) await look(w, to.qp.region, receive.at + header, length, header > 0 ? 0 : 1);
  else await look(w, to.qp.region, message.remote, length);
}

const bringsBack = (opcode: Opcode): boolean => opcode === 'IBV_WR_RDMA_READ' || isAtomic(opcode);

/** Back to IBV_QPS_RESET, where nothing counts any more of what was set. */
async function end(w: Walk, [one, other]: readonly [End, End]): Promise<void> {
  await recoverPair(w, one.qp);
  await drain(w, one.qp.sendCq);
  for (const own of [one, other]) {
    await reset(w, own.qp);
    await ask(w, own, 0.15);
  }
}
