import type { ProgramStruct } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { entriesMost, partsOf } from '../../moves/varied';
import { allAccess, bringUp, makeCq, makePair, makeRegion, makeSrq } from '../../objects';
import {
  grhBytes,
  isAtomic,
  isSend,
  messageOf,
  needsReceive,
  opcodesOf,
  wrOf,
  type Message,
  type Opcode,
} from '../../work';
import { member, of, type Cq, type Qp, type Region, type Walk } from '../../walk';
import { shuffled } from '../rig';

/** One entry of a scatter/gather list. */
interface Entry {
  readonly region: Region;
  readonly at: number;
  readonly length: number;
}

/** Bytes of a message; inline there are 64 at most. */
const totals = [16, 0, 1, 33, 64, 64, 100, 130] as const;
const inlineMost = 64;

/** Where the memory begins that RDMA goes to: behind all lists. */
const behindLists = 4096;

const zeros = (count: number): number[] => Array<number>(Math.max(0, count)).fill(0);

/** How a length is divided into so many entries: somehow, into single bytes and the rest, or with nothing between two. */
const divisions: readonly ((w: Walk, total: number, count: number) => readonly number[])[] = [
  partsOf,
  (w, total, count) => {
    const singles = Math.min(total, count - 1);
    return shuffled(w, [...Array<number>(singles).fill(1), total - singles, ...zeros(count - 1 - singles)]);
  },
  (w, total, count) => {
    const first = total < 2 ? total : w.chance.one(total >> 1, total - 1, 1);
    return shuffled(w, [first, total - first, ...zeros(count - 2)]);
  },
];

/** In which order of address the entries lie. */
const orders: readonly ((w: Walk, places: readonly number[]) => readonly number[])[] = [
  (_, places) => places,
  (_, places) => [...places].reverse(),
  shuffled,
];

/** What stands between two entries: nothing, a little, or more than all of them. */
const gaps = [() => 0, () => 8, (total: number) => total + 8] as const;

/** How close they lie: beside each other, each within the one before, or all in one place. */
const closenesses = [(at: number) => at, (at: number) => at >> 1, () => 0] as const;

/** Which region each entry is in: one, the other, or both in turn. */
const mixes: readonly ((index: number) => 0 | 1)[] = [() => 0, () => 1, (index) => (index % 2 === 0 ? 0 : 1)];

/** What goes through these lists, and the regions of each side. */
interface Rig {
  readonly cq: Cq;
  readonly client: Qp;
  readonly here: readonly [Region, Region];
  readonly there: readonly [Region, Region];
}

/** Messages whose scatter/gather lists are of any shape, on either side. */
export async function gatherInAnyShape(w: Walk): Promise<void> {
  const { chance } = w;
  const types = typesOf(w);
  const type = chance.pick([...types, ...types.filter((one) => one === 'IBV_QPT_RC')]);
  const cq = await makeCq(w, { cqe: 64 });
  if (type === undefined || !w.cqs.includes(cq)) return;
  const srq = w.has('srq') && type !== 'IBV_QPT_UC' && chance.happens(0.2) ? await makeSrq(w) : undefined;
  const init = { type, srq, sharesSrq: false, signalsAll: false, rnrRetry: 1, entries: entriesMost } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  const region = (): Promise<Region> => makeRegion(w, [...allAccess]);
  const rig: Rig = {
    cq,
    client: pair[0],
    here: [pair[0].region, await region()],
    there: [pair[1].region, await region()],
  };
  for (let rounds = chance.between(3, 6); rounds > 0 && !w.isOver && w.size < 150; rounds--) await sendShaped(w, rig);
  await drainAsync(w);
}

/** Entries of these lengths, somewhere in the regions. */
function entriesOf(
  w: Walk,
  regions: readonly [Region, Region],
  lengths: readonly number[],
  isSpread: boolean,
): Entry[] {
  const { chance } = w;
  const gap = chance.pick(gaps)?.(lengths.reduce((sum, length) => sum + length, 0)) ?? 0;
  const order = chance.pick(orders)?.(w, [...lengths.keys()]) ?? [];
  const close = (isSpread ? undefined : chance.pick(closenesses)) ?? closenesses[0];
  const mix = chance.pick(mixes) ?? (() => 0);
  const places = new Map<number, number>();
  let next = 0;
  for (const index of order) {
    places.set(index, next);
    next += (lengths[index] ?? 0) + gap;
  }
  const base = 64 + 8 * chance.below(128) + chance.one(0, 0, 3);
  return lengths.map((length, index) => ({
    region: regions[mix(index)],
    at: base + close(places.get(index) ?? 0),
    length,
  }));
}

/** The same, of which no byte is named twice: in which order entries are written, no page says. */
function apartEntriesOf(w: Walk, regions: readonly [Region, Region], lengths: readonly number[]): Entry[] {
  for (let tries = 8; tries > 0; tries--) {
    const entries = entriesOf(w, regions, lengths, true);
    if (entries.every((_, index) => areApart(joinedFrom(entries, index)))) return entries;
  }
  const ends = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length + 8, 64));
  return lengths.map((length, index) => ({ region: regions[0], at: ends[index] ?? 0, length }));
}

/** What a list comes to on a device that takes fewer entries: those from one on become one with it. */
function joinedFrom(entries: readonly Entry[], index: number): Entry[] {
  const [last, ...beyond] = entries.slice(index);
  if (last === undefined) return [...entries];
  return [
    ...entries.slice(0, index),
    { ...last, length: beyond.reduce((sum, { length }) => sum + length, last.length) },
  ];
}

function areApart(entries: readonly Entry[]): boolean {
  const meet = (one: Entry, other: Entry): boolean =>
    one.region === other.region && one.at < other.at + other.length && other.at < one.at + one.length;
  return entries.every((one, index) => entries.slice(index + 1).every((other) => !meet(one, other)));
}

const listOf = (entries: readonly Entry[]): ProgramStruct[] =>
  entries.map(({ region: { mr }, at, length }) => ({ addr: member(mr, 'addr', at), length, lkey: member(mr, 'lkey') }));

/** So many lengths, of so many bytes in all. */
function divided(w: Walk, total: number): readonly number[] {
  const count = w.chance.one(2, 3, entriesMost, entriesMost);
  return w.chance.pick(divisions)?.(w, total, count) ?? [total];
}

/** What carries bytes to the peer. */
const sentBy = (w: Walk, qp: Qp): Opcode[] =>
  opcodesOf(w, qp).filter((opcode) => opcode !== 'IBV_WR_RDMA_READ' && !isAtomic(opcode));

async function sendShaped(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const { client, here, there } = rig;
  const isRead = client.type === 'IBV_QPT_RC' && chance.happens(0.35);
  const opcode = isRead ? 'IBV_WR_RDMA_READ' : (chance.pick(sentBy(w, client)) ?? 'IBV_WR_SEND');
  const length = chance.one(...totals);
  const isInline = !isRead && length <= inlineMost && w.has('inline') && chance.happens(0.35);
  const flags = ['IBV_SEND_SIGNALED', ...(isInline ? ['IBV_SEND_INLINE'] : [])];
  const remote = behindLists + 8 * chance.below(256);
  const message = messageOf(w, client, opcode, { length, flags, entries: 0, local: 0, remote });
  const lengths = divided(w, length);
  const own = isRead ? apartEntriesOf(w, here, lengths) : entriesOf(w, here, lengths, false);
  await writeSource(w, message, isRead ? [{ region: there[0], at: remote, length }] : own);
  const taken = needsReceive(opcode) ? await receive(w, rig, isSend(opcode) ? length : 0) : [];
  const wr = { ...wrOf(w, client, message), sgList: listOf(own) };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  await drain(w, rig.cq);
  if (isRead) await lookAt(w, own);
  else if (!isSend(opcode)) await lookAt(w, [{ region: there[0], at: remote, length }]);
  else if (client.type === 'IBV_QPT_UD') await lookBehindHeader(w, taken, grhBytes(client), length);
  else await lookAt(w, taken);
}

/** Writes other bytes to each entry; of one that others overlap, what was written last stays. */
async function writeSource(w: Walk, { length: total }: Message, entries: readonly Entry[]): Promise<void> {
  const payload = w.payload(total);
  let from = 0;
  for (const { region, at, length } of entries) {
    const bytes = payload.slice(2 * from, 2 * (from + length));
    if (length > 0) await w.call('memory write', { addr: member(region.memory, 'addr', at), bytes });
    from += length;
  }
}

/** Posts a receive for so many bytes, or a few more. */
async function receive(w: Walk, { client: { peer }, there }: Rig, length: number): Promise<readonly Entry[]> {
  const entries = apartEntriesOf(w, there, divided(w, grhBytes(peer) + length + w.chance.one(0, 0, 9)));
  const wrs = [{ wrId: w.wrId(), sgList: listOf(entries) }];
  if (peer.srq === undefined) await w.call('ibv_post_recv', { qp: of(peer.name), wrs });
  else await w.call('ibv_post_srq_recv', { srq: of(peer.srq.name), wrs });
  return entries;
}

/** Reads all that lies between the first and the last of these entries, and a byte beside them. */
async function lookAt(w: Walk, entries: readonly Entry[]): Promise<void> {
  for (const region of new Set(entries.map((entry) => entry.region))) {
    const own = entries.filter((entry) => entry.region === region);
    const first = Math.min(...own.map(({ at }) => at)) - 1;
    const end = Math.max(...own.map(({ at, length }) => at + length)) + 1;
    await w.call('memory read', { addr: member(region.memory, 'addr', first), length: end - first });
  }
}

/** Reads so many bytes of a datagram; nobody knows what stands before them, and what older headers have left behind them. */
async function lookBehindHeader(w: Walk, entries: readonly Entry[], header: number, payload: number): Promise<void> {
  let before = 0;
  for (const { region, at, length } of entries) {
    const from = Math.max(header - before, 0);
    const end = Math.min(header + payload - before, length);
    before += length;
    if (from < end) await w.call('memory read', { addr: member(region.memory, 'addr', at + from), length: end - from });
  }
}
