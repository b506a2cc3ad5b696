import { arm, drain, drainAsync, drainChannel, readBatch } from '../../completions';
import { destroyCq, destroyQp } from '../../moves/destroying';
import { sendAlone, sendOne } from '../../moves/messages';
import { recoverPair } from '../../moves/sharing';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp, setNonblocking } from '../../objects';
import { messageOf, postReceives, wrOf } from '../../work';
import { member, of, type Cq, type Qp, type Srq, type Walk } from '../../walk';

async function pairOn(w: Walk, cq: Cq, srq: Srq | undefined, sharesSrq = false): Promise<readonly [Qp, Qp]> {
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq, signalsAll: false, rnrRetry: 1 } as const;
  const pair = await makePair(w, { ...init, sharesSrq });
  for (const qp of pair) await bringUp(w, qp);
  return pair;
}

/** What a QP was to tell goes with it; what others are to tell, before it or after it, stays. */
export async function endBeforeOthersTell(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const srqs = w.has('srq') && w.has('last-wqe-event');
  const pairs: (readonly [Qp, Qp])[] = [];
  for (let made = chance.between(2, 3); made > 0; made--)
    pairs.push(await pairOn(w, cq, srqs ? await makeSrq(w) : undefined));
  await drainAsync(w);
  for (const [client, server] of pairs) await tell(w, srqs && chance.happens(0.6) ? server : client);
  const ended = chance.pick(pairs) ?? [];
  for (const qp of ended) if (chance.happens(0.8)) await destroyQp(w, qp, { keepsCqes: true });
  await drainAsync(w);
}

/** Lets a QP tell that it has drained its sends, or has taken its last receive. */
async function tell(w: Walk, qp: Qp): Promise<void> {
  if (qp.srq !== undefined) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    qp.state = 'ERR';
  } else if (w.has('sq-drain')) await modifyQp(w, qp, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
  await w.settle();
}

/** A QP that fails, or ends, takes none of the receives that it shares with others. */
export async function failBesideOthers(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const srq = await makeSrq(w);
  const failing = await pairOn(w, cq, srq, true);
  const other = await pairOn(w, cq, srq);
  const count = chance.between(2, 3);
  await postReceives(w, other[1], Array<number>(count).fill(24));
  const client = chance.one(...failing);
  if (chance.happens(0.5)) await sendOne(w, client);
  const rdma = { addr: member(client.peer.region.mr, 'addr', 16), rkey: member(client.peer.region.mr, 'rkey', 1) };
  const message = messageOf(w, client, 'IBV_WR_RDMA_WRITE', { length: 8, flags: [], entries: 1 });
  if (chance.happens(0.7))
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message, rdma)] });
  else await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
  await w.settle();
  await recoverPair(w, client);
  await drain(w, cq);
  if (chance.happens(0.5)) for (const qp of failing) await destroyQp(w, qp);
  for (let sends = count; sends > 0 && !w.isOver; sends--) await sendAlone(w, other[0]);
  await drain(w, cq);
  await drainAsync(w);
}

/** Of a CQ that is destroyed nothing is left in its channel for the next one. */
export async function followOnTheChannel(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  for (let lives = 2; lives > 0 && !w.isOver; lives--) {
    const cq = await makeCq(w, { cqe: 16, channel });
    if (!w.cqs.includes(cq)) return;
    const [client, server] = await pairOn(w, cq, undefined);
    if (lives > 1 || w.chance.happens(0.5)) await arm(w, cq, 0);
    if (w.chance.happens(0.8)) await sendOne(w, client);
    await w.settle();
    if (lives === 1) return drainChannel(w, channel);
    await drain(w, cq);
    for (const qp of [client, server]) await destroyQp(w, qp);
    await destroyCq(w, cq);
  }
}

/** A CQ that is destroyed takes none of the events with it that its channel has of others. */
export async function endBesideOthersOnTheChannel(w: Walk): Promise<void> {
  const { chance } = w;
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  const made: { readonly cq: Cq; readonly pair: readonly [Qp, Qp] }[] = [];
  for (let left = chance.between(2, 3); left > 0; left--) {
    const cq = await makeCq(w, { cqe: 16, channel });
    if (!w.cqs.includes(cq)) return;
    made.push({ cq, pair: await pairOn(w, cq, undefined) });
  }
  for (const { cq, pair } of made) {
    await arm(w, cq, 0);
    await sendOne(w, pair[0]);
  }
  const ended = chance.pick(made);
  if (ended === undefined) return;
  for (const qp of ended.pair) await destroyQp(w, qp, { keepsCqes: chance.happens(0.5) });
  await destroyCq(w, ended.cq);
  await drainChannel(w, channel);
}

/** Batches of two CQs, of which one is begun and ended within the other. */
export async function readTwoAtOnce(w: Walk): Promise<void> {
  const cqs = [await makeCq(w, { cqe: 16, isEx: true }), await makeCq(w, { cqe: 16, isEx: true })] as const;
  if (cqs.some((cq) => !w.cqs.includes(cq))) return;
  for (const cq of cqs) {
    const [client] = await pairOn(w, cq, undefined);
    for (let sends = w.chance.between(1, 2); sends > 0; sends--) await sendOne(w, client);
  }
  const [outer, inner] = cqs;
  await readBatch(w, outer, 2, () => readBatch(w, inner, w.chance.between(1, 3)));
  for (const cq of cqs) await drain(w, cq);
}
