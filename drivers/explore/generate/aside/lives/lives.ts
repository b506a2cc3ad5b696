import type { ProgramStruct } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { attrOf, bringUp, makeCq, makePair, makeSrq, modifyQp, remoteRights } from '../../objects';
import { typesOf } from '../../moves/lifetimes';
import { attrLackingOne, changeInVain } from '../../moves/refusing';
import { pickOpcode, reach } from '../../moves/reaching';
import { recoverPair } from '../../moves/sharing';
import { attrMasks } from '../../questions';
import { messageOf, postReceives, wrOf } from '../../work';
import { member, of, type Cq, type Qp, type QpState, type Walk } from '../../walk';

/** Where the packets of a connection begin, in one life or another. */
const psns = [0, 500, 0x12_3456, 0xff_ffff] as const;

/** The first PSN of what each QP of a pair sends. */
type Psns = ReadonlyMap<Qp, number>;

/** What the second life of a connection has otherwise than the first. */
function othersIn(w: Walk, qp: Qp, state: QpState, psnsOf: Psns): ProgramStruct {
  if (qp.type === 'IBV_QPT_UD') return {};
  const { chance } = w;
  const rights = chance.happens(0.35) ? { qpAccessFlags: chance.some(remoteRights, 0.5) } : {};
  const isReliable = qp.type === 'IBV_QPT_RC';
  if (state === 'RTS')
    return { ...rights, sqPsn: psnsOf.get(qp) ?? 0, ...(isReliable && { timeout: chance.one(14, 13, 15) }) };
  if (state === 'INIT') return rights;
  return { ...rights, rqPsn: psnsOf.get(qp.peer) ?? 0, ...(isReliable && { minRnrTimer: chance.one(1, 3, 9) }) };
}

/** On the way up each step may be asked for in vain first. */
async function goUp(w: Walk, qp: Qp, psnsOf: Psns): Promise<void> {
  for (const state of ['INIT', 'RTR', 'RTS'] as const) {
    const lacking = w.chance.happens(0.4) ? attrLackingOne(w, qp) : undefined;
    if (lacking !== undefined) await modifyQp(w, qp, lacking);
    await modifyQp(w, qp, { ...attrOf(w, qp, state), ...othersIn(w, qp, state, psnsOf) });
    qp.state = state;
    if (state === 'INIT' && w.chance.happens(0.5))
      await postReceives(w, qp, Array<number>(w.chance.between(1, 4)).fill(24));
  }
  await bringUp(w, qp);
  for (const attrMask of w.chance.some(attrMasks, 0.6)) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask });
}

/** A pair that is reset and comes back with other attributes has nothing of its first life. */
export async function liveTwice(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64, isEx: false })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const rights = chance.some(remoteRights, 0.5);
  const pair = await makePair(w, { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false, rights });
  const [client] = pair;
  for (let lives = 2; lives > 0 && !w.isOver; lives--) {
    const psnsOf = new Map(pair.map((qp) => [qp, chance.one(...psns)]));
    for (const qp of pair) await goUp(w, qp, psnsOf);
    await useOnce(w, client);
    if (chance.happens(0.3)) await changeInVain(w, client);
    if (lives > 1) await endLife(w, cq, pair);
  }
  await drainAsync(w);
  await recoverPair(w, client);
}

async function useOnce(w: Walk, client: Qp): Promise<void> {
  const { peer } = client;
  if (client.type !== 'IBV_QPT_UD' && w.chance.happens(0.6)) {
    const target = { memory: peer.region.memory, at: 4096, rkey: member(peer.region.mr, 'rkey') };
    await reach(w, client, pickOpcode(w, client), target, client.region);
    return;
  }
  await postReceives(w, peer, [24]);
  const count = Math.min(3, w.received(peer));
  const wrs = Array.from({ length: count }, () =>
    wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'] })),
  );
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
  await w.settle();
  await drain(w, client.sendCq);
}

async function endLife(w: Walk, cq: Cq, pair: readonly Qp[]): Promise<void> {
  const isFailed = w.chance.happens(0.5);
  for (const qp of pair) if (isFailed) await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
  await w.settle();
  await drain(w, cq);
  for (const qp of pair) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
    qp.state = 'RESET';
  }
}

/** Queues of few requests are filled to the last one, several times over. */
export async function useUpQueues(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64, isEx: false })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const depth = chance.between(2, 4);
  const srq = type !== 'IBV_QPT_UC' && w.has('srq') && chance.happens(0.3) ? await makeSrq(w, depth) : undefined;
  const init = { type, cqs: [cq, cq, cq, cq], srq, sharesSrq: false, signalsAll: true, depth } as const;
  const pair = await makePair(w, init);
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  const flags = w.has('inline') && chance.happens(0.6) ? ['IBV_SEND_INLINE'] : [];
  for (let rounds = chance.between(3, 5); rounds > 0 && !w.isOver; rounds--) {
    const receives = await postReceives(w, server, Array<number>(depth).fill(16));
    const messages = Array.from({ length: depth }, () =>
      messageOf(w, client, 'IBV_WR_SEND', { length: 16, flags, entries: 1 }),
    );
    for (const [index, { local }] of messages.entries()) {
      const bytes = `${index}${rounds}`.repeat(16);
      await w.call('memory write', { addr: member(client.region.memory, 'addr', local), bytes });
    }
    await w.call('ibv_post_send', { qp: of(client.name), wrs: messages.map((message) => wrOf(w, client, message)) });
    await w.settle();
    await drain(w, cq);
    for (const { at, length } of receives)
      await w.call('memory read', { addr: member(server.region.memory, 'addr', at + length - 16), length: 16 });
  }
}
