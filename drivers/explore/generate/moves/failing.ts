import type { ProgramStruct } from '../../../programs/program';
import { arm, drain, drainAsync, drainChannel } from '../completions';
import { allAccess, bringUp, makeRegion, modifyQp } from '../objects';
import {
  foreignTo,
  isAtomic,
  listOf,
  look,
  messageOf,
  opcodesOf,
  postReceives,
  wrOf,
  type Message,
  type Opcode,
} from '../work';
import { destroyQp } from './destroying';
import { member, of, type Qp, type Walk } from '../walk';
import { sendOne } from './messages';
import { hasSender, move, senders, soundCqs, withOne, type Moves } from './move';
import { makeRoom, makeRoomIn } from './room';

/** Work of a length that no device hands over within a CQE. */
const longBytes = 160;

const reliable = (w: Walk): Qp[] => senders(w).filter(({ type }) => type === 'IBV_QPT_RC');
const unacknowledged = (w: Walk): Qp[] => senders(w).filter(({ type }) => type === 'IBV_QPT_UC');
const hasReliable = (w: Walk): boolean => reliable(w).length > 0;

/** Posts some work, and more behind it, and looks at how it fails. */
async function fail(w: Walk, qp: Qp, bad: ProgramStruct, follow = true): Promise<void> {
  const { chance } = w;
  const opcodes = opcodesOf(w, qp).filter((opcode) => opcode === 'IBV_WR_RDMA_WRITE' || opcode === 'IBV_WR_SEND');
  const behind = follow ? chance.below(3) : 0;
  const messages = Array.from({ length: behind }, () =>
    messageOf(w, qp, chance.pick(opcodes) ?? 'IBV_WR_SEND', {
      flags: chance.happens(0.5) ? ['IBV_SEND_SIGNALED'] : [],
    }),
  );
  const room = [
    ...messages,
    ...messages,
    ...receivesOf(w, qp),
    ...receivesOf(w, qp.peer),
    { opcode: 'IBV_WR_SEND' as const },
  ];
  for (const cq of new Set([qp.sendCq, qp.recvCq, qp.peer.recvCq, qp.peer.sendCq])) {
    if (!(await makeRoomIn(w, cq, room.length))) return;
  }
  await armAround(w, qp);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [bad, ...messages.map((message) => wrOf(w, qp, message))] });
  await w.settle();
  if (chance.happens(0.75)) await after(w, qp);
}

const receivesOf = (w: Walk, qp: Qp): { opcode: Opcode }[] =>
  Array.from({ length: w.ownReceived(qp) }, () => ({ opcode: 'IBV_WR_SEND' as const }));

/** Arms the CQs of two QPs, once they are empty. */
async function armAround(w: Walk, qp: Qp): Promise<void> {
  if (w.chance.happens(0.4)) return;
  for (const cq of new Set([qp.sendCq, qp.peer.recvCq])) {
    if (w.backlog(cq) > 0) await drain(w, cq);
    if (cq.channel !== undefined) await drainChannel(w, cq.channel);
    await arm(w, cq, w.chance.one(0, 1));
  }
}

/** What a program does with QPs of which one or both have failed. */
async function after(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  for (const channel of w.channels) if (chance.happens(0.8)) await drainChannel(w, channel);
  for (const cq of new Set([qp.sendCq, qp.recvCq, qp.peer.sendCq, qp.peer.recvCq])) {
    if (chance.happens(0.15) && cq.users.size > 0 && !w.isOverrun(cq))
      await w.call('ibv_destroy_cq', { cq: of(cq.name) });
    if (chance.happens(0.8) && !w.isOverrun(cq)) await drain(w, cq);
  }
  if (chance.happens(0.6)) await drainAsync(w, chance.happens(0.6));
  if (chance.happens(0.3)) await postToFailed(w, qp);
  await recover(w, qp);
}

async function postToFailed(w: Walk, qp: Qp): Promise<void> {
  await moveToError(w, qp);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { flags: ['IBV_SEND_SIGNALED'], length: 8 });
  if (await makeRoom(w, qp, [message])) {
    await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
    await w.settle();
    await drain(w, qp.sendCq);
  }
}

/** Brings both QPs into one state that is known. */
async function recover(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  for (const one of [qp, peer]) if (one.state !== 'ERR') await moveToError(w, one);
  await w.settle();
  for (const cq of new Set([qp.sendCq, qp.recvCq, peer.sendCq, peer.recvCq])) if (!w.isOverrun(cq)) await drain(w, cq);
  if (w.chance.happens(0.3)) return;
  for (const one of [qp, peer]) {
    await modifyQp(w, one, { qpState: 'IBV_QPS_RESET' });
    one.state = 'RESET';
  }
  for (const one of [qp, peer]) await bringUp(w, one);
}

async function moveToError(w: Walk, qp: Qp): Promise<void> {
  if (!(await makeRoomIn(w, qp.recvCq, w.ownReceived(qp)))) return;
  await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
  if (qp.state !== 'RESET') qp.state = 'ERR';
}

type Target = (w: Walk, qp: Qp) => ProgramStruct | Promise<ProgramStruct>;

/** A place of remote memory that the peer of a QP may not touch. */
const targets: Readonly<Record<string, Target>> = {
  'no-such-key': ({ chance }, { peer: { region } }) => ({
    addr: member(region.mr, 'addr', 64),
    rkey: member(region.mr, 'rkey', chance.one(0x1000_00, 0x33)),
  }),
  'before-region': (_w, { peer: { region } }) => ({
    addr: member(region.mr, 'addr', -8),
    rkey: member(region.mr, 'rkey'),
  }),
  'behind-region': (_w, { peer: { region } }) => ({
    addr: member(region.mr, 'addr', region.bytes - 8),
    rkey: member(region.mr, 'rkey'),
  }),
  'at-the-end-of-all': (_w, { peer: { region } }) => ({
    addr: '0xfffffffffffffff8',
    rkey: member(region.mr, 'rkey'),
  }),
  'of-another-pd': async (w) => {
    const pd = w.name('pd');
    await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
    const { mr } = await makeRegion(w, allAccess, pd);
    return { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') };
  },
  'without-the-right': async (w) => {
    const { mr } = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE']);
    return { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') };
  },
  'of-the-past': async (w) => {
    const { mr } = await makeRegion(w, [...allAccess]);
    await w.call('struct ibv_cq', { cq: of(w.cqs[0]?.name ?? '') });
    await w.call('ibv_dereg_mr', { mr: of(mr) });
    return { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') };
  },
};

async function failRemotely(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const isReliable = qp.type === 'IBV_QPT_RC';
  const opcodes: Opcode[] = isReliable
    ? opcodesOf(w, qp).filter((opcode) => !opcode.startsWith('IBV_WR_SEND') && opcode !== 'IBV_WR_RDMA_WRITE_WITH_IMM')
    : [];
  const opcode = chance.pick(opcodes);
  const target = chance.pick(Object.values(targets));
  if (opcode === undefined || target === undefined) return;
  const reached = (await target(w, qp)) as { addr: ProgramStruct; rkey: ProgramStruct };
  const message = messageOf(w, qp, opcode, { ...(!opcode.includes('ATOMIC') && { length: 16 }) });
  await fail(w, qp, wrOf(w, qp, message, reached));
  if (chance.happens(0.3)) await look(w, qp.peer.region, qp.peer.region.bytes - 16, 14);
}

/** Local memory that the QP may not use, as it is of another PD; all of it or a part. */
async function failLocally(w: Walk, qp: Qp): Promise<void> {
  const pd = w.name('pd');
  await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
  const region = await makeRegion(w, allAccess, pd);
  if (qp.type !== 'IBV_QPT_RC') await postReceives(w, qp.peer, [longBytes]);
  const message = messageOf(w, qp, 'IBV_WR_SEND', {
    flags: w.chance.happens(0.6) ? ['IBV_SEND_SIGNALED'] : [],
    length: longBytes,
    entries: 1,
  });
  const half = longBytes / 2;
  const sgList = w.chance.happens(0.7)
    ? listOf(region, 64, longBytes, 1)
    : [...listOf(qp.region, message.local, half, 1), ...listOf(region, 64, half, 1)];
  await fail(w, qp, { ...wrOf(w, qp, message), sgList });
}

/** An operation of another type of QPs, with work before and behind it. */
async function failForeign(w: Walk, qp: Qp): Promise<void> {
  const opcode = w.chance.pick(foreignTo(w, qp));
  if (opcode === undefined) return;
  await sendOne(w, qp);
  const message = messageOf(w, qp, opcode, { length: isAtomic(opcode) ? 8 : 16 });
  await fail(w, qp, wrOf(w, qp, message));
}

async function failAtReceive(w: Walk, qp: Qp): Promise<void> {
  if (w.received(qp.peer) > 0) return;
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: longBytes });
  if (!(await makeRoom(w, qp, [message, message]))) return;
  if (w.chance.happens(0.5)) await postReceives(w, qp.peer, [w.chance.one(longBytes - 1, 80)]);
  else {
    const region = await makeRegion(w, ['IBV_ACCESS_REMOTE_READ']);
    await postReceives(w, qp.peer, [longBytes], region);
  }
  if (w.received(qp.peer) > 1) return;
  await fail(w, qp, wrOf(w, qp, message));
}

/** A message to a QP that does not answer: in another state, or not there any more. */
async function failUnanswered(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  await w.settle();
  if (!(await makeRoomIn(w, peer.recvCq, w.ownReceived(peer) + 1))) return;
  await moveToError(w, peer);
  if (w.chance.happens(0.6)) {
    await w.settle();
    await modifyQp(w, peer, { qpState: 'IBV_QPS_RESET' });
    peer.state = 'RESET';
    if (w.chance.happens(0.5)) await bringUp(w, peer, 'INIT');
  }
  const message = messageOf(w, qp, w.chance.one('IBV_WR_SEND', 'IBV_WR_RDMA_WRITE'), { length: 16 });
  if (w.chance.happens(0.25)) await giveUp(w, qp, message);
  else await fail(w, qp, wrOf(w, qp, message));
}

/** Flushes a message that waits for its answer: it completes once. */
async function giveUp(w: Walk, qp: Qp, message: Message): Promise<void> {
  if (!(await makeRoom(w, qp, [message, message]))) return;
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await moveToError(w, qp);
  await w.settle();
  await drain(w, qp.sendCq);
  await recover(w, qp);
}

/** A message waits without limit for a receive, until its peer is gone. */
async function failWaiting(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  if (w.received(peer) > 0) return;
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16 });
  if (!(await makeRoom(w, qp, [message, message]))) return;
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await moveToError(w, peer);
  await w.settle();
  await after(w, qp);
}

/** A message to a QP that was destroyed. */
async function failAlone(w: Walk, qp: Qp): Promise<void> {
  await destroyQp(w, qp.peer);
  const message = { ...messageOf(w, qp, w.chance.one('IBV_WR_SEND', 'IBV_WR_RDMA_WRITE'), { length: 16 }) };
  if (!(await makeRoom(w, qp, [message, message]))) return;
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await drain(w, qp.sendCq);
  await moveToError(w, qp);
}

async function failWithoutReceive(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  if (w.received(peer) > 0 || qp.rnrRetry === 7) return;
  const message = messageOf(w, qp, w.chance.one('IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM', 'IBV_WR_RDMA_WRITE_WITH_IMM'));
  await fail(w, qp, wrOf(w, qp, message));
}

async function flush(w: Walk, qp: Qp): Promise<void> {
  const count = w.chance.one(1, 2, 4, w.chance.happens(0.15) ? 18 : 3);
  if (qp.srq === undefined && (await makeRoomIn(w, qp.recvCq, w.ownReceived(qp) + count))) {
    await postReceives(w, qp, Array<number>(count).fill(16));
  }
  await armAround(w, qp);
  await moveToError(w, qp);
  await w.settle();
  await after(w, qp);
}

export const failing: Moves = {
  'fail-remotely': move(3.5, (w) => withOne(w, reliable(w), (qp) => failRemotely(w, qp)), hasReliable),
  'fail-locally': move(2, (w) => withOne(w, senders(w), (qp) => failLocally(w, qp)), hasSender),
  'fail-at-receive': move(2.5, (w) => withOne(w, reliable(w), (qp) => failAtReceive(w, qp)), hasReliable),
  'fail-foreign': move(
    1.5,
    (w) => withOne(w, unacknowledged(w), (qp) => failForeign(w, qp)),
    (w) => unacknowledged(w).length > 0,
  ),
  'fail-unanswered': move(1.5, (w) => withOne(w, reliable(w), (qp) => failUnanswered(w, qp)), hasReliable),
  'fail-without-receive': move(1.5, (w) => withOne(w, reliable(w), (qp) => failWithoutReceive(w, qp)), hasReliable),
  'fail-waiting': move(
    1,
    (w) =>
      withOne(
        w,
        reliable(w).filter(({ rnrRetry }) => rnrRetry === 7),
        (qp) => failWaiting(w, qp),
      ),
    (w) => reliable(w).some(({ rnrRetry }) => rnrRetry === 7),
  ),
  'fail-alone': move(0.7, (w) => withOne(w, reliable(w), (qp) => failAlone(w, qp)), hasReliable),
  flush: move(2.5, (w) => withOne(w, senders(w), (qp) => flush(w, qp)), hasSender),
  'take-async-events': move(2, (w) => drainAsync(w, w.chance.happens(0.6))),
  overrun: move(
    1.2,
    (w) => withOne(w, senders(w), (qp) => overrun(w, qp)),
    (w) => hasSender(w) && soundCqs(w).length > 0,
  ),
};

/** Overruns the CQ of the sends of a QP; after that little is known. */
export async function overrun(w: Walk, qp: Qp): Promise<void> {
  const told = w.output(`${qp.sendCq.name}m`, 'cqe') ?? w.output(qp.sendCq.name, 'cqe');
  const size = Number(told ?? 0);
  const count = 2 * size + 4 - w.backlog(qp.sendCq);
  if (size > 5 || qp.type === 'IBV_QPT_UD') return;
  await w.settle();
  const wrs = Array.from({ length: count }, () =>
    wrOf(w, qp, messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { flags: ['IBV_SEND_SIGNALED'], length: 8, entries: 1 })),
  );
  await w.call('ibv_post_send', { qp: of(qp.name), wrs });
  await w.settle();
  if (w.chance.happens(0.4)) await w.call('ibv_poll_cq', { cq: of(qp.sendCq.name), numEntries: 2 });
  await drainAsync(w, w.chance.happens(0.5));
  for (let polls = 0; polls < 2; polls++) await w.call('ibv_poll_cq', { cq: of(qp.sendCq.name), numEntries: 3 * size });
  if (w.chance.happens(0.5) && w.isOverrun(qp.sendCq)) await sendOnce(w, qp);
  w.isOver = w.isOver || w.isOverrun(qp.sendCq);
}

/** Work on a CQ that cannot be used any more. */
async function sendOnce(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { flags: ['IBV_SEND_SIGNALED'], length: 8, entries: 1 });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await w.call('ibv_poll_cq', { cq: of(qp.sendCq.name), numEntries: 4 });
}
