import type { ProgramStruct } from '../../../../programs/program';
import { poll } from '../../completions';
import { destroyQp, destroySrq } from '../../moves/destroying';
import { typesOf } from '../../moves/lifetimes';
import { recoverPair } from '../../moves/sharing';
import { bringUp, makeCq } from '../../objects';
import { grhBytes, messageOf, needsReceive, opcodesOf, wrOf, type Opcode } from '../../work';
import { member, of, type Qp, type Region, type Walk } from '../../walk';
import { shuffled } from '../rig';
import { makeSizedPair, makeSizedSrq, sizedRegionBytes, someSizes, type Sizes } from './sized';

/** Bytes of a message at most, and those of the place in a region that each request has. */
const lengthMost = 64;
const placeBytes = lengthMost + 48;

/** Where in a region the places begin of what is sent or received, and of what is written or read by the peer. */
const [own, reached] = [16, sizedRegionBytes / 2];

/** More than any two queues here hold. */
const cqe = 200;

/** A QP that sends to its peer, and how much both were asked to hold. */
interface Sized {
  readonly client: Qp;
  readonly sends: Sizes;
  readonly receives: Sizes;
  /** Receives of the peer that were posted, and taken, until now. */
  posted: number;
  taken: number;
}

/** Queues that are asked to hold so and so much hold it: each is filled, with lists and inline data as long as asked. */
export async function makeOfAnySize(w: Walk): Promise<void> {
  const { chance } = w;
  const type = chance.pick(typesOf(w));
  const [sendCq, recvCq] = [await makeCq(w, { cqe, isEx: false }), await makeCq(w, { cqe, isEx: false })];
  if (type === undefined || ![sendCq, recvCq].every((cq) => w.cqs.includes(cq))) return;
  const [sends, receives] = [someSizes(w), someSizes(w)];
  const usesSrq = type !== 'IBV_QPT_UC' && w.has('srq') && chance.happens(0.35);
  const srq = usesSrq ? await makeSizedSrq(w, receives) : undefined;
  const pair = await makeSizedPair(w, { type, sendCq, recvCq, srq }, [sends, receives]);
  for (const qp of pair) await bringUp(w, qp);
  const sized = { client: pair[0], sends, receives, posted: 0, taken: 0 };
  for (let rounds = chance.between(2, 4); rounds > 0 && !w.isOver && w.size < 140; rounds--) await fill(w, sized);
  await recoverPair(w, sized.client);
  await pollAll(w, sized.client);
  for (const qp of shuffled(w, pair)) await destroyQp(w, qp);
  if (srq !== undefined) await destroySrq(w, srq);
}

/** The messages of a round: of one opcode, and all as long. */
interface Round {
  readonly opcode: Opcode;
  readonly length: number;
  readonly isInline: boolean;
  readonly count: number;
}

/** Fills the receive queue if the messages take receives, and the send queue over and over; nothing is polled before. */
async function fill(w: Walk, sized: Sized): Promise<void> {
  const { client, sends } = sized;
  const opcodes = opcodesOf(w, client).filter((one) => !one.includes('ATOMIC'));
  const opcode = w.chance.pick(opcodes) ?? 'IBV_WR_SEND';
  const takes = needsReceive(opcode);
  if (takes || w.chance.happens(0.3)) await fillReceives(w, sized);
  const { maxInlineData, maxSendSge } = sends;
  const isInline = opcode !== 'IBV_WR_RDMA_READ' && maxInlineData > 0 && w.chance.happens(0.6);
  const length = isInline ? maxInlineData : w.chance.one(8, 8 * maxSendSge, 33);
  for (let times = w.chance.between(1, 4); times > 0 && !w.isOver; times--) {
    const count = takes ? Math.min(sends.maxSendWr, sized.posted - sized.taken) : sends.maxSendWr;
    if (count > 0) await sendAll(w, sized, { opcode, isInline, length, count });
    if (takes) sized.taken += count;
  }
}

async function sendAll(w: Walk, sized: Sized, round: Round): Promise<void> {
  const { client } = sized;
  const { opcode, isInline, count } = round;
  const isRead = opcode === 'IBV_WR_RDMA_READ';
  await writeAll(w, isRead ? client.peer.region : client.region, isRead ? reached : own, count);
  for (const list of listsOf(w, sendsOf(w, sized, round)))
    await w.call('ibv_post_send', { qp: of(client.name), wrs: list });
  if (isInline) await writeAll(w, client.region, own, count);
  await w.settle();
  await pollAll(w, client);
  await lookAtAll(w, sized, round);
}

/** Entries that follow on one another and name so many bytes; as many as asked if there are bytes for each. */
function entriesAt(region: Region, at: number, length: number, most: number): ProgramStruct[] {
  const count = Math.min(most, length);
  const each = Math.floor(length / count);
  return Array.from({ length: count }, (_, index) => ({
    addr: member(region.mr, 'addr', at + index * each),
    length: index < count - 1 ? each : length - each * (count - 1),
    lkey: member(region.mr, 'lkey'),
  }));
}

/** As one list, in two, or one by one if there are few. */
function listsOf({ chance }: Walk, wrs: readonly ProgramStruct[]): (readonly ProgramStruct[])[] {
  if (wrs.length <= 5 && chance.happens(0.5)) return wrs.map((wr) => [wr]);
  const first = chance.happens(0.5) ? wrs.length : chance.between(1, wrs.length);
  return [wrs.slice(0, first), wrs.slice(first)].filter(({ length }) => length > 0);
}

/** The place of a receive: those of a queue take turns. */
const placeOf = ({ receives }: Sized, receive: number): number => own + (receive % receives.maxRecvWr) * placeBytes;

async function fillReceives(w: Walk, sized: Sized): Promise<void> {
  const { client, receives, posted, taken } = sized;
  const { name, region, srq } = client.peer;
  const length = grhBytes(client) + lengthMost;
  const count = receives.maxRecvWr - (posted - taken);
  const wrs = Array.from({ length: count }, (_, index) => ({
    wrId: w.wrId(),
    sgList: entriesAt(region, placeOf(sized, posted + index), length, receives.maxRecvSge),
  }));
  for (const list of listsOf(w, wrs)) {
    if (srq === undefined) await w.call('ibv_post_recv', { qp: of(name), wrs: list });
    else await w.call('ibv_post_srq_recv', { srq: of(srq.name), wrs: list });
  }
  sized.posted += count;
}

function sendsOf(w: Walk, { client, sends }: Sized, { opcode, length, isInline, count }: Round): ProgramStruct[] {
  const isEachSignaled = w.chance.happens(0.7);
  // How many entries a read has at most, a device says by another member.
  const most = opcode === 'IBV_WR_RDMA_READ' ? 1 : sends.maxSendSge;
  return Array.from({ length: count }, (_, index) => {
    const isSignaled = isEachSignaled || index === count - 1;
    const flags = [...(isSignaled ? ['IBV_SEND_SIGNALED'] : []), ...(isInline ? ['IBV_SEND_INLINE'] : [])];
    const [local, remote] = [own + index * placeBytes, reached + index * placeBytes];
    const message = messageOf(w, client, opcode, { length, flags, entries: 1, local, remote });
    return { ...wrOf(w, client, message), sgList: entriesAt(client.region, local, length, most) };
  });
}

async function writeAll(w: Walk, { memory }: Region, at: number, count: number): Promise<void> {
  await w.call('memory write', { addr: member(memory, 'addr', at), bytes: w.payload(count * placeBytes) });
}

async function pollAll(w: Walk, { sendCq, recvCq }: Qp): Promise<void> {
  for (const cq of [sendCq, recvCq]) await poll(w, cq, w.backlog(cq) + 1);
}

/** All that has come; of datagrams only some, as nobody knows what their headers hold. */
async function lookAtAll(w: Walk, sized: Sized, { opcode, length, count }: Round): Promise<void> {
  const { client, receives, taken } = sized;
  const header = grhBytes(client);
  const read = ({ memory }: Region, at: number, bytes: number): Promise<unknown> =>
    w.call('memory read', { addr: member(memory, 'addr', at), length: bytes });
  if (opcode === 'IBV_WR_RDMA_READ') await read(client.region, own, count * placeBytes);
  else if (opcode.includes('WRITE')) await read(client.peer.region, reached, count * placeBytes);
  else if (header === 0) await read(client.peer.region, own, receives.maxRecvWr * placeBytes);
  else
    for (const receive of new Set([taken, taken + count - 1]))
      await read(client.peer.region, placeOf(sized, receive) + header, length);
}
