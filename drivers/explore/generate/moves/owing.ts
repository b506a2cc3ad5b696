import type { Op } from '../../../programs/program';
import { arm, drain, drainAsync, drainChannel } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, of, type Walk } from '../walk';
import { move, type Moves } from './move';

const settle: Op = { settle: true };

/** Several asynchronous events of one QP, which waits for each of their acks. */
async function oweSeveral(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 8 });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  await drainAsync(w);
  const names: string[] = [];
  for (let drains = w.chance.between(2, 3); drains > 0; drains--) {
    await modifyQp(w, client, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
    await w.settle();
    const name = w.name('async');
    if (w.asyncQueued !== 1) break;
    await w.call('ibv_get_async_event', { context: of(w.context) }, name);
    names.push(name);
    await modifyQp(w, client, { qpState: 'IBV_QPS_RTS' });
  }
  const acks = names.flatMap((name): Op[] => [settle, callOp('ibv_ack_async_event', { event: of(name) })]);
  await w.together([callOp('ibv_destroy_qp', { qp: of(client.name) })], acks);
  w.qps.splice(w.qps.indexOf(client), 1);
  await w.call('ibv_destroy_qp', { qp: of(server.name) });
  w.qps.splice(w.qps.indexOf(server), 1);
  for (const qp of [client, server]) cq.users.delete(qp);
}

/** A receive of an SRQ that fails, on a CQ that was armed. */
async function failShared(w: Walk): Promise<void> {
  const srq = await makeSrq(w);
  const channel = await makeChannel(w);
  const cq = await makeCq(w, { cqe: 8, channel });
  const other = await makeCq(w, { cqe: 8 });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [other, other, cq, cq], srq });
  for (const qp of [client, server]) await bringUp(w, qp);
  await arm(w, cq, w.chance.one(0, 1));
  await postReceives(w, server, [w.chance.one(80, 159)]);
  const message = messageOf(w, client, 'IBV_WR_SEND', { length: 160, entries: 1 });
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
  for (const qp of [client, server]) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    qp.state = 'ERR';
  }
  await w.settle();
  await drainChannel(w, channel);
  for (const one of [cq, other]) await drain(w, one);
  await drainAsync(w);
}

/** Flushes more receives than a device may take at once. */
async function flushMany(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 64 });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  await postReceives(w, server, Array<number>(w.chance.between(9, 24)).fill(8));
  await modifyQp(w, server, { qpState: 'IBV_QPS_ERR' });
  server.state = 'ERR';
  await w.settle();
  await w.call('ibv_poll_cq', { cq: of(cq.name), numEntries: 32 });
}

export const owing: Moves = {
  'owe-several': move(1.2, oweSeveral, (w) => w.has('sq-drain') && w.has('connection') && w.qps.length < 6),
  'fail-shared': move(
    1,
    failShared,
    (w) => w.has('srq') && w.has('cq-notifications') && w.has('connection') && w.qps.length < 6,
  ),
  'flush-many': move(0.6, flushMany, (w) => w.has('connection') && w.qps.length < 6),
};
