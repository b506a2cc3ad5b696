import { drain, drainAsync } from '../../completions';
import { bind, pickOpcode, reach, takeBack } from '../../moves/reaching';
import { recoverPair } from '../../moves/sharing';
import { bringUp, makeCq, makePair, makeRegion, remoteRights, reset } from '../../objects';
import { isAtomic, listOf, messageOf, postReceives, wrOf } from '../../work';
import { member, of, type Qp, type Walk } from '../../walk';

/** A pair that reaches for memory of each other, and may fail at it. */
export async function reachingPair(w: Walk): Promise<readonly [Qp, Qp] | undefined> {
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return undefined;
  const type = w.has('uc') && w.chance.happens(0.15) ? 'IBV_QPT_UC' : 'IBV_QPT_RC';
  const pair = await makePair(w, { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  for (const qp of pair) await bringUp(w, qp);
  return pair;
}

/** Mostly one right alone. */
function fewRights(w: Walk): readonly string[] {
  const all = remoteRights.filter((one) => w.has('atomics') || !one.includes('ATOMIC'));
  const one = w.chance.pick(all) ?? 'IBV_ACCESS_REMOTE_READ';
  return w.chance.happens(0.7) ? [one] : all.filter((other) => other !== one);
}

/** A part of a memory that a key opens. */
interface Opened {
  readonly memory: string;
  readonly at: number;
  readonly length: number;
  readonly rkey: ReturnType<typeof member>;
  /** Whether it may be read alone, on either side; false unless given. */
  readonly isReadOnly?: boolean;
}

/** Reaches to the ends of what a key opens, or a few bytes beyond. */
async function reachInto(w: Walk, qp: Qp, { memory, at, length, rkey, isReadOnly = false }: Opened): Promise<void> {
  const opcode =
    isReadOnly && w.chance.happens(0.6) && qp.type === 'IBV_QPT_RC' ? 'IBV_WR_RDMA_READ' : pickOpcode(w, qp);
  const bytes = isAtomic(opcode) ? 8 : 16;
  const last = isAtomic(opcode) ? (length - bytes) & ~7 : length - bytes;
  const beyond = isAtomic(opcode) ? [8, -8 - last] : [1, 9, -1 - last];
  const offset = w.chance.happens(0.6) ? w.chance.one(0, last) : last + (w.chance.pick(beyond) ?? 1);
  await reach(w, qp, opcode, { memory, at: at + offset, rkey }, qp.region);
}

/** Brings a pair that may have failed back to IBV_QPS_RTS. */
export async function comeBack(w: Walk, client: Qp): Promise<void> {
  await recoverPair(w, client);
  await drain(w, client.sendCq);
  for (const qp of [client, client.peer]) {
    await reset(w, qp);
    await bringUp(w, qp);
  }
}

/** Regions of odd places and lengths with few rights, and the same memory with others. */
export async function throughTheRegion(w: Walk): Promise<void> {
  const { chance } = w;
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client] = pair;
  const memory = w.name('mem');
  await w.call('memory allocate', { length: 4096 }, memory);
  const opened: Opened[] = [];
  for (let regions = chance.between(1, 2); regions > 0; regions--) {
    const [mr, at, length] = [w.name('mr'), 8 * chance.between(60, 68), chance.one(77, 100, 200, 256)];
    const few = fewRights(w);
    // what others only read need not be written here either
    const isReadOnly = few.length === 1 && few.includes('IBV_ACCESS_REMOTE_READ') && chance.happens(0.5);
    const access = isReadOnly ? few : ['IBV_ACCESS_LOCAL_WRITE', ...few];
    await w.call('ibv_reg_mr', { pd: of(w.pd), addr: member(memory, 'addr', at), length, access }, mr);
    opened.push({ memory, at, length, rkey: member(mr, 'rkey'), isReadOnly });
  }
  for (let rounds = 2; rounds > 0 && !w.isOver; rounds--) {
    const part = chance.pick(opened);
    if (part !== undefined) await reachInto(w, client, part);
    if (rounds > 1) await comeBack(w, client);
  }
  if (chance.happens(0.4)) await sendReadOnly(w, client);
  await drainAsync(w);
  await recoverPair(w, client);
}

/** What may not be written may be sent. */
async function sendReadOnly(w: Walk, client: Qp): Promise<void> {
  await comeBack(w, client);
  const region = await makeRegion(w, []);
  const length = w.chance.one(16, 300, 1500);
  await w.call('memory write', { addr: member(region.memory, 'addr', 16), bytes: w.payload(length) });
  await postReceives(w, client.peer, [length + 8]);
  const message = messageOf(w, client, 'IBV_WR_SEND', { length, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  const wr = { ...wrOf(w, client, message), sgList: listOf(region, 16, length, 1) };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  await drain(w, client.sendCq);
}

/** Windows of odd places, and over all of a region, with few rights; and what is left of them. */
export async function behindTheWindow(w: Walk): Promise<void> {
  const { chance } = w;
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client, server] = pair;
  const { region } = server;
  const mw = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
  const isWhole = chance.happens(0.25);
  const [at, length] = isWhole ? [0, region.bytes] : [8 * chance.between(60, 68), chance.one(77, 64, 100)];
  const rkey = member(mw, 'rkey', chance.one(1, 0xff, 0x5a));
  await bind(w, server, mw, rkey, { at, length, access: fewRights(w) });
  const part: Opened = { memory: region.memory, at, length, rkey };
  const way = chance.below(4);
  if (way === 0) await takeBack(w, client, rkey);
  if (way === 1) await w.call('ibv_dereg_mr', { mr: of(region.mr) });
  if (isWhole) await reach(w, client, pickOpcode(w, client), { memory: region.memory, at: 4096, rkey }, client.region);
  else await reachInto(w, client, part);
  if (way === 2) {
    await comeBack(w, client);
    await w.call('ibv_dealloc_mw', { mw: of(mw) });
    await reachInto(w, client, { ...part, at: 512, length: 64 });
  }
  await drainAsync(w);
  await recoverPair(w, client);
}
