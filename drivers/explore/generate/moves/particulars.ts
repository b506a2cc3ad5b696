import type { ProgramStruct, ProgramValue } from '../../../programs/program';
import { arm, drain, drainAsync, poll } from '../completions';
import { allAccess, bringUp, makeCq, makePair, makeRegion, makeSrq, modifyQp, qkey, remoteRights } from '../objects';
import { fencedSendStays } from '../avoided';
import { questionAbout } from '../questions';
import { grhBytes, listOf, look, messageOf, postReceives, writePayload, wrOf, type Opcode } from '../work';
import { member, of, type Cq, type Qp, type QpType, type Region, type Srq, type Walk } from '../walk';
import { destroyQp, destroySrq } from './destroying';
import { typesOf } from './lifetimes';
import { sendOne } from './messages';
import { hasRoom, move, withOne, type Moves } from './move';
import { limit } from './sharing';

type Pair = readonly [Qp, Qp];

async function withPair(
  w: Walk,
  type: QpType,
  act: (pair: Pair, cq: Cq) => Promise<unknown>,
  { rnrRetry = 1, hasSrq = false } = {},
): Promise<void> {
  const cq = await makeCq(w, { cqe: 200 });
  if (!w.cqs.includes(cq)) return;
  const cqs = [cq, cq, cq, cq] as const;
  const srq = hasSrq ? await makeSrq(w) : undefined;
  const pair = await makePair(w, { type, cqs, srq, sharesSrq: false, entries: 4, rnrRetry });
  for (const qp of pair) await bringUp(w, qp);
  await act(pair, cq);
  await w.settle();
  await drain(w, cq);
  await drainAsync(w);
}

async function reset(w: Walk, qp: Qp): Promise<void> {
  await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
  qp.state = 'RESET';
}

const entry = ({ mr }: Region, at: number, length: number, lkey: ProgramValue = member(mr, 'lkey')): ProgramStruct => ({
  addr: member(mr, 'addr', at),
  length,
  lkey,
});

async function write(w: Walk, { memory }: Region, at: number, length: number): Promise<void> {
  await w.call('memory write', { addr: member(memory, 'addr', at), bytes: w.payload(length) });
}

/** A message of what the list says. */
async function sendList(
  w: Walk,
  qp: Qp,
  sgList: readonly ProgramStruct[],
  flags: readonly string[],
  opcode: Opcode = 'IBV_WR_SEND',
): Promise<void> {
  const message = messageOf(w, qp, opcode, { length: 8, entries: 1, flags, remote: 2048 });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [{ ...wrOf(w, qp, message), sgList: [...sgList] }] });
  await w.settle();
}

/** Pieces of one length with different bytes are gathered and scattered, each in its turn. */
async function piecesOfOneLength(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const count = w.chance.one(3, 4);
  const places = Array.from({ length: count }, (_, index) => 4096 + index * 64);
  for (const [index, at] of places.entries()) {
    const bytes = `${String(index + 1)}${String(index + 5)}`.repeat(16);
    await w.call('memory write', { addr: member(client.region.memory, 'addr', at), bytes });
  }
  const targets = [...places].reverse();
  const sgList = targets.map((at) => entry(server.region, at, 16));
  await w.call('ibv_post_recv', { qp: of(server.name), wrs: [{ wrId: w.wrId(), sgList }] });
  const pieces = places.map((at) => entry(client.region, at, 16));
  await sendList(w, client, pieces, ['IBV_SEND_SIGNALED']);
  await drain(w, cq);
  await look(w, server.region, 4096, count * 64, 0);
}

/** The keys of inline data do not count. */
async function inlineOfAnyKey(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const at = 4096;
  await write(w, client.region, at, 24);
  const [receive] = await postReceives(w, server, [48 + grhBytes(server)]);
  const opcode = client.type === 'IBV_QPT_UD' || w.chance.happens(0.6) ? 'IBV_WR_SEND' : 'IBV_WR_RDMA_WRITE';
  const sgList = [entry(client.region, at, 24, w.chance.one(0, 1))];
  await sendList(w, client, sgList, ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'], opcode);
  await drain(w, cq);
  if (opcode === 'IBV_WR_RDMA_WRITE') await look(w, server.region, 2048, 24);
  if (receive === undefined || opcode === 'IBV_WR_RDMA_WRITE') return;
  const before = grhBytes(server);
  await look(w, server.region, receive.at + before, receive.length - before, before === 0 ? 1 : 0);
}

/** A receive names memory of another PD, or such as may not be written; all of it or a part. */
async function receiveInForeignMemory(w: Walk, [client, server]: Pair): Promise<void> {
  const pd = w.name('pd');
  const isOfPd = w.chance.happens(0.6);
  if (isOfPd) await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
  const region = isOfPd ? await makeRegion(w, allAccess, pd) : await makeRegion(w, []);
  const all = [entry(region, 64, 512)];
  const part = [entry(server.region, 4096, 200), entry(region, 64, 312)];
  const sgList = w.chance.one(all, part, [...part].reverse());
  await w.call('ibv_post_recv', { qp: of(server.name), wrs: [{ wrId: w.wrId(), sgList }] });
  await sendList(w, client, [entry(client.region, 4096, 400)], ['IBV_SEND_SIGNALED']);
}

/** The answer to a request goes to memory that may not be written, or comes from a peer that sends nothing itself. */
async function readUnusually(w: Walk, [client, server]: Pair): Promise<void> {
  const [isOpen, isReady] = [w.chance.happens(0.5), w.chance.happens(0.5)];
  if (!isReady) {
    await reset(w, server);
    await bringUp(w, server, 'RTR');
  }
  const region = isOpen ? client.region : await makeRegion(w, []);
  // What is within a CQE is not written by the region.
  const length = w.chance.one(16, 128);
  const message = messageOf(w, client, 'IBV_WR_RDMA_READ', { length, entries: 1, flags: ['IBV_SEND_SIGNALED'] });
  const wr = { ...wrOf(w, client, message), sgList: [entry(region, 4096, length)] };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
}

/** Of two registrations of one stretch of memory each has keys of its own. */
async function registerTwice(w: Walk, [client, server]: Pair): Promise<void> {
  const { memory, bytes } = client.region;
  const keys = [w.name('mr'), w.name('mr')] as const;
  for (const mr of keys) {
    const addr = member(memory, 'addr');
    await w.call('ibv_reg_mr', { pd: of(w.pd), addr, length: bytes, access: allAccess }, mr);
  }
  const [gone, left] = w.chance.happens(0.5) ? keys : [keys[1], keys[0]];
  await w.call('ibv_dereg_mr', { mr: of(gone) });
  await postReceives(w, server, [24]);
  await sendList(w, client, [entry({ ...client.region, mr: left }, 4096, 16)], ['IBV_SEND_SIGNALED']);
}

/** Datagrams take the receives of an SRQ, of which no other QP takes some: they would be too short for it, or for them. */
async function datagramsBySrq(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const srq = await makeSrq(w);
  const pair = await makePair(w, { type: 'IBV_QPT_UD', cqs: [cq, cq, cq, cq], srq, sharesSrq: false });
  const [client, server] = pair;
  for (const qp of pair) await bringUp(w, qp);
  const receives = await postReceives(w, server, [64, 64, 64]);
  const lengths: number[] = [];
  while (lengths.length < receives.length) {
    const opcode = w.chance.one<Opcode>('IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM');
    const message = messageOf(w, client, opcode, { length: w.chance.between(1, 64) });
    await writePayload(w, client, message);
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
    await w.settle();
    lengths.push(message.length);
  }
  await drain(w, cq);
  for (const [index, { at }] of receives.entries())
    await look(w, server.region, at + grhBytes(server), lengths[index] ?? 0, 0);
  for (const qp of pair) await destroyQp(w, qp);
  await destroySrq(w, srq);
}

/** Each datagram of a list goes to the QP that it names. */
async function datagramsToEach(w: Walk, [client, server]: Pair): Promise<void> {
  await postReceives(w, server, [64, 64]);
  await postReceives(w, client, [64, 64]);
  const message = () => messageOf(w, client, 'IBV_WR_SEND', { length: 16, entries: 1, flags: ['IBV_SEND_SIGNALED'] });
  const to = (qp: Qp): ProgramStruct => {
    const wr = wrOf(w, client, message());
    return { ...wr, ud: { ...(wr.ud as ProgramStruct), remoteQpn: member(qp.name, 'qpNum') } };
  };
  const wrs = w.chance.one([server, client], [client, server], [server, client, server]).map(to);
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
}

/** What the mask leaves out changes nothing: not the state, nor what the peer may do. */
async function modifyWhatIsMasked(w: Walk, [client, server]: Pair): Promise<void> {
  const rights = [...remoteRights];
  const [qp, other] = w.chance.happens(0.5) ? [client, server] : [server, client];
  const unmasked = w.chance.one<ProgramStruct>(
    { qpState: 'IBV_QPS_ERR', qpAccessFlags: rights },
    { qpState: 'IBV_QPS_SQD', qpAccessFlags: rights },
    { destQpNum: member(qp.name, 'qpNum'), sqPsn: 0x123, rqPsn: 0x321, qpAccessFlags: rights },
  );
  await w.call('ibv_modify_qp', { qp: of(qp.name), attr: unmasked, attrMask: ['IBV_QP_ACCESS_FLAGS'] });
  await sendOne(w, qp);
  await sendOne(w, other);
}

/** What may be changed of a QP that works, and back. */
async function changeMeanwhile(w: Walk, [client, server]: Pair): Promise<void> {
  const qp = w.chance.pick([client, server]) ?? client;
  const [attr, before] =
    qp.type === 'IBV_QPT_UD'
      ? [{ qkey: 0x2222 }, { qkey }]
      : w.chance.happens(0.5)
        ? [{ minRnrTimer: 9 }, { minRnrTimer: 1 }]
        : [{ qpAccessFlags: remoteRights.slice(0, 1) }, { qpAccessFlags: [...remoteRights] }];
  for (const one of [attr, before]) {
    await modifyQp(w, qp, one);
    await w.perform(questionAbout(w.chance, qp.name));
  }
  await sendOne(w, qp.peer);
}

/** QPs that were reset are connected to others than before. */
async function connectElsewhere(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const cqs = [cq, cq, cq, cq] as const;
  const others = await makePair(w, {
    type: 'IBV_QPT_RC',
    cqs,
    srq: undefined,
    sharesSrq: false,
    entries: 4,
    rnrRetry: 1,
    path: client.path,
  });
  await sendOne(w, client);
  await drain(w, cq);
  for (const qp of [client, server]) await reset(w, qp);
  for (const [one, other] of [
    [client, others[0]],
    [server, others[1]],
  ] as const) {
    one.peer = other;
    other.peer = one;
  }
  for (const qp of [client, server, ...others]) await bringUp(w, qp);
  await sendOne(w, client);
  await sendOne(w, others[1]);
}

/** Bytes of a message whose length takes more than 16 bits. */
const longBytes = 65_552;

async function sendLong(w: Walk, [client, server]: Pair): Promise<void> {
  const make = async () => makeRegion(w, [...allAccess], w.pd, longBytes);
  const [from, to] = [await make(), await make()];
  const sgList = listOf(to, 0, longBytes, 1);
  await w.call('ibv_post_recv', { qp: of(server.name), wrs: [{ wrId: w.wrId(), sgList }] });
  await sendList(w, client, listOf(from, 0, longBytes, 1), ['IBV_SEND_SIGNALED']);
}

/** A message of several packets is gathered from, or scattered to, places that do not end where its packets do. */
async function packetsInPieces(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const opcode = w.chance.one<Opcode>('IBV_WR_RDMA_READ', 'IBV_WR_RDMA_READ', 'IBV_WR_RDMA_WRITE');
  const length = w.chance.one(2100, 1300, 600);
  const message = messageOf(w, client, opcode, { length, entries: 2, flags: ['IBV_SEND_SIGNALED'] });
  const isRead = opcode === 'IBV_WR_RDMA_READ';
  await write(w, isRead ? server.region : client.region, isRead ? message.remote : message.local, length);
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
  await drain(w, cq);
  await look(w, isRead ? client.region : server.region, isRead ? message.local : message.remote, length);
}

/** A fenced request takes its bytes out of memory when what it waits for has put its own there. */
async function fencedBehindARead(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const [from, here, to] = [4096, 4160, 4224];
  await write(w, server.region, from, 16);
  const wr = (opcode: Opcode, remote: number, flags: readonly string[]): ProgramStruct => {
    const message = messageOf(w, client, opcode, {
      length: 16,
      entries: 1,
      flags: ['IBV_SEND_SIGNALED', ...flags],
      remote,
    });
    return { ...wrOf(w, client, message), sgList: [entry(client.region, here, 16)] };
  };
  const wrs = [wr('IBV_WR_RDMA_READ', from, []), wr('IBV_WR_RDMA_WRITE', to, ['IBV_SEND_FENCE'])];
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
  await w.settle();
  await drain(w, cq);
  await look(w, server.region, to, 16);
}

/** Receives that are posted to an SRQ by one call are there for all senders that wait. */
async function wakeSeveral(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const { srq } = server;
  if (srq === undefined) return;
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq, sharesSrq: false, rnrRetry: 7 } as const;
  const others = await makePair(w, init);
  for (const qp of others) await bringUp(w, qp);
  for (const qp of [client, others[0]]) await sendList(w, qp, [], ['IBV_SEND_SIGNALED']);
  const wrs = [w.wrId(), w.wrId()].map((wrId) => ({ wrId, sgList: [] }));
  await w.call('ibv_post_srq_recv', { srq: of(srq.name), wrs });
}

/** Queues take as many requests as were asked for, also after others were flushed. */
async function fillQueues(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const receives = (): ProgramStruct[] => Array.from({ length: 64 }, () => ({ wrId: w.wrId(), sgList: [] }));
  if (w.chance.happens(0.5)) {
    await w.call('ibv_post_recv', { qp: of(server.name), wrs: receives().slice(0, w.chance.one(8, 64)) });
    for (const qp of [server, client]) {
      await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
      if (qp === client) await sendList(w, client, [], ['IBV_SEND_SIGNALED']);
      await w.settle();
      await drain(w, cq);
      await reset(w, qp);
    }
    for (const qp of [server, client]) await bringUp(w, qp);
  }
  await w.call('ibv_post_recv', { qp: of(server.name), wrs: receives() });
  const message = () => messageOf(w, client, 'IBV_WR_SEND', { length: 0, entries: 0, flags: [] });
  const sends = Array.from({ length: 64 }, () => wrOf(w, client, message()));
  await w.call('ibv_post_send', { qp: of(client.name), wrs: sends });
}

/** An SRQ takes as many receives as were asked for, also after some were used. */
async function fillSrq(w: Walk, [client, server]: Pair): Promise<void> {
  const { srq } = server;
  if (srq === undefined) return;
  const post = (count: number) => postEmpty(w, srq, count);
  const used = w.chance.between(0, 2);
  for (const count of w.chance.one([64], [1, 63], [40, 24])) await post(count);
  const message = () => messageOf(w, client, 'IBV_WR_SEND', { length: 0, entries: 0, flags: ['IBV_SEND_SIGNALED'] });
  const wrs = Array.from({ length: used }, () => wrOf(w, client, message()));
  if (used === 0) return;
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
  await w.settle();
  await post(used);
}

const postEmpty = (w: Walk, srq: Srq, count: number) =>
  w.call('ibv_post_srq_recv', {
    srq: of(srq.name),
    wrs: Array.from({ length: count }, () => ({ wrId: w.wrId(), sgList: [] })),
  });

/** An SRQ keeps its receives and its limit when its size changes, and takes as many as that says. */
async function resizeSrq(w: Walk, [client, server]: Pair): Promise<void> {
  const { chance } = w;
  const { srq } = server;
  if (srq === undefined) return;
  const posted = chance.between(1, 4);
  await postReceives(w, server, Array<number>(posted).fill(24));
  const send = () => sendList(w, client, [entry(client.region, 4096, 16)], ['IBV_SEND_SIGNALED']);
  if (chance.happens(0.4)) await send();
  if (chance.happens(0.4)) await limit(w, srq, 1, ['IBV_SRQ_LIMIT']);
  for (const maxWr of chance.one([100], [200, 20], [32], [2])) {
    const limits = chance.happens(0.3) && posted > 1;
    const srqAttrMask = ['IBV_SRQ_MAX_WR', ...(limits ? ['IBV_SRQ_LIMIT'] : [])];
    await w.call('ibv_modify_srq', { srq: of(srq.name), srqAttr: { maxWr, srqLimit: 1 }, srqAttrMask });
    await w.call('ibv_query_srq', { srq: of(srq.name) });
  }
  if (chance.happens(0.3)) await postEmpty(w, srq, chance.one(90, 14));
  for (let sent = chance.between(1, posted); sent > 0; sent--) await send();
  await w.settle();
  await drainAsync(w);
}

/** Two atomics at one place, each of which answers what it has found there. */
async function addTwice(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const target = { remoteAddr: member(server.region.mr, 'addr', 4096), rkey: member(server.region.mr, 'rkey') };
  for (const at of [4096, 4160]) {
    const wr = {
      wrId: w.wrId(),
      sgList: [entry(client.region, at, 8)],
      opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD',
      sendFlags: ['IBV_SEND_SIGNALED'],
      atomic: { ...target, compareAdd: '0x7', swap: '0x0' },
    };
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
    if (w.chance.happens(0.6)) await w.settle();
  }
  await w.settle();
  await drain(w, cq);
  await look(w, client.region, 4096, 80, 0);
}

async function postInto(w: Walk, { name, srq }: Qp, sgList: ProgramStruct[]): Promise<void> {
  const wrs = [{ wrId: w.wrId(), sgList }];
  if (srq === undefined) await w.call('ibv_post_recv', { qp: of(name), wrs });
  else await w.call('ibv_post_srq_recv', { srq: of(srq.name), wrs });
}

/** Memory that a completion tells of is looked at as soon as that is there. */
async function lookAtOnce(w: Walk, [client, server]: Pair, cq: Cq): Promise<void> {
  const isRead = w.chance.happens(0.5);
  await write(w, isRead ? server.region : client.region, 4096, 48);
  const places = server.srq === undefined ? [4352, 4416, 4480] : [4352, 4416];
  const targets = places.map((at) => entry(isRead ? client.region : server.region, at, 48 / places.length));
  if (!isRead) await postInto(w, server, targets);
  const message = messageOf(w, client, isRead ? 'IBV_WR_RDMA_READ' : 'IBV_WR_SEND', {
    length: 48,
    entries: 1,
    local: 4096,
    remote: 4096,
    flags: isRead ? ['IBV_SEND_SIGNALED'] : [],
  });
  const wr = { ...wrOf(w, client, message), ...(isRead && { sgList: targets }) };
  await arm(w, cq, 0);
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  if (cq.channel !== undefined) await w.call('poll', { source: of(cq.channel.name), timeoutMs: -1 });
  await poll(w, cq, 2);
  await look(w, isRead ? client.region : server.region, 4352, 144, 0);
}

/** A send that waits for a receive keeps its queue from being drained. */
async function drainBehindAWait(w: Walk, [client, server]: Pair): Promise<void> {
  await sendList(w, client, [entry(client.region, 4096, 16)], ['IBV_SEND_SIGNALED']);
  await modifyQp(w, client, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
  client.state = 'SQD';
  await w.settle();
  await w.call('poll', { source: of(w.context), timeoutMs: 0 });
  await postReceives(w, server, [24]);
  await w.settle();
  await drainAsync(w);
  await modifyQp(w, client, { qpState: 'IBV_QPS_RTS' });
  client.state = 'RTS';
}

const canPair = (w: Walk): boolean => hasRoom(w) && w.size < 80;

const ofReliable = (weight: number, act: (w: Walk, pair: Pair, cq: Cq) => Promise<void>) =>
  move(weight, (w) => withPair(w, 'IBV_QPT_RC', (pair, cq) => act(w, pair, cq)), canPair);

export const particulars: Moves = {
  'pieces-of-one-length': ofReliable(0.6, piecesOfOneLength),
  'inline-of-any-key': move(
    0.6,
    (w) => withOne(w, typesOf(w), (type) => withPair(w, type, (pair, cq) => inlineOfAnyKey(w, pair, cq))),
    (w) => w.has('inline') && canPair(w),
  ),
  'receive-in-foreign-memory': ofReliable(0.8, receiveInForeignMemory),
  'read-unusually': ofReliable(0.5, readUnusually),
  'register-twice': ofReliable(0.6, registerTwice),
  'datagrams-to-each': move(
    0.6,
    (w) => withPair(w, 'IBV_QPT_UD', (pair) => datagramsToEach(w, pair)),
    (w) => w.has('ud') && canPair(w),
  ),
  'datagrams-by-srq': move(0.6, datagramsBySrq, (w) => w.has('ud') && w.has('srq') && w.srqs.length < 3 && canPair(w)),
  'modify-what-is-masked': ofReliable(0.8, modifyWhatIsMasked),
  'change-meanwhile': move(
    0.8,
    (w) =>
      withOne(
        w,
        typesOf(w).filter((type) => type !== 'IBV_QPT_UC'),
        (type) => withPair(w, type, (pair) => changeMeanwhile(w, pair)),
      ),
    canPair,
  ),
  'connect-elsewhere': ofReliable(0.5, connectElsewhere),
  'send-long': ofReliable(0.4, sendLong),
  'wake-several': move(
    0.5,
    (w) => withPair(w, 'IBV_QPT_RC', (pair, cq) => wakeSeveral(w, pair, cq), { rnrRetry: 7, hasSrq: true }),
    (w) => w.has('srq') && w.srqs.length < 3 && canPair(w),
  ),
  'packets-in-pieces': ofReliable(0.6, packetsInPieces),
  'fenced-behind-a-read': move(
    0.5,
    (w) => withPair(w, 'IBV_QPT_RC', (pair, cq) => fencedBehindARead(w, pair, cq)),
    (w) => !w.avoided.has(fencedSendStays) && canPair(w),
  ),
  'fill-queues': ofReliable(0.5, fillQueues),
  'fill-srq': move(
    0.4,
    (w) => withPair(w, 'IBV_QPT_RC', (pair) => fillSrq(w, pair), { hasSrq: true }),
    (w) => w.has('srq') && w.srqs.length < 3 && canPair(w),
  ),
  'resize-srq': move(
    0.8,
    (w) => withPair(w, 'IBV_QPT_RC', (pair) => resizeSrq(w, pair), { hasSrq: true }),
    (w) => w.has('srq') && w.srqs.length < 3 && canPair(w),
  ),
  'add-twice': move(
    0.4,
    (w) => withPair(w, 'IBV_QPT_RC', (pair, cq) => addTwice(w, pair, cq)),
    (w) => w.has('atomics') && canPair(w),
  ),
  'look-at-once': ofReliable(0.8, lookAtOnce),
  'look-at-once-srq': move(
    0.6,
    (w) => withPair(w, 'IBV_QPT_RC', (pair, cq) => lookAtOnce(w, pair, cq), { hasSrq: true }),
    (w) => w.has('srq') && w.srqs.length < 3 && canPair(w),
  ),
  'drain-behind-a-wait': move(
    0.5,
    (w) => withPair(w, 'IBV_QPT_RC', (pair) => drainBehindAWait(w, pair), { rnrRetry: 7 }),
    (w) => w.has('sq-drain') && canPair(w),
  ),
};
