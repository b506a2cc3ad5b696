import { postReceives } from '../../work';
import { callOp, of, type Cq, type Qp, type Srq, type Walk } from '../../walk';
import { drain, drainAsync } from '../../completions';
import { destroyCq, destroyQp } from '../../moves/destroying';
import { typesOf } from '../../moves/lifetimes';
import { sendAlone, sendOne } from '../../moves/messages';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp } from '../../objects';
import type { CallOp } from '../../../../programs/program';

/** Each CQ of a pair has a use of its own, and its SRQ one of whatever type: none is destroyed before those that use it. */
export async function keepQueues(w: Walk): Promise<void> {
  const { chance } = w;
  const type = chance.pick(typesOf(w));
  if (type === undefined) return;
  const channel = w.has('cq-notifications') ? await makeChannel(w) : undefined;
  const cqs: Cq[] = [];
  for (let made = 0; made < 4; made++) cqs.push(await makeCq(w, { cqe: 16, channel: chance.one(channel, undefined) }));
  const [sends, receives, others, last] = cqs;
  if (!sends || !receives || !others || !last || cqs.some((cq) => !w.cqs.includes(cq))) return;
  const srq = type !== 'IBV_QPT_UC' && w.has('srq') && chance.happens(0.6) ? await makeSrq(w) : undefined;
  const pair = await makePair(w, { type, cqs: [sends, receives, others, last], srq, sharesSrq: chance.happens(0.5) });
  for (const qp of pair) await bringUp(w, qp);
  if (srq !== undefined) await postReceives(w, pair[1], [24, 24]);
  const destroys = [
    ...cqs.map(({ name }) => callOp('ibv_destroy_cq', { cq: of(name) })),
    ...(srq === undefined ? [] : [callOp('ibv_destroy_srq', { srq: of(srq.name) })]),
    ...(channel === undefined || cqs.every((cq) => cq.channel === undefined)
      ? []
      : [callOp('ibv_destroy_comp_channel', { channel: of(channel.name) })]),
  ];
  for (const destroy of chance.some(destroys, 0.6)) await w.perform(destroy);
  if (chance.happens(0.3)) await resetAndKeep(w, chance.one(...pair), destroys);
  await useAndEnd(w, pair, destroys);
  for (const cq of cqs) if (chance.happens(0.5)) await destroyCq(w, cq);
}

/** A QP that does nothing uses its queues all the same. */
async function resetAndKeep(w: Walk, qp: Qp, destroys: readonly CallOp[]): Promise<void> {
  await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
  qp.state = 'RESET';
  for (const destroy of w.chance.some(destroys, 0.6)) await w.perform(destroy);
  await bringUp(w, qp);
}

/** The two receives that an SRQ holds are there, and it tells of its limit. */
async function useUp(w: Walk, client: Qp, srq: Srq): Promise<void> {
  const limit = { srqAttr: { srqLimit: 2 }, srqAttrMask: ['IBV_SRQ_LIMIT'] };
  if (w.chance.happens(0.5)) await w.call('ibv_modify_srq', { srq: of(srq.name), ...limit });
  for (let sends = 2; sends > 0; sends--) await sendAlone(w, client);
  await drainAsync(w);
}

/** What was kept does what it did; it is kept for the one QP that is left as well. */
async function useAndEnd(w: Walk, [client, server]: readonly [Qp, Qp], destroys: readonly CallOp[]): Promise<void> {
  if (server.srq === undefined) await sendOne(w, client);
  else await useUp(w, client, server.srq);
  for (const cq of new Set([client.sendCq, server.recvCq])) await drain(w, cq);
  await destroyQp(w, w.chance.one(client, server));
  const [left] = w.qps.filter((qp) => qp === client || qp === server);
  if (left === undefined) return;
  const used = [left.sendCq.name, left.recvCq.name, left.srq?.name];
  const kept = destroys.filter(({ args }) => used.some((name) => JSON.stringify(args).includes(`"${name}"`)));
  for (const destroy of w.chance.some(kept, 0.7)) await w.perform(destroy);
  await destroyQp(w, left);
}

/** What a QP was to tell goes with it, however much that is. */
export async function endUnheard(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 16, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const init = { type: 'IBV_QPT_RC', srq: await makeSrq(w), sharesSrq: false } as const;
  const [client, server] = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  await bringUp(w, server, 'RTR');
  await bringUp(w, client);
  await drainAsync(w);
  await sendOne(w, client);
  await modifyQp(w, server, { qpState: 'IBV_QPS_ERR' });
  server.state = 'ERR';
  await w.settle();
  for (const qp of w.chance.happens(0.5) ? [server, client] : [client, server]) await destroyQp(w, qp);
  await drainAsync(w);
}
