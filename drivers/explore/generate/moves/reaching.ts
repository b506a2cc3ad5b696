import type { ProgramValue } from '../../../programs/program';
import { secondBinding } from '../avoided';
import { drain, drainAsync } from '../completions';
import { bringUp, makeCq, makePair, makeRegion, modifyQp, remoteRights } from '../objects';
import { isAtomic, listOf, messageOf, opcodesOf, postReceives, wrOf } from '../work';
import { member, of, type Cq, type Qp, type Region, type Walk } from '../walk';
import { hasRoom, move, type Moves } from './move';
import { recoverPair } from './sharing';
import { entriesMost, entriesOf, partsOf, piecesOf } from './varied';

/** Where in a buffer the part is that others may reach, and its bytes. */
const part = { at: 1024, length: 256 } as const;

/** Where in a region a window lies, and its bytes as a rule. */
const frame = { at: 512, length: 64 } as const;

const accesses = ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_REMOTE_ATOMIC'] as const;
const opcodes = [
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_READ',
  'IBV_WR_ATOMIC_CMP_AND_SWP',
  'IBV_WR_ATOMIC_FETCH_AND_ADD',
] as const;

/** Memory of a peer that work reaches for, by a key that opens it or does not. */
interface Target {
  readonly memory: string;
  /** From the start of the memory. */
  readonly at: number;
  readonly rkey: ProgramValue;
  /** Whether all that comes back can be written here; true unless given. */
  readonly isReadBack?: boolean;
}

export const pickOpcode = (w: Walk, qp: Qp): (typeof opcodes)[number] => {
  const own = opcodesOf(w, qp);
  return w.chance.pick(opcodes.filter((opcode) => own.includes(opcode))) ?? 'IBV_WR_RDMA_WRITE';
};

/** A pair whose QPs have one CQ, and which may fail; at times its QPs do not let each other do all. */
async function makeFailing(w: Walk, cq: Cq): Promise<readonly [Qp, Qp]> {
  const rights = w.chance.happens(0.35) ? w.chance.some(remoteRights, 0.5) : remoteRights;
  const isLater = w.chance.happens(0.3);
  const pair = await makePair(w, {
    type: w.has('uc') && w.chance.happens(0.2) ? 'IBV_QPT_UC' : 'IBV_QPT_RC',
    cqs: [cq, cq, cq, cq],
    srq: w.chance.happens(0.3) ? w.chance.pick(w.srqs) : undefined,
    sharesSrq: false,
    entries: entriesMost,
    rights: isLater ? w.chance.some(remoteRights, 0.5) : rights,
  });
  for (const qp of pair) {
    await bringUp(w, qp);
    if (isLater) await modifyQp(w, qp, { qpAccessFlags: [...rights] });
  }
  return pair;
}

/** Reaches for memory, from a region of its own, and looks at both. */
export async function reach(
  w: Walk,
  qp: Qp,
  opcode: (typeof opcodes)[number],
  target: Target,
  own: Region,
): Promise<void> {
  const length = isAtomic(opcode) ? 8 : 16;
  const message = messageOf(w, qp, opcode, { length, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  const [here, there] = [member(own.memory, 'addr', message.local), member(target.memory, 'addr', target.at)];
  await w.call('memory write', { addr: here, bytes: w.payload(length) });
  await w.call('memory write', { addr: there, bytes: w.payload(length + 1).slice(2) });
  const wr = wrOf(w, qp, message, { addr: there, rkey: target.rkey });
  const sgList = listOf(own, message.local, length, 1);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [{ ...wr, sgList }] });
  await w.settle();
  await drain(w, qp.sendCq);
  // Whether the result of an atomic may be written here, a device need not know before it is there.
  if (target.isReadBack !== false || !isAtomic(opcode)) await w.call('memory read', { addr: there, length });
  await w.call('memory read', { addr: here, length });
}

/** RDMA and atomics at the ends of a region that grants some of them. */
async function reachAtEnds(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client] = await makeFailing(w, cq);
  const [memory, mr] = [w.name('mem'), w.name('mr')];
  await w.call('memory allocate', { length: 4096 }, memory);
  const granted = chance.happens(0.5) ? [...accesses] : chance.some(accesses, 0.5);
  const access = ['IBV_ACCESS_LOCAL_WRITE', ...granted.filter((one) => w.has('atomics') || !one.includes('ATOMIC'))];
  const addr = member(memory, 'addr', part.at);
  await w.call('ibv_reg_mr', { pd: of(w.pd), addr, length: part.length, access }, mr);
  const isReadOnly = chance.happens(0.2);
  const own = isReadOnly ? await makeRegion(w, []) : client.region;
  for (let rounds = chance.between(1, 3); rounds > 0 && !w.isOver; rounds--) {
    const opcode = pickOpcode(w, client);
    const offset = isAtomic(opcode) ? chance.one(0, 248, 128, 256, -8) : chance.one(0, 240, 100, 241, -1, 256);
    const target = { memory, at: part.at + offset, rkey: member(mr, 'rkey'), isReadBack: !isReadOnly };
    await reach(w, client, opcode, target, own);
  }
  await drainAsync(w);
  if (chance.happens(0.3)) await reachEnded(w, client, memory, mr);
  await recoverPair(w, client);
}

/** The key of a region that has ended opens nothing, whatever else there is at its address. */
async function reachEnded(w: Walk, qp: Qp, memory: string, mr: string): Promise<void> {
  const again = w.name('mr');
  const addr = member(memory, 'addr', part.at);
  const access = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'];
  await w.call('ibv_reg_mr', { pd: of(w.pd), addr, length: part.length, access }, again);
  await w.call('ibv_dereg_mr', { mr: of(mr) });
  const target = { memory, at: part.at, rkey: member(mr, 'rkey') };
  await reach(w, qp, pickOpcode(w, qp), target, qp.region);
}

/** Binds a window with some rights, takes them back in one of several ways or not, and reaches through it. */
async function reachThroughWindow(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await makeFailing(w, cq);
  const other = chance.happens(0.25) ? await makeFailing(w, cq) : undefined;
  const mw = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
  const first = chance.one(1, 0x5a, 0);
  if (chance.happens(0.15)) await bindToReadOnly(w, server);
  const size = chance.one(frame.length, 48, 100);
  const part = { at: frame.at, length: size, access: rightsOf(w) };
  await bind(w, server, mw, member(mw, 'rkey', first), part);
  const isTakenBack = chance.happens(0.5);
  if (isTakenBack) await takeBack(w, client, member(mw, 'rkey', first));
  const mayBindAgain = isTakenBack && client.type === 'IBV_QPT_RC' && !w.avoided.has(secondBinding);
  const isBoundAgain = mayBindAgain && chance.happens(0.5);
  const key = isBoundAgain ? first + 1 : first;
  if (isBoundAgain) {
    await bind(w, server, mw, member(mw, 'rkey', key), part);
    if (chance.happens(0.5)) await takeBack(w, client, member(mw, 'rkey', key));
  }
  if (chance.happens(0.2)) await w.call('ibv_dereg_mr', { mr: of(server.region.mr) });
  const user = other?.[0] ?? client;
  const opcode = pickOpcode(w, user);
  const last = (size - (isAtomic(opcode) ? 8 : 16)) & ~7;
  const offset = chance.happens(0.7)
    ? chance.one(0, last)
    : chance.one(isAtomic(opcode) ? last + 8 : size - 15, size & ~7, -8);
  const used = isBoundAgain && chance.happens(0.4) ? first : chance.happens(0.85) ? key : 7;
  const rkey = member(mw, 'rkey', used);
  const target = { memory: server.region.memory, at: frame.at + offset, rkey };
  await reach(w, user, opcode, target, user.region);
  await drainAsync(w);
  for (const qp of new Set([client, user])) await recoverPair(w, qp);
}

/** A message with immediate data, for which there is a receive, is for memory that it may write, or may not. */
async function reachWithImmediate(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 32, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false } as const;
  const [client, server] = await makePair(w, { ...init, rights: chance.happens(0.2) ? [] : remoteRights });
  for (const qp of [client, server]) await bringUp(w, qp);
  const right = chance.one('IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ');
  const { memory, mr } = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE', right]);
  await postReceives(w, server, chance.one([24], [24, 24]));
  const flags = chance.one(['IBV_SEND_SIGNALED'], ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED']);
  const message = messageOf(w, client, 'IBV_WR_RDMA_WRITE_WITH_IMM', { length: 16, flags, entries: 1 });
  const addr = member(memory, 'addr', message.remote);
  const wr = wrOf(w, client, message, { addr, rkey: member(mr, 'rkey', chance.one(0, 0, 7)) });
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  await drain(w, cq);
  await w.call('memory read', { addr, length: 16 });
  await drainAsync(w);
  await recoverPair(w, client);
}

/** A window that lets others write is not bound to a region which this device may not write itself; one to be read is. */
async function bindToReadOnly(w: Walk, server: Qp): Promise<void> {
  const mw = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
  const { mr } = await makeRegion(w, ['IBV_ACCESS_MW_BIND']);
  const access = w.chance.one<readonly string[]>(['IBV_ACCESS_REMOTE_READ'], ['IBV_ACCESS_REMOTE_WRITE'], rightsOf(w));
  await bind(w, server, mw, member(mw, 'rkey', 1), { at: frame.at, length: frame.length, access }, mr);
}

/** Of two windows of one QP the key of one is taken back: the other one opens its part, and this one nothing. */
async function takeBackOneOfTwo(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await makeFailing(w, cq);
  const windows = [w.name('mw'), w.name('mw')].map((mw, index) => ({ at: frame.at + 256 * index, mw }));
  for (const { at, mw } of windows) {
    await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
    await bind(w, server, mw, member(mw, 'rkey', 1), { at, length: frame.length, access: ['IBV_ACCESS_REMOTE_WRITE'] });
  }
  const [gone, left] = chance.happens(0.5) ? windows : [...windows].reverse();
  if (gone === undefined || left === undefined) return;
  await takeBack(w, client, member(gone.mw, 'rkey', 1));
  for (const { at, mw } of [left, gone]) {
    const target = { memory: server.region.memory, at, rkey: member(mw, 'rkey', 1) };
    await reach(w, client, 'IBV_WR_RDMA_WRITE', target, client.region);
  }
  await recoverPair(w, client);
}

function rightsOf(w: Walk): readonly string[] {
  const granted = w.chance.some(accesses, 0.75).filter((one) => w.has('atomics') || !one.includes('ATOMIC'));
  return granted.length === 0 ? ['IBV_ACCESS_REMOTE_READ'] : granted;
}

/** What a window opens of a region. */
interface Opened {
  readonly at: number;
  readonly length: number;
  readonly access: readonly string[];
}

/** Opens a part of a region, by default of the own one of the QP. */
export async function bind(
  w: Walk,
  server: Qp,
  mw: string,
  rkey: ProgramValue,
  { at, length, access }: Opened,
  mr = server.region.mr,
  sendFlags: readonly string[] = ['IBV_SEND_SIGNALED'],
): Promise<void> {
  const bindMw = { mw: of(mw), rkey, mr: of(mr), addr: member(mr, 'addr', at), length, access };
  const wr = { wrId: w.wrId(), sgList: [], opcode: 'IBV_WR_BIND_MW', sendFlags, bindMw };
  await w.call('ibv_post_send', { qp: of(server.name), wrs: [wr] });
  await w.settle();
  await drain(w, server.sendCq);
}

/** By the QP of the window, or by a message of its peer whose receive is in several pieces: none of UC has a packet for that. */
export async function takeBack(w: Walk, client: Qp, rkey: ProgramValue, lengths = [8, 8, 0]): Promise<void> {
  const server = client.peer;
  const wrId = w.wrId();
  const canSend = w.has('send-with-invalidate') && client.type === 'IBV_QPT_RC';
  if (!canSend || w.chance.happens(0.4)) {
    const sendFlags = w.chance.one<string[]>(['IBV_SEND_SIGNALED'], []);
    const wr = { wrId, sgList: [], opcode: 'IBV_WR_LOCAL_INV', sendFlags, invalidateRkey: rkey };
    await w.call('ibv_post_send', { qp: of(server.name), wrs: [wr] });
  } else {
    const parts = partsOf(w, Math.max(...lengths) + 8, w.chance.between(1, 3));
    const sgList = entriesOf(server.region, piecesOf(w, server.region, parts));
    const wrs = [{ wrId, sgList }];
    if (server.srq === undefined) await w.call('ibv_post_recv', { qp: of(server.name), wrs });
    else await w.call('ibv_post_srq_recv', { srq: of(server.srq.name), wrs });
    const length = w.chance.pick(lengths) ?? 0;
    const entries = length === 0 ? 0 : 1;
    const message = messageOf(w, client, 'IBV_WR_SEND', { length, entries, flags: ['IBV_SEND_SIGNALED'] });
    const wr = { ...wrOf(w, client, message), opcode: 'IBV_WR_SEND_WITH_INV', invalidateRkey: rkey };
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  }
  await w.settle();
  await drain(w, server.recvCq);
}

export const reaching: Moves = {
  'reach-at-ends': move(2, reachAtEnds, hasRoom),
  'take-back-one-of-two': move(1, takeBackOneOfTwo, (w) => hasRoom(w) && w.has('memory-windows')),
  'reach-with-immediate': move(0.8, reachWithImmediate, hasRoom),
  'reach-through-window': move(2, reachThroughWindow, (w) => hasRoom(w) && w.has('memory-windows')),
};
