import type { Op } from '../../../programs/program';
import { ignoringOverruns } from '../avoided';
import { ackArgs, arm, drain, drainAsync, drainChannel, getEvent, poll, readBatch } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf, type Message } from '../work';
import { callOp, member, of, type Channel, type Cq, type Qp, type Srq, type Walk } from '../walk';
import { overrun } from './failing';
import { destroyChannel, destroyCq, destroyQp, destroySrq } from './destroying';
import { hasSender, move, senders, soundCqs, withOne, type Moves } from './move';
import { makeRoomIn } from './room';
import { limit, reachLimit } from './sharing';

/** Sends messages whose receives go to a CQ, and leaves their CQEs there. @returns how many there are */
async function fill(w: Walk, qp: Qp, count: number, wanted: Partial<Message> = {}): Promise<number> {
  const flags = ['IBV_SEND_SIGNALED'];
  const messages = Array.from({ length: count }, () =>
    messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags, ...wanted }),
  );
  const isShared = qp.sendCq === qp.peer.recvCq;
  if (!(await makeRoomIn(w, qp.peer.recvCq, isShared ? 2 * count : count))) return 0;
  if (!(await makeRoomIn(w, qp.sendCq, isShared ? 2 * count : count))) return 0;
  await postReceives(w, qp.peer, Array<number>(count).fill(24));
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  await w.settle();
  return count;
}

const sizeOf = (w: Walk, cq: Cq): number => Number(w.output(`${cq.name}m`, 'cqe') ?? w.output(cq.name, 'cqe') ?? 0);

/** Fills a CQ, mostly in part, after it has gone round or not. */
async function fillCq(w: Walk, qp: Qp): Promise<Cq | undefined> {
  const cq = qp.peer.recvCq;
  const most = Math.min(6, qp.sendCq === cq ? sizeOf(w, cq) >> 1 : Math.min(sizeOf(w, cq), sizeOf(w, qp.sendCq)));
  if (most < 1) return undefined;
  const isFull = w.chance.happens(0.3);
  const wanted = { flags: w.chance.one(['IBV_SEND_SIGNALED'], ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED']) };
  const count = await fill(w, qp, isFull ? most : w.chance.between(1, most), wanted);
  return count === 0 ? undefined : cq;
}

async function resizeFilled(w: Walk, qp: Qp): Promise<void> {
  const cq = await fillCq(w, qp);
  if (cq === undefined) return;
  if (w.chance.happens(0.35)) {
    await poll(w, cq, w.chance.between(1, 2));
    await fillCq(w, qp);
  }
  if (w.chance.happens(0.4)) await arm(w, cq, w.chance.one(0, 1));
  for (let resizes = w.chance.between(1, 3); resizes > 0; resizes--) {
    const backlog = w.backlog(cq);
    const size = sizeOf(w, cq);
    const cqe = Math.max(1, w.chance.one(backlog, backlog - 1, size + 1, size + 3, 2 * size, backlog + 1));
    await w.call('ibv_resize_cq', { cq: of(cq.name), cqe });
    await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
    if (w.chance.happens(0.4)) await fillCq(w, qp);
  }
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  await drain(w, cq);
  if (w.chance.happens(0.5)) await fillCq(w, qp);
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
}

/** Arms both ends, sends, and takes the events before the completions. */
async function sendArmed(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const cqs = [...new Set([qp.sendCq, qp.peer.recvCq])];
  await w.settle();
  for (const cq of cqs) {
    if (chance.happens(0.85)) await drain(w, cq);
    if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  }
  for (const cq of cqs) {
    if (chance.happens(0.9)) await arm(w, cq, chance.one(0, 1, 1, 2, 256, -1));
    if (chance.happens(0.2)) await arm(w, cq, chance.one(0, 1, 3));
  }
  await tryToDestroy(w, cqs);
  const count = chance.one(1, 1, 2, 3);
  const room = qp.sendCq === qp.peer.recvCq ? 2 * count : count;
  for (const cq of cqs) if (!(await makeRoomIn(w, cq, room))) return;
  const kinds =
    qp.type === 'IBV_QPT_UD'
      ? (['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'] as const)
      : (['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM', 'IBV_WR_RDMA_WRITE_WITH_IMM', 'IBV_WR_RDMA_WRITE'] as const);
  const messages = Array.from({ length: count }, () => messageOf(w, qp, chance.pick(kinds) ?? 'IBV_WR_SEND'));
  const isLate = qp.rnrRetry === 7 && qp.type === 'IBV_QPT_RC' && w.received(qp.peer) === 0 && chance.happens(0.35);
  const receive = (): Promise<unknown> =>
    postReceives(
      w,
      qp.peer,
      messages.map(({ length }) => length + 16),
    );
  if (!isLate) await receive();
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  await w.settle();
  if (isLate) {
    await receive();
    await w.settle();
  }
  await tryToDestroy(w, cqs);
  for (const channel of new Set(cqs.flatMap((cq) => cq.channel ?? []))) await drainChannel(w, channel);
  for (const cq of cqs) if (chance.happens(0.8)) await drain(w, cq);
}

/** Asks for what is refused: a CQ or an SRQ that QPs use, or a channel that CQs use, is as it was afterwards. */
async function tryToDestroy(w: Walk, cqs: readonly Cq[]): Promise<void> {
  const cq = w.chance.pick(cqs);
  if (cq === undefined || cq.users.size === 0 || w.chance.happens(0.75)) return;
  const [srq] = w.srqs.filter(({ users }) => users.size > 0);
  if (srq !== undefined && w.chance.happens(0.3)) await w.call('ibv_destroy_srq', { srq: of(srq.name) });
  else if (cq.channel !== undefined && w.chance.happens(0.4)) await destroyChannel(w, cq.channel.name);
  else await w.call('ibv_destroy_cq', { cq: of(cq.name) });
}

/** Takes several events of a CQ, and destroys it while they are acknowledged bit by bit. */
async function destroyOwed(w: Walk): Promise<void> {
  const channel = w.chance.pick(w.channels) ?? (await makeChannel(w));
  const count = w.chance.one(1, 2, 3, 9, 17);
  const cq = await makeCq(w, { cqe: 4, channel });
  const other = w.chance.pick(soundCqs(w).filter((one) => one !== cq)) ?? cq;
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [other, other, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  for (let made = 0; made < count && !w.isOver; made++) await oneEvent(w, client, cq, channel);
  if (w.chance.happens(0.5)) await poll(w, cq, 4);
  const before = cq.unacked > 1 ? w.chance.one(0, 1, cq.unacked - 1, cq.unacked > 8 ? 9 : 0) : w.chance.one(0, 0, 1);
  if (before > 0 && before <= cq.unacked) {
    await w.call('ibv_ack_cq_events', ackArgs(cq, before));
    cq.unacked -= before;
  } else if (w.chance.happens(0.2)) await w.call('ibv_ack_cq_events', ackArgs(cq, 0));
  for (const qp of [client, server]) {
    await w.call('ibv_destroy_qp', { qp: of(qp.name) });
    w.qps.splice(w.qps.indexOf(qp), 1);
    for (const one of [qp.sendCq, qp.recvCq]) one.users.delete(qp);
  }
  if (w.chance.happens(0.3)) await getEvent(w, channel);
  await destroyInParts(w, cq);
}

async function oneEvent(w: Walk, qp: Qp, cq: Cq, channel: Channel): Promise<void> {
  await arm(w, cq, 0);
  if ((await fill(w, qp, 1)) === 0) return;
  if (w.chance.happens(0.2)) await w.call('poll', { source: of(channel.name), timeoutMs: 0 });
  for (let gets = 0; gets < 3 && w.queued(channel) > 0; gets++) await getEvent(w, channel);
}

async function destroyInParts(w: Walk, cq: Cq): Promise<void> {
  const parts: number[] = [];
  for (let left = cq.unacked; left > 0; left -= parts.at(-1) ?? left)
    parts.push(Math.min(left, w.chance.one(1, 2, left)));
  const acks = parts.flatMap((part): Op[] => [{ settle: true }, callOp('ibv_ack_cq_events', ackArgs(cq, part))]);
  await w.together([callOp('ibv_destroy_cq', { cq: of(cq.name) })], [...acks, { settle: true }]);
  w.cqs.splice(w.cqs.indexOf(cq), 1);
}

/** Moderates a CQ, arms it, and sends as many messages as make an event, or fewer. */
async function moderateAndSend(w: Walk, qp: Qp): Promise<void> {
  const cq = qp.peer.recvCq;
  if (cq.channel === undefined || qp.sendCq === cq) return;
  await w.settle();
  await drain(w, cq);
  await drainChannel(w, cq.channel);
  const [cqCount, cqPeriod] = [w.chance.between(1, 3), w.chance.one(1000, 500, 2000)];
  const moderate = { cqCount, cqPeriod };
  await w.call('ibv_modify_cq', { cq: of(cq.name), attr: { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate } });
  for (let rounds = w.chance.between(2, 3); rounds > 0 && !w.isOver; rounds--) {
    await arm(w, cq, w.chance.one(0, 0, 1));
    if (w.chance.happens(0.25)) {
      const attr = { attrMask: [], moderate: { cqCount: 3, cqPeriod: w.chance.one(0, 2000) } };
      await w.call('ibv_modify_cq', { cq: of(cq.name), attr });
    }
    const count = w.chance.between(1, Math.max(1, Math.min(cqCount + 1, sizeOf(w, cq), sizeOf(w, qp.sendCq))));
    await waitForModerated(w, qp, cq, cq.channel, count);
  }
}

async function waitForModerated(w: Walk, qp: Qp, cq: Cq, channel: Channel, count: number): Promise<void> {
  if (!(await makeRoomIn(w, cq, count)) || !(await makeRoomIn(w, qp.sendCq, count))) return;
  await postReceives(w, qp.peer, Array<number>(count).fill(24));
  const messages = Array.from({ length: count }, () => messageOf(w, qp, 'IBV_WR_SEND', { length: 16 }));
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  if (w.chance.happens(0.6)) await lookEarly(w, cq, channel);
  if (w.chance.happens(0.5)) await w.call('poll', { source: of(channel.name), timeoutMs: 200 });
  else await w.settle();
  await w.settle();
  await drainChannel(w, channel);
  await drain(w, cq);
}

/** Looks at a moderated CQ, or changes it, while it may still gather CQEs; or arms it again as soon as it has made its event. */
async function lookEarly(w: Walk, cq: Cq, channel: Channel): Promise<void> {
  await w.call('poll', { source: of(channel.name), timeoutMs: 1 });
  const choice = w.chance.below(4);
  if (choice === 0) await poll(w, cq, w.chance.one(1, 4));
  if (choice === 1 && w.has('resize-cq')) {
    await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: sizeOf(w, cq) + 1 });
    await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
  }
  if (choice === 2 && (await getEvent(w, channel))) await arm(w, cq, 0);
  if (choice === 3) {
    const moderate = { cqCount: w.chance.between(1, 3), cqPeriod: w.chance.one(1000, 2000) };
    await w.call('ibv_modify_cq', { cq: of(cq.name), attr: { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate } });
  }
}

/** Overruns a CQ of its own: with its sends, or with its receives; resized before, or with flags. */
async function overrunOwn(w: Walk): Promise<void> {
  const isEx = w.has('extended-cq') && w.chance.happens(0.45);
  const ignoresOverrun = isEx && !w.avoided.has(ignoringOverruns) && w.chance.happens(0.6);
  const cq = await makeCq(w, { cqe: w.chance.between(1, 3), isEx, ignoresOverrun });
  if (w.handle(cq.name) === '') return;
  const other = await makeCq(w, { cqe: 32, isEx: false });
  const takes = w.chance.happens(0.45);
  const cqs = takes ? ([other, other, cq, cq] as const) : ([cq, other, other, other] as const);
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs, srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  if (w.has('resize-cq') && w.chance.happens(0.4)) {
    await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: sizeOf(w, cq) + 1 });
    await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
  }
  if (w.chance.happens(0.3)) await fill(w, client, 1);
  if (!takes) await overrun(w, client);
  else await overrunReceives(w, client, cq);
  if (w.isOverrun(cq)) await endOverrun(w, cq, [client, server]);
}

async function overrunReceives(w: Walk, qp: Qp, cq: Cq): Promise<void> {
  const count = 2 * sizeOf(w, cq) + 4;
  await postReceives(w, qp.peer, Array<number>(count).fill(16));
  const messages = Array.from({ length: count }, () => messageOf(w, qp, 'IBV_WR_SEND', { length: 8, flags: [] }));
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  await w.settle();
  for (let polls = 0; polls < 2; polls++) await poll(w, cq, 16);
  await drainAsync(w, false);
  w.isOver = w.isOver || w.isOverrun(cq);
}

/** Ends what has to do with a CQ that was overrun, while its event is acknowledged. */
async function endOverrun(w: Walk, cq: Cq, qps: readonly Qp[]): Promise<void> {
  if (w.chance.happens(0.3)) return;
  await w.settle();
  for (const qp of qps) await w.call('ibv_destroy_qp', { qp: of(qp.name) });
  const owed = w.events.filter((event) => event.of === cq.name);
  const acks = owed.flatMap(({ name }): Op[] => [{ settle: true }, callOp('ibv_ack_async_event', { event: of(name) })]);
  await w.together([callOp('ibv_destroy_cq', { cq: of(cq.name) })], acks);
}

/** Several CQs on one channel, each of which makes an event. */
async function manyCqs(w: Walk): Promise<void> {
  const channel = await makeChannel(w);
  const count = w.chance.one(2, 3, 5);
  const pairs: Qp[] = [];
  const sendCq = await makeCq(w, { cqe: 16, channel: undefined, isEx: false });
  for (let made = 0; made < count; made++) {
    const cq = await makeCq(w, { cqe: 4, channel });
    if (made < 2 || made === count - 1) {
      const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [sendCq, sendCq, cq, cq], srq: undefined });
      for (const qp of [client, server]) await bringUp(w, qp);
      pairs.push(client);
    }
    await arm(w, cq, 0);
  }
  for (const qp of pairs) await fill(w, qp, 1);
  const [gone] = pairs;
  if (gone !== undefined && pairs.length > 1 && w.chance.happens(0.4)) {
    for (const qp of [gone, gone.peer]) await destroyQp(w, qp);
    if (w.cqs.includes(gone.peer.recvCq) && !w.isOver) await destroyCq(w, gone.peer.recvCq);
  }
  for (let gets = 0; gets <= pairs.length; gets++) await getEvent(w, channel);
  if (w.chance.happens(0.5)) await destroyChannel(w, channel.name);
}

/** Destroys a CQ that is armed, or has events, and makes another one on its channel. */
async function replaceCq(w: Walk): Promise<void> {
  const channel = w.chance.pick(w.channels) ?? (await makeChannel(w));
  const cq = await makeCq(w, { cqe: 4, channel });
  await arm(w, cq, 0);
  await destroyCq(w, cq);
  if (!w.channels.includes(channel)) return;
  const next = await makeCq(w, { cqe: 4, channel });
  const other = await makeCq(w, { cqe: 8 });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [other, other, next, next], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  await fill(w, client, 1);
  await drainChannel(w, channel);
  if (w.chance.happens(0.5)) await drain(w, next);
}

/** Sends a message where no CQ has to be polled for it. */
async function fillIfRoom(w: Walk, qp: Qp): Promise<void> {
  const cqs = [qp.peer.recvCq, qp.sendCq];
  if (cqs.every((cq) => w.backlog(cq) + 2 <= sizeOf(w, cq))) await fill(w, qp, 1);
}

/** Something comes, or is asked for, while a batch is open. */
async function openBatch(w: Walk, qp: Qp): Promise<void> {
  const cq = qp.peer.recvCq;
  if (cq.members === undefined) return;
  const count = Math.min(2, sizeOf(w, cq));
  if ((await fill(w, qp, count)) === 0) return;
  await readBatch(
    w,
    cq,
    w.chance.between(1, 4),
    async () => {
      if (w.chance.happens(0.5)) await arm(w, cq, w.chance.one(0, 1));
      if (w.chance.happens(0.5)) await fillIfRoom(w, qp);
    },
    async () => {
      if (w.chance.happens(0.6)) await fillIfRoom(w, qp);
    },
  );
  if (w.chance.happens(0.6) && w.backlog(cq) === 0) await fill(w, qp, 1);
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  await drain(w, cq);
}

/** Arms a CQ that holds completions: they do not count. */
async function armFilled(w: Walk, qp: Qp): Promise<void> {
  const cq = await fillCq(w, qp);
  if (cq?.channel === undefined) return;
  await drainChannel(w, cq.channel);
  await arm(w, cq, w.chance.one(0, 1));
  if (w.chance.happens(0.4)) await drain(w, cq);
  await drainChannel(w, cq.channel);
  await fillCq(w, qp);
  await drainChannel(w, cq.channel);
}

/** Two SRQs, and a QP on one of them that reaches its limit once or twice; then all that has events is destroyed. */
async function limitOwn(w: Walk): Promise<void> {
  const srqs = [await makeSrq(w), await makeSrq(w)];
  const srq = w.chance.pick(srqs);
  const cq = await makeCq(w, { cqe: 32 });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq });
  for (const qp of [client, server]) await bringUp(w, qp);
  if (srq === undefined) return;
  for (let rounds = w.chance.between(1, 2); rounds > 0; rounds--) await reachLimit(w, client, srq);
  if (w.has('last-wqe-event') && w.chance.happens(0.6)) {
    if (!w.chance.happens(0.3)) await w.settle();
    await w.call('ibv_modify_qp', {
      qp: of(server.name),
      attr: { qpState: 'IBV_QPS_ERR' },
      attrMask: ['IBV_QP_STATE'],
    });
    server.state = 'ERR';
    await w.call('poll', { source: of(w.context), timeoutMs: 200 });
    await drainAsync(w, w.chance.happens(0.5));
  }
  if (w.chance.happens(0.4)) return;
  if (server.state === 'RTS' && w.chance.happens(0.6)) await leaveLimitReached(w, client, srq);
  for (const qp of [server, client]) await destroyQp(w, qp);
  if (w.chance.happens(0.5)) await drainAsync(w, false);
  for (const one of srqs) if (one.users.size === 0) await destroySrq(w, one);
  await drainAsync(w, false);
}

/** Leaves the event of a limit behind, which nobody has taken. */
async function leaveLimitReached(w: Walk, qp: Qp, srq: Srq): Promise<void> {
  await w.settle();
  await postReceives(w, qp.peer, [32]);
  await limit(w, srq, w.received(qp.peer), ['IBV_SRQ_LIMIT']);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16 });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
}

/** Gets that wait on two channels at once. */
async function twoGets(w: Walk): Promise<void> {
  const sendCq = await makeCq(w, { cqe: 16, channel: undefined, isEx: false });
  const ends = [];
  for (let made = 0; made < 2; made++) {
    const channel = await makeChannel(w);
    if (channel.isNonblocking) await setNonblocking(w, channel.name, false);
    const cq = await makeCq(w, { cqe: 4, channel });
    const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [sendCq, sendCq, cq, cq], srq: undefined });
    for (const qp of [client, server]) await bringUp(w, qp);
    await postReceives(w, server, [24]);
    await arm(w, cq, 0);
    const message = messageOf(w, client, 'IBV_WR_SEND', { length: 16 });
    ends.push({
      channel,
      cq,
      get: w.name('ev'),
      post: callOp('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] }),
    });
  }
  if (w.isOver) return;
  const gets = ends.map(({ channel, get }) => [callOp('ibv_get_cq_event', { channel: of(channel.name) }, get)]);
  const posts = ends.flatMap(({ post }): Op[] => [post, { settle: true }]);
  await w.together(...gets, [{ settle: true }, ...posts]);
  for (const { cq } of ends) {
    cq.unacked += 1;
    cq.hasAny = false;
  }
}

/** Invalidates R_Keys of windows from afar, on an extended CQ or not. */
async function invalidate(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 16, isEx: w.has('extended-cq') && w.has('wc-imm') && w.chance.happens(0.7) });
  const other = await makeCq(w, { cqe: 16 });
  if (w.handle(cq.name) === '') return;
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [other, other, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  if (w.chance.happens(0.5)) await arm(w, cq, w.chance.one(0, 1));
  const count = w.chance.between(1, 3);
  for (let made = 0; made < count; made++) {
    const [mw, key] = [w.name('mw'), w.chance.one(1, 0x5a, 0)];
    await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
    const { mr } = server.region;
    const bindMw = {
      mw: of(mw),
      rkey: member(mw, 'rkey', key),
      mr: of(mr),
      addr: member(mr, 'addr'),
      length: 64,
      access: ['IBV_ACCESS_REMOTE_WRITE'],
    };
    const bind = { wrId: w.wrId(), sgList: [], opcode: 'IBV_WR_BIND_MW', sendFlags: [], bindMw };
    await w.call('ibv_post_send', { qp: of(server.name), wrs: [bind] });
    await w.settle();
    await postReceives(w, server, [24]);
    const wr = wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 16 }));
    await w.call('ibv_post_send', {
      qp: of(client.name),
      wrs: [{ ...wr, opcode: 'IBV_WR_SEND_WITH_INV', invalidateRkey: member(mw, 'rkey', key) }],
    });
    await w.settle();
  }
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  await drain(w, cq);
}

const reliable = (w: Walk): Qp[] =>
  senders(w).filter(({ type, peer }) => type !== 'IBV_QPT_UD' && !w.isOverrun(peer.recvCq));
const extended = (w: Walk): Qp[] => reliable(w).filter(({ peer }) => peer.recvCq.members !== undefined);
const canNotify = (w: Walk): boolean => w.has('cq-notifications') && w.has('connection');

export const composed: Moves = {
  'send-armed': move(8, (w) => withOne(w, senders(w), (qp) => sendArmed(w, qp)), hasSender),
  'resize-filled': move(
    4,
    (w) => withOne(w, reliable(w), (qp) => resizeFilled(w, qp)),
    (w) => w.has('resize-cq') && reliable(w).length > 0,
  ),
  'arm-filled': move(
    2.5,
    (w) => withOne(w, reliable(w), (qp) => armFilled(w, qp)),
    (w) => reliable(w).length > 0,
  ),
  'destroy-owed': move(2.5, destroyOwed, (w) => canNotify(w) && w.qps.length < 6),
  'moderate-and-send': move(
    3.5,
    (w) => withOne(w, reliable(w), (qp) => moderateAndSend(w, qp)),
    (w) => w.has('cq-moderation') && reliable(w).length > 0,
  ),
  'overrun-own': move(2, overrunOwn, (w) => w.has('connection') && w.qps.length < 6),
  'many-cqs': move(1, manyCqs, (w) => canNotify(w) && w.cqs.length < 4),
  'replace-cq': move(1, replaceCq, (w) => canNotify(w) && w.cqs.length < 5),
  'limit-own': move(1.5, limitOwn, (w) => w.has('srq') && w.has('connection') && w.qps.length < 6 && w.srqs.length < 3),
  'two-gets': move(0.8, twoGets, (w) => canNotify(w) && w.qps.length < 4 && w.cqs.length < 4),
  invalidate: move(
    1.2,
    invalidate,
    (w) => w.has('send-with-invalidate') && w.has('memory-windows') && w.has('connection') && w.qps.length < 6,
  ),
  'open-batch': move(
    3,
    (w) => withOne(w, extended(w), (qp) => openBatch(w, qp)),
    (w) => extended(w).length > 0,
  ),
};
