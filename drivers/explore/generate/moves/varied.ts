import type { ProgramStruct } from '../../../programs/program';
import { arm, drain, drainAsync, drainChannel } from '../completions';
import { bringUp, makeCq, makePair } from '../objects';
import { grhBytes, isAtomic, isSend, needsReceive, opcodesOf, wrOf, type Message, type Opcode } from '../work';
import { member, of, type Qp, type QpType, type Region, type Walk } from '../walk';
import { typesOf } from './lifetimes';
import { move, type Moves } from './move';

/** Entries that a scatter/gather list has at most. */
export const entriesMost = 4;

/** The first PSNs: one message or two later they begin at 0 again, if they do not begin there. */
const firstPsns = [0, 0xff_ffff, 0xff_fffe, 0x12_3456] as const;

/** A stretch of memory that an entry of a scatter/gather list names. */
export interface Piece {
  readonly at: number;
  readonly length: number;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

/** Stretches of a region that do not touch each other. */
export function piecesOf(w: Walk, region: Region, sizes: readonly number[]): Piece[] {
  return sizes.map((length) => ({ at: w.stretch(region, length + 8), length }));
}

export function entriesOf(region: Region, pieces: readonly Piece[]): ProgramStruct[] {
  return pieces.map(({ at, length }) => ({
    addr: member(region.mr, 'addr', at),
    length,
    lkey: member(region.mr, 'lkey'),
  }));
}

/** Cuts a length in so many parts, of which some are empty. */
export function partsOf({ chance }: Walk, length: number, count: number): number[] {
  const cuts = Array.from({ length: count - 1 }, () => chance.one(0, length, chance.below(length + 1)));
  const ends = [...cuts.sort((one, other) => one - other), length];
  return ends.map((end, index) => end - (ends[index - 1] ?? 0));
}

function sizesOf({ chance }: Walk, type: QpType): number[] {
  const isLarge = type !== 'IBV_QPT_UD' && chance.happens(0.15);
  const sizes = Array.from({ length: chance.between(0, entriesMost) }, () => chance.one(8, 0, 1, 16, 24, 40, 17));
  if (!isLarge) return sizes;
  const large = chance.one(1100, 1024, 300) * chance.between(1, 3);
  return chance.happens(0.5) ? [...sizes.slice(1), large] : [large, ...sizes.slice(1)];
}

/** What the memory for an atomic holds, what it is compared with or is added to it, and what it is swapped for. */
export const operands = [
  ['0500000000000000', '0x5', '0x1122334455667788'],
  ['ffffffff00000000', '0x1', '0xffffffffffffffff'],
  ['0500000001000000', '0x5', '0x2'],
  ['ffffffffffffffff', '0xffffffffffffffff', '0x0'],
  ['0807060504030201', '0x102030405060708', '0x99aabbccddeeff01'],
  ['0000000000000080', '0x8000000000000000', '0x0'],
] as const;

interface Sent {
  readonly opcode: Opcode;
  readonly wr: ProgramStruct;
  /** In the region of the sender. */
  readonly local: readonly Piece[];
  /** In the region of the peer, where RDMA goes to or comes from. */
  readonly remote: Piece;
  readonly isInline: boolean;
}

function flagsOf({ chance, capabilities }: Walk, opcode: Opcode, length: number): string[] {
  const flags = chance.happens(0.85) ? ['IBV_SEND_SIGNALED'] : [];
  if (chance.happens(0.35)) flags.push('IBV_SEND_SOLICITED');
  const isOwn = opcode !== 'IBV_WR_RDMA_READ' && !isAtomic(opcode) && length <= 64;
  if (isOwn && capabilities.has('inline') && chance.happens(0.4)) flags.push('IBV_SEND_INLINE');
  return flags;
}

/** A message, with the memory that it is about written. */
async function prepare(w: Walk, qp: Qp): Promise<Sent> {
  const { chance } = w;
  const opcode = chance.pick(opcodesOf(w, qp)) ?? 'IBV_WR_SEND';
  const sizes = isAtomic(opcode) ? chance.one([8], [8], [4, 4], [3, 5]) : sizesOf(w, qp.type);
  const length = sum(sizes);
  const local = piecesOf(w, qp.region, sizes);
  const remote = { at: (w.stretch(qp.peer.region, length + 8) + 7) & ~7, length };
  const flags = flagsOf(w, opcode, length);
  const message: Message = {
    opcode,
    length,
    flags,
    wrId: w.wrId(),
    local: 0,
    remote: remote.at,
    entries: 0,
    ...(opcode.endsWith('WITH_IMM') && { immediate: chance.one(0, 1, 0x0a0b_0c0d, 0xffff_ffff) }),
  };
  const [there, compareAdd, swap] = chance.one<readonly [string, string, string]>(...operands);
  const wr = wrOf(w, qp, message);
  const comesFromPeer = opcode === 'IBV_WR_RDMA_READ' || isAtomic(opcode);
  const written = comesFromPeer ? [remote] : local;
  for (const piece of written) {
    const region = comesFromPeer ? qp.peer.region : qp.region;
    const bytes = isAtomic(opcode) ? there : w.payload(piece.length);
    if (piece.length > 0) await w.call('memory write', { addr: member(region.memory, 'addr', piece.at), bytes });
  }
  return {
    opcode,
    wr: {
      ...wr,
      sgList: entriesOf(qp.region, local),
      ...(isAtomic(opcode) && { atomic: { ...(wr.atomic as ProgramStruct), compareAdd, swap } }),
    },
    local,
    remote,
    isInline: flags.includes('IBV_SEND_INLINE'),
  };
}

/** Receives for messages, each in several pieces; for datagrams the first has often the room of the GRH alone. */
async function receive(w: Walk, qp: Qp, messages: readonly Sent[]): Promise<Piece[][]> {
  const { chance } = w;
  const receives = messages.map(({ opcode, local }) => {
    const needed = isSend(opcode) ? sum(local.map(({ length }) => length)) : 0;
    const room = needed + chance.one(0, 0, 9);
    const grh = grhBytes(qp);
    const isApart = grh > 0 && chance.happens(0.5);
    const parts = partsOf(w, isApart ? room : room + grh, chance.between(1, entriesMost - 1));
    return piecesOf(w, qp.region, isApart ? [grh, ...parts] : parts);
  });
  const wrs = receives.map((pieces) => ({ wrId: w.wrId(), sgList: entriesOf(qp.region, pieces) }));
  if (wrs.length > 0) await w.call('ibv_post_recv', { qp: of(qp.name), wrs });
  return receives;
}

async function read(w: Walk, region: Region, { at, length }: Piece): Promise<void> {
  if (length > 0) await w.call('memory read', { addr: member(region.memory, 'addr', at), length: length + 1 });
}

/** Reads what a receive has been given; before a datagram there may be what nobody knows. */
async function readReceived(w: Walk, qp: Qp, pieces: readonly Piece[]): Promise<void> {
  let unknown = grhBytes(qp);
  for (const { at, length } of pieces) {
    const skipped = Math.min(unknown, length);
    unknown -= skipped;
    await read(w, qp.region, { at: at + skipped, length: length - skipped });
  }
}

/** Sends messages that are of all kinds, and looks at all memory that they are about. */
async function exchange(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const { peer } = qp;
  const messages: Sent[] = [];
  for (let count = chance.one(1, 2, 3); count > 0; count--) messages.push(await prepare(w, qp));
  const taking = messages.filter(({ opcode }) => needsReceive(opcode));
  const receives = await receive(w, peer, taking);
  const wrs = messages.map(({ wr }) => wr);
  const lists = chance.happens(0.6) ? [wrs] : wrs.map((wr) => [wr]);
  for (const list of lists) await w.call('ibv_post_send', { qp: of(qp.name), wrs: list });
  for (const { at, length } of messages.flatMap(({ isInline, local }) => (isInline ? local : []))) {
    const addr = member(qp.region.memory, 'addr', at);
    if (length > 0) await w.call('memory write', { addr, bytes: 'ee'.repeat(length) });
  }
  await w.settle();
  for (const cq of new Set([qp.sendCq, peer.recvCq])) {
    if (cq.channel !== undefined && chance.happens(0.5)) await drainChannel(w, cq.channel);
    await drain(w, cq);
  }
  for (const pieces of receives) await readReceived(w, peer, pieces);
  for (const { opcode, local, remote } of messages) {
    if (isSend(opcode)) continue;
    await read(w, peer.region, remote);
    const isAnswer = opcode === 'IBV_WR_RDMA_READ' || isAtomic(opcode);
    if (isAnswer) for (const piece of local) await read(w, qp.region, piece);
  }
}

async function makeOwnPair(w: Walk, type: QpType): Promise<readonly [Qp, Qp] | undefined> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32 });
  const other = chance.happens(0.4) ? cq : await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq) || !w.cqs.includes(other)) return undefined;
  const pair = await makePair(w, {
    type,
    cqs: [other, other, cq, cq],
    srq: undefined,
    sharesSrq: false,
    entries: entriesMost,
    firstPsn: chance.one(...firstPsns),
  });
  for (const qp of pair) await bringUp(w, qp);
  return pair;
}

async function sendVaried(w: Walk, type: QpType): Promise<void> {
  const [client, server] = (await makeOwnPair(w, type)) ?? [];
  if (client === undefined || server === undefined) return;
  for (let rounds = w.chance.between(1, 3); rounds > 0 && !w.isOver; rounds--) {
    if (w.chance.happens(0.4)) await arm(w, server.recvCq, w.chance.one(0, 1, -1));
    await exchange(w, w.chance.happens(0.8) ? client : server);
  }
  await drainAsync(w);
}

/** Datagrams of several senders to one receiver. */
async function sendFromSeveral(w: Walk): Promise<void> {
  const [client, server] = (await makeOwnPair(w, 'IBV_QPT_UD')) ?? [];
  const [other] = (await makeOwnPair(w, 'IBV_QPT_UD')) ?? [];
  if (client === undefined || server === undefined || other === undefined) return;
  const { peer } = other;
  other.peer = server;
  for (const sender of [client, other, client]) if (!w.isOver) await exchange(w, sender);
  other.peer = peer;
}

const hasRoom = (w: Walk): boolean => w.qps.length < 6 && w.cqs.length < 6;

export const varied: Moves = {
  'send-varied': move(
    3,
    async (w) => {
      const type =
        w.chance.happens(0.6) && typesOf(w).includes('IBV_QPT_RC') ? 'IBV_QPT_RC' : w.chance.pick(typesOf(w));
      if (type !== undefined) await sendVaried(w, type);
    },
    (w) => hasRoom(w) && typesOf(w).length > 0,
  ),
  'send-from-several': move(0.5, sendFromSeveral, (w) => hasRoom(w) && w.has('ud')),
};
