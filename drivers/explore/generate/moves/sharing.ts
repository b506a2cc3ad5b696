import { ackAsync, drain, drainAsync } from '../completions';
import { makeRegion, modifyQp, bringUp } from '../objects';
import { listOf, look, messageOf, postReceives, writePayload, wrOf } from '../work';
import { member, of, type Qp, type Srq, type Walk } from '../walk';
import { hasSender, move, senders, soundCqs, withOne, type Moves } from './move';
import { makeRoom, makeRoomIn } from './room';

const served = (w: Walk): Qp[] => senders(w).filter(({ peer }) => peer.srq !== undefined);

/** Sets the limit of an SRQ, and takes receives out of it until that is reached. */
export async function reachLimit(w: Walk, qp: Qp, srq: Srq): Promise<void> {
  const count = w.chance.between(1, 3);
  await w.settle();
  await postReceives(w, qp.peer, Array<number>(count + 1).fill(32));
  const srqLimit = w.chance.between(1, count + 1);
  await limit(w, srq, srqLimit, ['IBV_SRQ_LIMIT']);
  if (w.chance.happens(0.2)) await limit(w, srq, w.chance.one(0, 1, count + 1), []);
  for (let sent = 0; sent < count; sent++) {
    const message = messageOf(w, qp, w.chance.one('IBV_WR_SEND', 'IBV_WR_RDMA_WRITE_WITH_IMM'), { length: 16 });
    if (!(await makeRoom(w, qp, [message]))) return;
    await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
    await w.settle();
    if (w.chance.happens(0.5)) await drainAsync(w, w.chance.happens(0.5));
  }
  await drainAsync(w, w.chance.happens(0.5));
}

export const limit = (w: Walk, srq: Srq, srqLimit: number, srqAttrMask: string[]): Promise<unknown> =>
  w.call('ibv_modify_srq', { srq: of(srq.name), srqAttr: { srqLimit }, srqAttrMask });

/** Stops the sending of a QP, and lets it go on. */
async function drainSends(w: Walk, qp: Qp): Promise<void> {
  const tells = w.chance.happens(0.7);
  const message = messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { length: 16, flags: ['IBV_SEND_SIGNALED'] });
  const isSending = qp.type !== 'IBV_QPT_UD' && (await makeRoom(w, qp, [message, message]));
  if (!isSending) return;
  if (w.chance.happens(0.5)) {
    await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
    await w.settle();
  }
  await modifyQp(w, qp, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: tells });
  await w.settle();
  await drainAsync(w);
  await w.call('ibv_post_send', {
    qp: of(qp.name),
    wrs: [wrOf(w, qp, messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { length: 16 }))],
  });
  await w.settle();
  await modifyQp(w, qp, { qpState: 'IBV_QPS_RTS' });
  await w.settle();
  await drain(w, qp.sendCq);
  await drainAsync(w);
}

/** A message to a QP that is ready to receive, and not yet to send. */
async function establish(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  for (const one of [qp, peer]) {
    if (!(await makeRoomIn(w, one.recvCq, w.ownReceived(one)))) return;
    await modifyQp(w, one, { qpState: 'IBV_QPS_ERR' });
  }
  await w.settle();
  for (const one of [qp, peer]) {
    for (const cq of new Set([one.sendCq, one.recvCq])) if (!w.isOverrun(cq)) await drain(w, cq);
    await modifyQp(w, one, { qpState: 'IBV_QPS_RESET' });
    one.state = 'RESET';
  }
  await bringUp(w, peer, 'RTR');
  await bringUp(w, qp);
  await drainAsync(w);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16 });
  if (!(await makeRoom(w, qp, [message]))) return;
  await postReceives(w, peer, [16]);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await drainAsync(w);
  await bringUp(w, peer);
}

const reliable = (w: Walk): Qp[] =>
  senders(w).filter(({ type, peer }) => type === 'IBV_QPT_RC' && peer.state === 'RTS');

/** Binds a memory window to a part of the peer's memory, uses it, and takes it back. */
async function useWindow(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const { peer } = qp;
  const mw = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
  const part = 256 + 64 * chance.below(8);
  const rkey = member(mw, 'rkey', chance.one(1, 7, 0x5a));
  const access = chance.one(
    ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'],
    ['IBV_ACCESS_REMOTE_READ'],
    ['IBV_ACCESS_REMOTE_WRITE'],
  );
  const canBind = chance.happens(0.88);
  const region = canBind ? peer.region : await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE']);
  const bindMw = { mw: of(mw), rkey, mr: of(region.mr), addr: member(region.mr, 'addr', part), length: 64, access };
  const bind = { wrId: w.wrId(), sgList: [], opcode: 'IBV_WR_BIND_MW', sendFlags: ['IBV_SEND_SIGNALED'], bindMw };
  for (const cq of new Set([peer.sendCq, peer.recvCq, qp.sendCq, qp.recvCq])) {
    if (!(await makeRoomIn(w, cq, 5 + w.ownReceived(qp) + w.ownReceived(peer)))) return;
  }
  await w.call('ibv_post_send', { qp: of(peer.name), wrs: [bind] });
  await w.settle();
  await drain(w, peer.sendCq);
  if (!canBind) return recoverPair(w, qp);
  const choice = chance.below(8);
  if (choice === 0) await w.call('ibv_post_send', { qp: of(peer.name), wrs: [localInvalidation(w, rkey)] });
  else if (choice === 1) await w.call('ibv_dealloc_mw', { mw: of(mw) });
  else if (choice <= 4) return sendWithInvalidate(w, qp, rkey, part, access);
  await w.settle();
  const offset = chance.one(0, 16, -8, 56, 64, 0);
  const opcode = chance.one('IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_READ');
  const key = choice === 5 ? member(mw, 'rkey') : rkey;
  const message = messageOf(w, qp, opcode, { length: 16, flags: ['IBV_SEND_SIGNALED'] });
  const target = { addr: member(peer.region.mr, 'addr', part + offset), rkey: key };
  const other = reliable(w).find((one) => one !== qp && one !== peer && one.peer !== qp);
  const user = choice === 6 && other !== undefined ? other : qp;
  await useThrough(w, user, message, target);
  await look(w, peer.region, part + offset, 16);
  if (choice !== 7) await recoverPair(w, user);
}

async function useThrough(
  w: Walk,
  user: Qp,
  message: ReturnType<typeof messageOf>,
  target: { addr: object; rkey: object },
): Promise<void> {
  const wr = { ...wrOf(w, user, message, target as never), sgList: listOf(user.region, message.local, 16, 1) };
  if (!(await makeRoom(w, user, [message, message]))) return;
  await writePayload(w, user, message);
  await w.call('ibv_post_send', { qp: of(user.name), wrs: [wr] });
  await w.settle();
  await drain(w, user.sendCq);
}

function localInvalidation(w: Walk, invalidateRkey: object): Record<string, never> {
  const wr = {
    wrId: w.wrId(),
    sgList: [],
    opcode: 'IBV_WR_LOCAL_INV',
    sendFlags: w.chance.one<string[]>(['IBV_SEND_SIGNALED'], []),
    invalidateRkey,
  };
  return wr as unknown as Record<string, never>;
}

/** A send that invalidates the R_Key of a window: the receive says which. */
async function sendWithInvalidate(
  w: Walk,
  qp: Qp,
  rkey: object,
  part: number,
  access: readonly string[],
): Promise<void> {
  if (!w.has('send-with-invalidate')) return;
  const length = w.chance.one(16, 16, 0);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length, entries: length === 0 ? 0 : 1 });
  await postReceives(w, qp.peer, [32]);
  await w.call('ibv_post_send', {
    qp: of(qp.name),
    wrs: [{ ...wrOf(w, qp, message), opcode: 'IBV_WR_SEND_WITH_INV', invalidateRkey: rkey as never }],
  });
  await w.settle();
  await drain(w, qp.peer.recvCq);
  await drain(w, qp.sendCq);
  if (w.chance.happens(0.6) || !access.includes('IBV_ACCESS_REMOTE_WRITE')) return;
  const write = messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { length: 16, flags: ['IBV_SEND_SIGNALED'] });
  await useThrough(w, qp, write, { addr: member(qp.peer.region.mr, 'addr', part), rkey });
  await recoverPair(w, qp);
}

/** Whatever state the QPs are in, they are in the error state after this. */
export async function recoverPair(w: Walk, qp: Qp): Promise<void> {
  for (const one of [qp, qp.peer]) {
    await modifyQp(w, one, { qpState: 'IBV_QPS_ERR' });
    if (one.state !== 'RESET') one.state = 'ERR';
  }
  await w.settle();
  await drainAsync(w);
}

export const sharing: Moves = {
  'reach-limit': move(
    3,
    (w) =>
      withOne(w, served(w), (qp) => (qp.peer.srq === undefined ? Promise.resolve() : reachLimit(w, qp, qp.peer.srq))),
    (w) => served(w).length > 0,
  ),
  'drain-sends': move(
    1.5,
    (w) => withOne(w, senders(w), (qp) => drainSends(w, qp)),
    (w) => hasSender(w) && w.has('sq-drain'),
  ),
  establish: move(
    1,
    (w) => withOne(w, reliable(w), (qp) => establish(w, qp)),
    (w) => reliable(w).length > 0,
  ),
  'use-window': move(
    5,
    (w) => withOne(w, reliable(w), (qp) => useWindow(w, qp)),
    (w) => w.has('memory-windows') && reliable(w).length > 0,
  ),
  'ack-async': move(
    1,
    (w) => ackAsync(w),
    ({ events }) => events.length > 0,
  ),
  'all-cqs': move(1, async (w) => {
    await w.settle();
    for (const cq of soundCqs(w)) await drain(w, cq);
  }),
};
