import { arm, drain, drainAsync, drainChannel, poll } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp } from '../objects';
import { postReceives } from '../work';
import type { Qp, Walk } from '../walk';
import { destroyQp } from './destroying';
import { sendAlone, sendOne } from './messages';
import { hasRoom, move, type Moves } from './move';

/** Events of four CQs on one channel, once or twice of each, before one is taken. */
async function pileUpEvents(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  const cqs = [];
  for (let made = 0; made < 4; made++) cqs.push(await makeCq(w, { cqe: 8, channel }));
  const [one, two, three, four] = cqs;
  if (one === undefined || two === undefined || three === undefined || four === undefined) return;
  const pair = await makePair(w, {
    type: 'IBV_QPT_RC',
    cqs: [one, two, three, four],
    srq: undefined,
    sharesSrq: false,
  });
  for (const qp of pair) await bringUp(w, qp);
  for (let rounds = w.chance.between(1, 2); rounds > 0 && !w.isOver; rounds--) {
    for (const cq of cqs) await arm(w, cq, 0);
    for (const qp of pair) await sendOne(w, qp);
  }
  for (let drains = 0; drains < 2; drains++) await drainChannel(w, channel);
  for (const cq of cqs) await drain(w, cq);
}

/** Asynchronous events of several QPs, before one is taken. */
async function pileUpAsync(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 16 });
  const qps: Qp[] = [];
  for (let made = w.chance.between(1, 2); made > 0; made--)
    qps.push(...(await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false })));
  for (const qp of qps) await bringUp(w, qp);
  await drainAsync(w);
  for (const qp of qps) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
    qp.state = 'SQD';
    await w.settle();
  }
  await drainAsync(w, w.chance.happens(0.5));
}

/** Sends and receives of two QPs in turns, in one CQ that is polled at once. */
async function pollAtOnce(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 32, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  for (const qp of pair) await bringUp(w, qp);
  for (let rounds = w.chance.between(2, 5); rounds > 0 && !w.isOver; rounds--)
    await sendOne(w, pair[w.chance.below(2)] ?? pair[0]);
  for (let polls = 0; polls < 3; polls++) await poll(w, cq, w.chance.one(16, 3, 5));
}

/** The receives of an SRQ are there for one QP when another has ended. */
async function outliveQp(w: Walk): Promise<void> {
  const srq = await makeSrq(w);
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq, sharesSrq: false } as const;
  const [first, second] = [await makePair(w, init), await makePair(w, init)];
  for (const qp of [...first, ...second]) await bringUp(w, qp);
  await postReceives(w, first[1], [24, 32]);
  for (const qp of first) await destroyQp(w, qp);
  for (let sent = 0; sent < 2 && !w.isOver; sent++) await sendAlone(w, second[0]);
  await drain(w, cq);
  await drainAsync(w);
}

/** Receives that wait when a QP is reset are gone, also where it has taken none. */
async function comeBack(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const rnrRetry = w.chance.one(0, 1);
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false, rnrRetry } as const;
  const pair = await makePair(w, init);
  const [client, server] = pair;
  await bringUp(w, client);
  await bringUp(w, server, w.chance.one('RTR', 'RTS'));
  await postReceives(w, server, [24, 32]);
  if (w.chance.happens(0.5)) await sendOne(w, client);
  await drain(w, cq);
  for (const qp of pair) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
    qp.state = 'RESET';
  }
  for (const qp of pair) await bringUp(w, qp);
  if (w.chance.happens(0.5)) return sendOne(w, client);
  await sendAlone(w, client);
  await drain(w, cq);
  for (const qp of pair) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    qp.state = 'ERR';
  }
}

export const piling: Moves = {
  'pile-up-events': move(0.8, pileUpEvents, (w) => hasRoom(w) && w.has('cq-notifications')),
  'pile-up-async': move(0.6, pileUpAsync, (w) => hasRoom(w) && w.has('sq-drain')),
  'poll-at-once': move(0.8, pollAtOnce, hasRoom),
  'outlive-qp': move(0.7, outliveQp, (w) => hasRoom(w) && w.has('srq')),
  'come-back': move(0.7, comeBack, hasRoom),
};
