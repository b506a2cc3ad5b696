import { arm, drain, drainChannel, getEvent, poll, readBatch } from '../completions';
import { bringUp, makeChannel, makeCq, makePair } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { of, type Cq, type Qp, type Walk } from '../walk';
import { sendOne } from './messages';
import { hasRoom, move, type Moves } from './move';

/** Messages that are posted in one list: fewer than a queue holds. */
const listMost = 40;

async function makeOwn(w: Walk, sendCq: Cq, recvCq: Cq): Promise<Qp> {
  const cqs = [sendCq, sendCq, recvCq, recvCq] as const;
  const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs, srq: undefined, sharesSrq: false, signalsAll: false });
  for (const qp of pair) await bringUp(w, qp);
  return pair[0];
}

/** Sends so many messages of a byte whose receives complete; the sends do not. */
async function sendMany(w: Walk, qp: Qp, count: number): Promise<void> {
  for (let left = count; left > 0; left -= listMost) {
    const size = Math.min(left, listMost);
    await postReceives(w, qp.peer, Array<number>(size).fill(8));
    const flags = w.chance.happens(0.5) ? [] : ['IBV_SEND_SOLICITED'];
    const messages = Array.from({ length: size }, () => messageOf(w, qp, 'IBV_WR_SEND', { length: 1, flags }));
    await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
    await w.settle();
  }
}

/** More CQEs in one CQ than tests usually have; the CQ was made for them, or grown. */
async function manyCqes(w: Walk): Promise<void> {
  const { chance } = w;
  const isEx = w.has('extended-cq') && chance.happens(0.6);
  const isGrown = w.has('resize-cq') && chance.happens(0.4);
  const count = chance.one(20, 40, 70, 100);
  const cq = await makeCq(w, { cqe: isGrown ? 4 : count, isEx });
  const sendCq = await makeCq(w, { cqe: 8, isEx: false });
  if (!w.cqs.includes(cq) || !w.cqs.includes(sendCq)) return;
  const qp = await makeOwn(w, sendCq, cq);
  if (isGrown) {
    await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: count });
    await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
  }
  await sendMany(w, qp, count);
  if (isEx) await readBatch(w, cq, chance.between(1, 24));
  await poll(w, cq, chance.one(100, count - 1, 17));
  await drain(w, cq);
}

/** Events that nobody takes: of one CQ, which is armed again each time, and of those beside it. */
async function manyEvents(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  const sendCq = await makeCq(w, { cqe: 32, channel, isEx: false });
  const cq = await makeCq(w, { cqe: 32, channel });
  if (!w.cqs.includes(cq) || !w.cqs.includes(sendCq)) return;
  const qp = await makeOwn(w, sendCq, cq);
  for (let rounds = w.chance.between(3, 9); rounds > 0 && !w.isOver; rounds--) {
    await arm(w, cq, 0);
    if (w.chance.happens(0.3)) await arm(w, sendCq, 0);
    await sendOne(w, qp);
  }
  for (let gets = w.queued(channel); gets > 0 && !w.isOver; gets--) await getEvent(w, channel);
  await drainChannel(w, channel);
  for (const one of [cq, sendCq]) await drain(w, one);
}

export const many: Moves = {
  'many-cqes': move(0.7, manyCqes, hasRoom),
  'many-events': move(0.7, manyEvents, (w) => hasRoom(w) && w.has('cq-notifications')),
};
