import { dutName } from '../../../../programs/bindings';
import type { ProgramStruct, ProgramValue } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { allAccess, bringUp, makeCq, makePair, makeRegion, makeSrq } from '../../objects';
import {
  grhBytes,
  isAtomic,
  isSend,
  listOf,
  messageOf,
  needsReceive,
  opcodesOf,
  postReceives,
  wrOf,
  type Message,
} from '../../work';
import { member, of, type Cq, type Qp, type QpType, type Region, type Walk } from '../../walk';

/** What a packet carries at most, as a program says it. */
interface Mtu {
  readonly name: ProgramValue;
  readonly bytes: number;
}

/** The least that there is, and that of the port. */
const mtusOf = ({ backend }: Walk): readonly Mtu[] => [
  { name: 'IBV_MTU_256', bytes: 256 },
  { name: member(dutName, 'mtu'), bytes: backend.dut.port.activeMtu },
];

/** The first PSNs: numbers begin at 0 again within a message, after it, or come to their middle. */
const firstPsns = [0, 0xff_ffff, 0xff_fffe, 0xff_fffd, 0xff_fff9, 0x7f_fffe, 0x12_3456] as const;

/** Packets of a message, mostly. */
const packetsMost = 4;

/** Lengths at which 16 bits end. */
const long = [0xffff, 0x1_0000, 0x1_0001] as const;

/** Bytes of memory that are looked at on each side of where a packet ends. */
const margin = 8;

/** Ends of packets that are looked at, of long messages. */
const endsMost = 6;

/** A pair, and the memory of each side. */
interface Trip {
  readonly cq: Cq;
  readonly client: Qp;
  readonly mtu: Mtu;
  readonly here: Region;
  readonly there: Region;
}

/** A message on its way, and what of it is looked at. */
interface Sent {
  readonly message: Message;
  readonly wr: ProgramStruct;
  /** From its beginning. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly at: number;
  readonly length: number;
}

/** Messages that end where packets do, a byte before or a byte later. */
export async function carryAllLengths(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64 })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const srq = w.has('srq') && type !== 'IBV_QPT_UC' && chance.happens(0.2) ? await makeSrq(w) : undefined;
  const [least, ports] = mtusOf(w);
  const mtu = type === 'IBV_QPT_UD' ? ports : chance.pick([least, ports]);
  if (mtu === undefined) return;
  const path = { mtu: mtu.name, reads: chance.one(1, 1, 4) };
  const init = { type, srq, sharesSrq: false, signalsAll: false, rnrRetry: 7, path } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq], firstPsn: chance.one(...firstPsns) });
  for (const qp of pair) await bringUp(w, qp);
  const isLong = type !== 'IBV_QPT_UD' && chance.happens(0.25);
  const region = (): Promise<Region> => makeRegion(w, [...allAccess], w.pd, isLong ? 0x4_0000 : 0x1_0000);
  const trip: Trip = { cq, client: pair[0], mtu, here: await region(), there: await region() };
  if (isLong) await carry(w, trip, [chance.one(...long), ...lengthsOf(w, type, mtu.bytes).slice(1)]);
  for (let rounds = chance.between(2, 4); rounds > 0 && !w.isOver && w.size < 150; rounds--)
    await carry(w, trip, lengthsOf(w, type, mtu.bytes));
  await drainAsync(w);
}

/** Lengths of messages that are posted together. */
function lengthsOf({ chance }: Walk, type: QpType, mtu: number): number[] {
  const least = [0, 1, 0xff, 0x100];
  const ends = Array.from({ length: packetsMost }, (_, packets) => (packets + 1) * mtu);
  const connected = [0, 1, ...ends.flatMap((end) => [end - 1, end, end + 1])];
  const all = type === 'IBV_QPT_UD' ? [...least, mtu - 1, mtu, mtu] : connected;
  return Array.from({ length: chance.one(1, 1, 2, 3) }, () => chance.pick(all) ?? 0);
}

/** Sends messages of these lengths, to receives that are there or come later. */
async function carry(w: Walk, trip: Trip, lengths: readonly number[]): Promise<void> {
  const { chance } = w;
  const { cq, client } = trip;
  const sent = lengths.map((length, index) => sentOf(w, trip, length, index === lengths.length - 1));
  for (const one of sent) await writeSource(w, trip, one);
  const waits = client.type === 'IBV_QPT_RC' && chance.happens(0.3);
  const early = waits ? undefined : await receive(w, trip, sent);
  const wrs = sent.map(({ wr }) => wr);
  if (chance.happens(0.7)) await w.call('ibv_post_send', { qp: of(client.name), wrs });
  else for (const wr of wrs) await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  const places = early ?? (await receive(w, trip, sent));
  await w.settle();
  await drain(w, cq);
  for (const one of sent) await lookAt(w, trip, one, places);
}

function sentOf(w: Walk, { client, mtu, here, there }: Trip, length: number, isLast: boolean): Sent {
  const { chance } = w;
  const opcode = chance.pick(opcodesOf(w, client).filter((one) => !isAtomic(one))) ?? 'IBV_WR_SEND';
  const isInline = length <= 1 && opcode !== 'IBV_WR_RDMA_READ' && w.has('inline') && chance.happens(0.3);
  const flags = [
    ...(isLast || chance.happens(0.7) ? ['IBV_SEND_SIGNALED'] : []),
    ...(chance.happens(0.2) ? ['IBV_SEND_SOLICITED'] : []),
    ...(isInline ? ['IBV_SEND_INLINE'] : []),
  ];
  const entries = length === 0 ? chance.one(0, 1) : length === 1 ? 1 : chance.one(1, 1, 2);
  const [local, remote] = [w.stretch(here, length + margin), w.stretch(there, length + margin)];
  const message = messageOf(w, client, opcode, { length, flags, entries, local, remote });
  const target = { addr: member(there.mr, 'addr', remote), rkey: member(there.mr, 'rkey') };
  const wr = { ...wrOf(w, client, message, target), sgList: listOf(here, local, length, entries) };
  return { message, wr, parts: partsAround(endsOf(w, length, mtu.bytes), length) };
}

/** Where packets of a message begin and end, if they are not too many: then its ends, and some between. */
function endsOf({ chance }: Walk, length: number, mtu: number): number[] {
  const inner = Array.from({ length: Math.max(0, Math.ceil(length / mtu) - 1) }, (_, packet) => (packet + 1) * mtu);
  const share = endsMost / inner.length;
  const kept = inner.filter((_, index) => index === 0 || index === inner.length - 1 || chance.happens(share));
  return [0, ...kept.slice(0, endsMost - 1), ...kept.slice(endsMost - 1).slice(-1), length];
}

/** The bytes around these places, each of them once. */
function partsAround(places: readonly number[], length: number): Part[] {
  const parts: Part[] = [];
  for (const place of places) {
    const last = parts.at(-1);
    const from = Math.max(0, place - margin, last === undefined ? 0 : last.at + last.length);
    const end = Math.min(length, place + margin);
    if (end > from) parts.push({ at: from, length: end - from });
  }
  return parts;
}

async function writeSource(w: Walk, { here, there }: Trip, { message, parts }: Sent): Promise<void> {
  const isRead = message.opcode === 'IBV_WR_RDMA_READ';
  const [{ memory }, start] = isRead ? [there, message.remote] : [here, message.local];
  const payload = w.payload(message.length);
  for (const { at, length } of parts) {
    const bytes = payload.slice(2 * at, 2 * (at + length));
    await w.call('memory write', { addr: member(memory, 'addr', start + at), bytes });
  }
}

/** Receives for those that take one, long enough by nothing or by a little. @returns where the payload of each message comes */
async function receive(w: Walk, { client, there }: Trip, sent: readonly Sent[]): Promise<ReadonlyMap<Sent, number>> {
  const { peer } = client;
  const takers = sent.filter(({ message }) => needsReceive(message.opcode));
  const sizes = takers.map(({ message }) => (isSend(message.opcode) ? message.length : 0) + w.chance.one(0, 0, 9));
  const receives = await postReceives(w, peer, sizes, there);
  return new Map(receives.flatMap(({ at }, index) => [[takers[index], at + grhBytes(peer)] as const]).filter(isTaken));
}

const isTaken = (entry: readonly [Sent | undefined, number]): entry is readonly [Sent, number] =>
  entry[0] !== undefined;

/** Reads where a message has come to, with the byte beside it at either end; before a datagram is what nobody knows. */
async function lookAt(w: Walk, trip: Trip, sent: Sent, places: ReadonlyMap<Sent, number>): Promise<void> {
  const { message, parts } = sent;
  const isRead = message.opcode === 'IBV_WR_RDMA_READ';
  const [{ memory }, start] = isRead
    ? [trip.here, message.local]
    : [trip.there, (isSend(message.opcode) ? places.get(sent) : undefined) ?? message.remote];
  const isDatagram = trip.client.type === 'IBV_QPT_UD';
  for (const { at, length } of parts) {
    const before = at === 0 && !isDatagram ? 1 : 0;
    const after = at + length === message.length ? 1 : 0;
    const addr = member(memory, 'addr', start + at - before);
    await w.call('memory read', { addr, length: before + length + after });
  }
}
