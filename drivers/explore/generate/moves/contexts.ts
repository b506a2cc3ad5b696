import type { Op } from '../../../programs/program';
import { dutName } from '../../../programs/bindings';
import { notifiesAsAny } from '../avoided';
import { ackArgs, arm, drain, mayArm } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, openDevice, setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { Home, callOp, member, of, type Channel, type Cq, type Qp, type Walk } from '../walk';
import { overrun } from './failing';
import { newPair } from './lifetimes';
import { move, type Moves } from './move';

/** A context with a channel on which gets wait, a CQ and a pair of QPs of its own. */
interface Place {
  readonly context: string;
  readonly channel: Channel;
  readonly cq: Cq;
  readonly client: Qp;
}

async function makePlace(w: Walk): Promise<Place> {
  const channel = await makeChannel(w);
  if (channel.isNonblocking) await setNonblocking(w, channel.name, false);
  const sendCq = await makeCq(w, { cqe: 8, channel: undefined, isEx: false });
  const cq = await makeCq(w, { cqe: 8, channel, isEx: false });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [sendCq, sendCq, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  return { context: w.context, channel, cq, client };
}

/** A message that makes an event, as an operation of a thread. */
async function eventOp(w: Walk, { cq, client }: Place): Promise<Op> {
  await postReceives(w, client.peer, [24]);
  await arm(w, cq, 0);
  const message = messageOf(w, client, 'IBV_WR_SEND', { length: 16 });
  return callOp('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
}

const settle: Op = { settle: true };

/** What happens in one context is nothing to another one: to gets that wait, to requests, and to what is owed. */
async function twoContexts(w: Walk): Promise<void> {
  const lists = [w.channels, w.cqs, w.qps, w.regions].map((list) => ({ list, length: list.length }));
  const before = w.home;
  const one = await makePlace(w);
  w.goTo(new Home(w.name('ctx'), w.name('pd')));
  await w.call('ibv_open_device', { device: member(dutName, 'name') }, w.context);
  await w.call('ibv_alloc_pd', { context: of(w.context) }, w.pd);
  const other = await makePlace(w);
  if (!w.isOver) {
    if (w.chance.happens(0.8)) await getBoth(w, one, other);
    if (w.chance.happens(0.6) && w.has('sq-drain')) await getBothAsync(w, one, other, before.isNonblocking);
    if (w.chance.happens(0.5)) await destroyOne(w, one, other);
    if (w.chance.happens(0.3) && w.has('cq-overrun-event')) await overrunOne(w, before.context);
  }
  w.goTo(before);
  for (const { list, length } of lists) list.splice(length);
}

/** Overruns a CQ of this context: the other one hears nothing of it. */
async function overrunOne(w: Walk, other: string): Promise<void> {
  await w.settle();
  const alone = { channel: undefined, isEx: false };
  const [cq, spare] = [await makeCq(w, { ...alone, cqe: 2 }), await makeCq(w, { ...alone, cqe: 8 })];
  if (!w.cqs.includes(cq) || !w.cqs.includes(spare)) return;
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, spare, spare, spare], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  await overrun(w, client);
  await w.call('poll', { source: of(other), timeoutMs: 0 });
}

async function getBoth(w: Walk, one: Place, other: Place): Promise<void> {
  const [first, second] = w.chance.happens(0.5) ? [one, other] : [other, one];
  const posts = [await eventOp(w, first), await eventOp(w, second)];
  const places = [first, second];
  const names = places.map(() => w.name('ev'));
  const gets = places.map(({ channel }, index) => [
    callOp('ibv_get_cq_event', { channel: of(channel.name) }, names[index]),
  ]);
  await w.together(...gets, [settle, ...posts.flatMap((post) => [post, settle])]);
  for (const { cq } of places) {
    cq.unacked += 1;
  }
  for (const { cq } of places) await drain(w, cq);
}

async function getBothAsync(w: Walk, one: Place, other: Place, isNonblocking: boolean): Promise<void> {
  if (isNonblocking) await w.call('fcntl', { source: of(one.context), cmd: 'F_SETFL', flags: [] });
  const places = w.chance.happens(0.5) ? [one, other] : [other, one];
  const names = places.map(() => w.name('async'));
  if (w.backend.asyncEvents(w.handle(one.context), new Set()) > 0) return;
  const gets = places.map(({ context }, index) => [
    callOp('ibv_get_async_event', { context: of(context) }, names[index]),
  ]);
  const attr = { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true };
  const attrMask = ['IBV_QP_STATE', 'IBV_QP_EN_SQD_ASYNC_NOTIFY'];
  const drains = places.map(({ client }) => callOp('ibv_modify_qp', { qp: of(client.name), attr, attrMask }));
  await w.together(...gets, [settle, ...drains.flatMap((drained): Op[] => [drained, settle])]);
  if (isNonblocking) await w.call('fcntl', { source: of(one.context), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] });
  const [first, second] = w.chance.happens(0.5) ? [0, 1] : [1, 0];
  const qp = places[first]?.client.name ?? '';
  await w.together(
    [callOp('ibv_destroy_qp', { qp: of(qp) })],
    [second, first].flatMap((index): Op[] => [
      settle,
      callOp('ibv_ack_async_event', { event: of(names[index] ?? '') }),
    ]),
  );
}

/** Destroys a CQ that owes acks, while the events of another context are acknowledged. */
async function destroyOne(w: Walk, one: Place, other: Place): Promise<void> {
  const cq = await makeCq(w, { cqe: 4, channel: other.channel, isEx: false });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  const place = { ...other, cq, client };
  const posts = [await eventOp(w, place), await eventOp(w, one)];
  const [mine, its] = [w.name('ev'), w.name('ev')];
  for (const post of posts) await w.perform(post);
  await w.settle();
  if (w.queued(other.channel) === 0 || w.queued(one.channel) === 0) return;
  await w.call('ibv_get_cq_event', { channel: of(other.channel.name) }, mine);
  await w.call('ibv_get_cq_event', { channel: of(one.channel.name) }, its);
  for (const qp of [client, server]) await w.call('ibv_destroy_qp', { qp: of(qp.name) });
  const acks = [callOp('ibv_ack_cq_events', ackArgs(one.cq, 1)), callOp('ibv_ack_cq_events', ackArgs(cq, 1))];
  await w.together(
    [callOp('ibv_destroy_cq', { cq: of(cq.name) })],
    acks.flatMap((ack): Op[] => [settle, ack]),
  );
}

/** Two gets wait for the events of one channel: each event is for one of them. */
async function getsOfOneChannel(w: Walk): Promise<void> {
  const lists = [w.channels, w.cqs, w.qps].map((list) => ({ list, length: list.length }));
  const place = await makePlace(w);
  const { cq, client, channel } = place;
  if (w.isOver) return;
  const names = [w.name('ev'), w.name('ev')];
  const gets = names.map((name) => [callOp('ibv_get_cq_event', { channel: of(channel.name) }, name)]);
  const first = await eventOp(w, place);
  await postReceives(w, client.peer, [24]);
  const again = callOp('ibv_req_notify_cq', { cq: of(cq.name), solicitedOnly: 0 });
  const second = callOp('ibv_post_send', {
    qp: of(client.name),
    wrs: [wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 16 }))],
  });
  const isOnlyOne = w.chance.happens(0.3);
  await w.together(...gets, [settle, first, settle, ...(isOnlyOne ? [] : [again, second, settle])]);
  cq.unacked += 2;
  for (const qp of [client, client.peer]) await w.call('ibv_destroy_qp', { qp: of(qp.name) });
  const acks = [callOp('ibv_ack_cq_events', ackArgs(cq, 1)), callOp('ibv_ack_cq_events', ackArgs(cq, 1))];
  await w.together(
    [callOp('ibv_destroy_cq', { cq: of(cq.name) })],
    acks.flatMap((ack): Op[] => [settle, ack]),
  );
  for (const { list, length } of lists) list.splice(length);
}

/** Calls beside a get that waits, of which none brings it an event. */
async function disturbed(w: Walk): Promise<void> {
  const lists = [w.channels, w.cqs, w.qps].map((list) => ({ list, length: list.length }));
  const place = await makePlace(w);
  const { cq, channel } = place;
  const neighbour = await makeCq(w, { cqe: 4, channel, isEx: false });
  const spare = await makeChannel(w);
  const [idle] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined });
  if (w.chance.happens(0.6)) {
    await w.perform(await eventOp(w, place));
    await w.settle();
    if (w.queued(channel) > 0) {
      const name = w.name('ev');
      await w.call('ibv_get_cq_event', { channel: of(channel.name) }, name);
      cq.unacked += 1;
    }
  }
  if (w.isOver) return;
  const hasBacklog = w.backlog(cq) > 0;
  const post = w.chance.happens(0.75) ? await eventOp(w, place) : undefined;
  const solicitedOnly = w.chance.one(0, 1);
  const calls: Op[] = [
    ...(mayArm(w, cq, solicitedOnly === 0) ? [callOp('ibv_req_notify_cq', { cq: of(cq.name), solicitedOnly })] : []),
    callOp('ibv_poll_cq', { cq: of(cq.name), numEntries: 4 }),
    callOp('ibv_destroy_cq', { cq: of(neighbour.name) }),
    callOp('ibv_destroy_qp', { qp: of(idle.name) }),
    callOp('ibv_destroy_comp_channel', { channel: of(spare.name) }),
    callOp('fcntl', { source: of(spare.name), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] }),
  ];
  if (cq.unacked > 0) calls.push(callOp('ibv_ack_cq_events', ackArgs(cq, cq.unacked)));
  const chosen = w.chance
    .some(calls, 0.4)
    .filter((op) => !hasBacklog || post === undefined || !isArm(op) || w.has('arm-ignores-backlog'));
  const resized: Op[] =
    w.has('resize-cq') && w.chance.happens(0.4)
      ? [
          callOp('ibv_resize_cq', { cq: of(cq.name), cqe: 12 }),
          callOp('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`),
        ]
      : [];
  const wait = callOp('ibv_get_cq_event', { channel: of(channel.name) }, w.name('ev'));
  await w.together([wait], [settle, ...chosen, ...resized, settle, ...(post === undefined ? [] : [post, settle])]);
  for (const { list, length } of lists) list.splice(length);
  w.isOver = true;
}

const isArm = (op: Op): boolean => 'call' in op && op.call === 'ibv_req_notify_cq';

const canNotify = (w: Walk): boolean =>
  w.has('cq-notifications') &&
  w.has('connection') &&
  w.has('arm-ignores-backlog') &&
  w.has('arm-before-get') &&
  notifiesAsAny(w.avoided);

export const contexts: Moves = {
  'two-contexts': move(1, twoContexts, (w) => canNotify(w) && w.qps.length < 4),
  'gets-of-one-channel': move(1, getsOfOneChannel, (w) => canNotify(w) && w.qps.length < 4),
  disturbed: move(1, disturbed, (w) => canNotify(w) && w.qps.length < 4),
};

/** Opens the device once more, and goes on in that context: what is under way in the other one is none of its business. */
async function openElsewhere(w: Walk): Promise<void> {
  const home = new Home(w.name('ctx'), w.name('pd'));
  w.homes.push(home);
  w.goTo(home);
  await openDevice(w);
  if (w.has('cq-notifications')) await makeChannel(w);
  for (let made = w.chance.between(1, 2); made > 0; made--) await makeCq(w);
  if (w.has('srq') && w.chance.happens(0.4)) await makeSrq(w);
  await newPair(w);
}

export const elsewhere: Moves = {
  'open-elsewhere': move(2, openElsewhere, ({ homes, qps, size }) => homes.length < 2 && qps.length < 5 && size < 70),
  'go-elsewhere': move(
    8,
    (w) => {
      const other = w.chance.pick(w.homes.filter((home) => home !== w.home));
      if (other !== undefined) w.goTo(other);
      return Promise.resolve();
    },
    ({ homes }) => homes.length > 1,
  ),
};
