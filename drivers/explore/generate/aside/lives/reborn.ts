import { arm, drain, drainAsync, drainChannel } from '../../completions';
import { destroyCq, destroyQp, destroySrq } from '../../moves/destroying';
import { typesOf } from '../../moves/lifetimes';
import { sendAlone, sendOne } from '../../moves/messages';
import { limit, recoverPair } from '../../moves/sharing';
import {
  bringUp,
  makeChannel,
  makeCq,
  makePair,
  makeSrq,
  modifyQp,
  setNonblocking,
  type PairInit,
} from '../../objects';
import { attrMasks } from '../../questions';
import { messageOf, postReceives, wrOf } from '../../work';
import { of, type Cq, type Qp, type QpType, type Srq, type Walk } from '../../walk';

/** An object that is made after one that was destroyed, in whatever state that was, has nothing of it. */
export async function makeAgain(w: Walk): Promise<void> {
  const ways = [againCq, againQps, ...(w.has('srq') ? [againSrq] : [])];
  await w.chance.pick(ways)?.(w);
}

async function connected(w: Walk, cq: Cq, wanted: Partial<PairInit> = {}): Promise<readonly [Qp, Qp]> {
  const common = { type: 'IBV_QPT_RC', srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 1 } as const;
  const pair = await makePair(w, { ...common, cqs: [cq, cq, cq, cq], ...wanted });
  for (const qp of pair) await bringUp(w, qp);
  return pair;
}

async function end(w: Walk, pair: readonly Qp[]): Promise<void> {
  for (const qp of pair) await destroyQp(w, qp, { keepsCqes: true });
}

/** One that was armed, or held completions. */
async function againCq(w: Walk): Promise<void> {
  const { chance } = w;
  const channel = w.has('cq-notifications') ? await makeChannel(w) : undefined;
  if (channel !== undefined) await setNonblocking(w, channel.name, true);
  const cqe = chance.between(4, 16);
  for (let lives = 2; lives > 0 && !w.isOver; lives--) {
    const cq = await makeCq(w, { cqe, channel });
    if (!w.cqs.includes(cq)) return;
    const pair = await connected(w, cq);
    if (lives === 1) await drain(w, cq);
    if (chance.happens(0.7)) await sendOne(w, pair[0]);
    if (channel !== undefined) await drainChannel(w, channel);
    if (chance.happens(0.6)) await drain(w, cq);
    if (chance.happens(0.7)) await arm(w, cq, chance.one(0, 0, 1));
    await end(w, pair);
    await destroyCq(w, cq);
  }
}

/** Those whose queues held work, or that had failed. */
async function againQps(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64 })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const depth = chance.between(2, 4);
  const pair = await connected(w, cq, { type, depth, rnrRetry: 7 });
  const [client] = pair;
  for (const qp of pair) if (chance.happens(0.4)) await postReceives(w, qp, Array<number>(depth).fill(16));
  if (chance.happens(0.6)) await postSends(w, client, type === 'IBV_QPT_RC' ? depth : 1);
  await w.settle();
  if (chance.happens(0.4)) await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
  await drain(w, cq);
  await end(w, pair);
  await drain(w, cq);
  await useAnew(w, cq, type, depth);
}

async function postSends(w: Walk, qp: Qp, count: number): Promise<void> {
  const wrs = Array.from({ length: count }, () =>
    wrOf(w, qp, messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 })),
  );
  await w.call('ibv_post_send', { qp: of(qp.name), wrs });
  await w.settle();
}

/** All places of the queues, and what the QPs say of themselves. */
async function useAnew(w: Walk, cq: Cq, type: QpType, depth: number): Promise<void> {
  const init = { type, srq: undefined, sharesSrq: false, signalsAll: false, depth } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  const [client, server] = pair;
  for (const attrMask of w.chance.some(attrMasks, 0.5)) await w.call('ibv_query_qp', { qp: of(client.name), attrMask });
  for (const qp of pair) await bringUp(w, qp);
  for (const qp of pair) await postReceives(w, qp, Array<number>(depth).fill(16));
  await postSends(w, w.chance.one(client, server), depth);
  await drain(w, cq);
  await drainAsync(w);
}

/** One that had receives, or a limit. */
async function againSrq(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64 });
  if (!w.cqs.includes(cq)) return;
  const depth = chance.between(3, 5);
  const first = await makeSrq(w, depth);
  const pair = await connected(w, cq, { srq: first });
  await postReceives(w, pair[1], Array<number>(chance.between(1, depth)).fill(24));
  if (chance.happens(0.7)) await limit(w, first, chance.between(1, 3), ['IBV_SRQ_LIMIT']);
  if (chance.happens(0.6)) await sendAlone(w, pair[0]);
  await drainAsync(w);
  await drain(w, cq);
  await end(w, pair);
  await destroySrq(w, first);
  await useSrq(w, cq, depth);
}

async function useSrq(w: Walk, cq: Cq, depth: number): Promise<void> {
  const { chance } = w;
  const srq: Srq = await makeSrq(w, depth);
  await w.call('ibv_query_srq', { srq: of(srq.name) });
  const [client, server] = await connected(w, cq, { srq });
  const count = chance.one(0, depth, depth);
  await postReceives(w, server, Array<number>(count).fill(24));
  for (let sends = chance.between(1, depth); sends > 0 && !w.isOver; sends--) await sendAlone(w, client);
  await drain(w, cq);
  await drainAsync(w);
  await recoverPair(w, client);
}
