import { attrMasks } from '../questions';
import { drain, drainAsync } from '../completions';
import { recoverPair } from '../moves/sharing';
import { bringUp, makeCq, makePair, makeSrq, modifyQp } from '../objects';
import { look, messageOf, postReceives, wrOf } from '../work';
import { of, type Cq, type Qp, type Walk } from '../walk';
import { comeBack } from './memory/keys';

/** A pair of RC whose QPs have one CQ. */
async function pairOf(w: Walk, rnrRetry: number, usesSrq = false): Promise<readonly [Qp, Qp, Cq] | undefined> {
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return undefined;
  const srq = usesSrq ? await makeSrq(w) : undefined;
  const init = { type: 'IBV_QPT_RC', srq, sharesSrq: false, signalsAll: false, rnrRetry } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  return [...pair, cq];
}

async function send(w: Walk, qp: Qp, length: number): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', {
    length,
    flags: ['IBV_SEND_SIGNALED'],
    entries: length === 0 ? 0 : 1,
  });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
}

/** What waits for a receive is flushed with all behind it; the QP then has nothing of it in its second life. */
export async function flushWhatWaits(w: Walk): Promise<void> {
  const { chance } = w;
  const made = await pairOf(w, 7);
  if (made === undefined) return;
  const [client, server, cq] = made;
  for (let sends = chance.between(1, 3); sends > 0; sends--) await send(w, client, 8);
  await w.settle();
  for (const attrMask of chance.some(attrMasks, 0.3)) await w.call('ibv_query_qp', { qp: of(client.name), attrMask });
  await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
  client.state = 'ERR';
  await w.settle();
  await drain(w, cq);
  if (chance.happens(0.5)) return;
  await comeBack(w, client);
  await postReceives(w, server, [16]);
  await send(w, client, 8);
  await w.settle();
  await drain(w, cq);
}

/** A receive of an SRQ that was too short is done, and takes no other message. */
export async function receiveTooShort(w: Walk): Promise<void> {
  const made = await pairOf(w, 1, true);
  if (made === undefined) return;
  const [client, server, cq] = made;
  await postReceives(w, server, [w.chance.one(8, 0)]);
  const [receive] = await postReceives(w, server, [48]);
  for (let rounds = 2; rounds > 0 && !w.isOver; rounds--) {
    await send(w, client, 32);
    await w.settle();
    await drain(w, cq);
    if (rounds > 1) await comeBack(w, client);
  }
  if (receive !== undefined) await look(w, server.region, receive.at, 32);
  await drainAsync(w);
  await recoverPair(w, client);
}

/** An SRQ of so many receives that their count takes more than a byte tells when its limit is reached. */
export async function reachHighLimit(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const srq = await makeSrq(w, 300);
  const init = { type: 'IBV_QPT_RC', srq, sharesSrq: false, signalsAll: false } as const;
  const [client, server] = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (const qp of [client, server]) await bringUp(w, qp);
  const srqLimit = chance.between(256, 259);
  for (let left = srqLimit + 2; left > 0; left -= 90) {
    const wrs = Array.from({ length: Math.min(90, left) }, () => ({ wrId: w.wrId(), sgList: [] }));
    await w.call('ibv_post_srq_recv', { srq: of(srq.name), wrs });
  }
  await w.call('ibv_modify_srq', { srq: of(srq.name), srqAttr: { srqLimit }, srqAttrMask: ['IBV_SRQ_LIMIT'] });
  await w.call('ibv_query_srq', { srq: of(srq.name) });
  for (let sends = chance.between(3, 4); sends > 0 && !w.isOver; sends--) {
    await send(w, client, 0);
    await w.settle();
    if (chance.happens(0.4)) await drainAsync(w);
  }
  await drain(w, cq);
  await drainAsync(w);
}
