import { dutName } from '../../../programs/bindings';
import type { Op } from '../../../programs/program';
import { ackArgs, arm, drainAsync, drainChannel, getEvent } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, member, of, type Cq, type Qp, type Walk } from '../walk';
import { sendOne } from './messages';
import { hasRoom, move, type Moves } from './move';

const settle: Op = { settle: true };

async function makeOwn(w: Walk, sendCq: Cq, recvCq: Cq): Promise<readonly [Qp, Qp]> {
  return makePair(w, { type: 'IBV_QPT_RC', cqs: [sendCq, sendCq, recvCq, recvCq], srq: undefined, sharesSrq: false });
}

async function destroyBoth(w: Walk, pair: readonly Qp[]): Promise<void> {
  for (const qp of pair) {
    await w.call('ibv_destroy_qp', { qp: of(qp.name) });
    w.qps.splice(w.qps.indexOf(qp), 1);
    for (const cq of [qp.sendCq, qp.recvCq]) cq.users.delete(qp);
  }
}

/** A CQ that waits for an ack to be destroyed holds up nothing else: no channel, no other CQ, no other context. */
async function destroyBeside(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  const [cq, other] = [await makeCq(w, { cqe: 4, channel }), await makeCq(w, { cqe: 8, channel })];
  const spare = await makeCq(w, { cqe: 4 });
  if (![cq, other, spare].every((one) => w.cqs.includes(one))) return;
  const pair = await makeOwn(w, other, cq);
  for (const qp of pair) await bringUp(w, qp);
  await arm(w, cq, 0);
  await sendOne(w, pair[0]);
  if (!(await getEvent(w, channel))) return;
  await arm(w, other, 0);
  await sendOne(w, pair[0]);
  await destroyBoth(w, pair);
  const far = await makeFarCq(w);
  const event = w.name('ev');
  const canGet = w.queued(channel) === 1;
  const calls = [
    ...(canGet ? [callOp('ibv_get_cq_event', { channel: of(channel.name) }, event)] : []),
    callOp('ibv_destroy_cq', { cq: of(spare.name) }),
    ...(far === undefined ? [] : [callOp('ibv_destroy_cq', { cq: of(far) })]),
  ];
  const ack = callOp('ibv_ack_cq_events', ackArgs(cq, cq.unacked));
  await w.together([callOp('ibv_destroy_cq', { cq: of(cq.name) })], [settle, ...calls, settle, ack, settle]);
  for (const gone of [cq, spare]) w.cqs.splice(w.cqs.indexOf(gone), 1);
  if (canGet && w.handleOf(event) !== undefined) other.unacked += 1;
}

/** A CQ in a context of its own. @returns its name */
async function makeFarCq(w: Walk): Promise<string | undefined> {
  if (w.chance.happens(0.5)) return undefined;
  const [context, cq] = [w.name('ctx'), w.name('cq')];
  await w.call('ibv_open_device', { device: member(dutName, 'name') }, context);
  const basic = { context: of(context), cqe: 4, cqContext: '0x0', channel: null, compVector: 0 };
  await w.call('ibv_create_cq', basic, cq);
  return cq;
}

/** A CQ is in use by QPs that have never been used. */
async function destroyUnused(w: Walk): Promise<void> {
  const [one, two] = [await makeCq(w, { cqe: 4 }), await makeCq(w, { cqe: 4 })];
  if (!w.cqs.includes(one) || !w.cqs.includes(two)) return;
  const pair = await makeOwn(w, one, two);
  for (const cq of [one, two]) await w.call('ibv_destroy_cq', { cq: of(cq.name) });
  await destroyBoth(w, pair);
  for (const cq of [one, two]) {
    await w.call('ibv_destroy_cq', { cq: of(cq.name) });
    w.cqs.splice(w.cqs.indexOf(cq), 1);
  }
}

/** A channel has nothing of the one before it, whose descriptor may have had the same number. */
async function replaceChannel(w: Walk): Promise<void> {
  const gone = w.name('ch');
  await w.call('ibv_create_comp_channel', { context: of(w.context) }, gone);
  await setNonblocking(w, gone, true);
  await w.call('ibv_destroy_comp_channel', { channel: of(gone) });
  const next = w.name('ch');
  await w.call('ibv_create_comp_channel', { context: of(w.context) }, next);
  await w.call('fcntl', { source: of(next), cmd: 'F_GETFL' });
  w.channels.push({ name: next, isNonblocking: false });
}

/** Destroys a moderated CQ that may still gather CQEs: its event does not come later. */
async function destroyModerated(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  const [cq, other] = [await makeCq(w, { cqe: 8, channel }), await makeCq(w, { cqe: 8, channel: undefined })];
  if (!w.cqs.includes(cq) || !w.cqs.includes(other)) return;
  const moderate = { cqCount: 3, cqPeriod: 2000 };
  await w.call('ibv_modify_cq', { cq: of(cq.name), attr: { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate } });
  const pair = await makeOwn(w, other, cq);
  for (const qp of pair) await bringUp(w, qp);
  await arm(w, cq, 0);
  await postReceives(w, pair[1], [24]);
  const message = messageOf(w, pair[0], 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'] });
  await w.call('ibv_post_send', { qp: of(pair[0].name), wrs: [wrOf(w, pair[0], message)] });
  await w.call('poll', { source: of(channel.name), timeoutMs: 1 });
  await destroyBoth(w, pair);
  await w.call('ibv_destroy_cq', { cq: of(cq.name) });
  w.cqs.splice(w.cqs.indexOf(cq), 1);
  await w.settle();
  await drainChannel(w, channel);
}

/** A CQ that was overrun is destroyed before anybody has taken its event: that does not come any more. */
async function destroyOverrun(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: w.chance.between(1, 3), isEx: false });
  const other = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq) || !w.cqs.includes(other)) return;
  const pair = await makeOwn(w, cq, other);
  for (const qp of pair) await bringUp(w, qp);
  const count = 2 * Number(w.output(cq.name, 'cqe') ?? 0) + 4;
  const flags = ['IBV_SEND_SIGNALED'];
  const messages = Array.from({ length: count }, () =>
    messageOf(w, pair[0], 'IBV_WR_RDMA_WRITE', { length: 8, flags, entries: 1 }),
  );
  await w.call('ibv_post_send', { qp: of(pair[0].name), wrs: messages.map((message) => wrOf(w, pair[0], message)) });
  await w.settle();
  await destroyBoth(w, pair);
  await w.call('ibv_destroy_cq', { cq: of(cq.name) });
  w.cqs.splice(w.cqs.indexOf(cq), 1);
  await drainAsync(w);
}

export const ending: Moves = {
  'destroy-beside': move(1, destroyBeside, (w) => hasRoom(w) && w.has('cq-notifications')),
  'destroy-unused': move(0.4, destroyUnused, hasRoom),
  'destroy-overrun': move(0.4, destroyOverrun, hasRoom),
  'replace-channel': move(0.4, replaceChannel, (w) => w.has('cq-notifications') && w.channels.length < 5),
  'destroy-moderated': move(
    0.5,
    destroyModerated,
    (w) => hasRoom(w) && w.has('cq-notifications') && w.has('cq-moderation'),
  ),
};
