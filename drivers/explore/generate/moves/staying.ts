import { arm, drain, drainAsync, drainChannel, poll } from '../completions';
import { bringUp, makeCq, makePair, modifyQp } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { member, of, type Cq, type Qp, type QpType, type Walk } from '../walk';
import { typesOf } from './lifetimes';
import { sendAlone } from './messages';
import { hasRoom, move, withOne, type Moves } from './move';
import { recoverPair } from './sharing';

type Pair = readonly [Qp, Qp];

async function makeReliable(w: Walk, cq: Cq): Promise<Pair> {
  return makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
}

/** Receives and sends of a QP are there as before when it is moved to the state that it is in. */
async function stayInState(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await makeReliable(w, cq);
  if (chance.happens(0.4)) await modifyQp(w, client, { qpState: 'IBV_QPS_RESET' });
  await bringUp(w, server, 'INIT');
  await postReceives(w, server, [24, 32]);
  for (const qp of [server, client]) await bringUp(w, qp);
  for (const qp of [client, server]) if (chance.happens(0.7)) await modifyQp(w, qp, { qpState: 'IBV_QPS_RTS' });
  await sendAlone(w, client);
  if (w.has('sq-drain')) for (const qp of [client, server]) await stayDrained(w, qp);
  await sendAlone(w, client);
  await drain(w, cq);
  await drainAsync(w);
}

async function stayDrained(w: Walk, qp: Qp): Promise<void> {
  if (w.chance.happens(0.5)) return;
  for (const qpState of ['IBV_QPS_SQD', 'IBV_QPS_SQD', 'IBV_QPS_RTS']) {
    await modifyQp(w, qp, { qpState });
    await w.settle();
  }
}

/** CQEs of work that is flushed and of work that is done, in one CQ, before one is taken. */
async function mixFailures(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const [failing, sound] = [await makeReliable(w, cq), await makeReliable(w, cq)];
  for (const qp of [...failing, ...sound]) await bringUp(w, qp);
  await postReceives(w, failing[0], chance.one([24], [24, 32]));
  await postReceives(w, sound[1], [24, 32]);
  if (chance.happens(0.5)) await arm(w, cq, chance.one(0, 1));
  if (chance.happens(0.6)) await sendAlone(w, sound[0]);
  for (const qp of failing) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    qp.state = 'ERR';
  }
  await w.settle();
  if (chance.happens(0.7)) await sendAlone(w, sound[0]);
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  if (chance.happens(0.5)) await poll(w, cq, chance.one(16, 2, 3));
  await drain(w, cq);
}

/** Messages of unreliable QPs, of which the first is too long for its receive. */
async function sendTooMuch(w: Walk, type: QpType): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 16 });
  if (!w.cqs.includes(cq)) return;
  const pair = await makePair(w, { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  if (chance.happens(0.4)) await arm(w, cq, chance.one(0, 1));
  const length = chance.one(160, 24);
  await postReceives(w, server, [length - chance.one(1, 16)]);
  if (chance.happens(0.5)) await postReceives(w, server, [200]);
  for (let sent = chance.one(1, 2); sent > 0; sent--) {
    const message = messageOf(w, client, 'IBV_WR_SEND', { length, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
    await w.settle();
  }
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  await drain(w, cq);
  await drainAsync(w);
  await recoverPair(w, client);
}

const unreliable = (w: Walk): QpType[] => typesOf(w).filter((type) => type !== 'IBV_QPT_RC');

/** A CQ of as many entries as the device has at most. */
async function largestCq(w: Walk): Promise<void> {
  const attr = w.name('attr');
  await w.call('ibv_query_device', { context: of(w.context) }, attr);
  const [cq, basic] = [w.name('cq'), { cqContext: '0x0', channel: null, compVector: 0 }];
  const cqe = member(attr, 'maxCqe');
  if (w.has('extended-cq') && w.chance.happens(0.4)) {
    const cqAttr = { ...basic, cqe, wcFlags: [], compMask: [], flags: [] };
    await w.call('ibv_create_cq_ex', { context: of(w.context), cqAttr }, cq);
  } else await w.call('ibv_create_cq', { context: of(w.context), ...basic, cqe }, cq);
  await w.call('ibv_destroy_cq', { cq: of(cq) });
}

export const staying: Moves = {
  'stay-in-state': move(0.8, stayInState, hasRoom),
  'mix-failures': move(1, mixFailures, hasRoom),
  'send-too-much': move(
    0.8,
    (w) => withOne(w, unreliable(w), (type) => sendTooMuch(w, type)),
    (w) => unreliable(w).length > 0 && w.qps.length < 6 && w.cqs.length < 6,
  ),
  'largest-cq': move(0.4, largestCq),
};
