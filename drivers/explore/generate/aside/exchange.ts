import type { ProgramStruct } from '../../../programs/program';
import { arm, drain, drainChannel } from '../completions';
import { operands } from '../moves/varied';
import { qkey } from '../objects';
import { grhBytes, isAtomic, isSend, listOf, messageOf, needsReceive, postReceives, wrOf, type Message } from '../work';
import { member, of, type Qp, type Walk } from '../walk';
import { allBytes, memoryOf, placeBytes, places, qkeys, shuffled, someKey, type Rig } from './rig';

/** One message or several, each of which has its own place on either side. */
export function messagesOf(w: Walk, rig: Rig, qp: Qp): Sent[] {
  const { chance } = w;
  const [here, there] = [shuffled(w, places), shuffled(w, places)];
  const isSame = chance.happens(0.15);
  let mayMeet = true;
  return here.slice(0, chance.one(1, 1, 1, 2, 3)).map((local, index) => {
    const opcode = chance.pick(rig.opcodes) ?? 'IBV_WR_SEND';
    const length = isAtomic(opcode) ? 8 : (chance.pick(rig.lengths) ?? 16);
    const canInline = w.has('inline') && length <= 64 && !isAtomic(opcode) && opcode !== 'IBV_WR_RDMA_READ';
    const flags = [
      ...(chance.happens(0.75) ? ['IBV_SEND_SIGNALED'] : []),
      ...(needsReceive(opcode) && chance.happens(0.3) ? ['IBV_SEND_SOLICITED'] : []),
      ...(canInline && chance.happens(0.25) ? ['IBV_SEND_INLINE'] : []),
    ];
    const entries = length === 0 ? 0 : length > 8 && chance.happens(0.3) ? 2 : 1;
    // What follows on writes alone finds what they have written.
    const remote = (isSame && mayMeet ? there[0] : there[index]) ?? places[0];
    mayMeet &&= opcode === 'IBV_WR_RDMA_WRITE' || isSend(opcode);
    const message = messageOf(w, qp, opcode, { length, flags, local, remote, entries });
    return sentOf(w, rig, qp, message);
  });
}

/** A message of these objects, and its request. */
interface Sent {
  readonly message: Message;
  readonly wr: ProgramStruct;
  /** What an atomic is to find. */
  readonly found: string;
}

function sentOf(w: Walk, rig: Rig, qp: Qp, message: Message): Sent {
  const [here, other] = [memoryOf(rig, qp), memoryOf(rig, qp.peer)];
  const target = { addr: member(other.mr, 'addr', message.remote), rkey: someKey(w, rig, qp.peer) };
  const wr = wrOf(w, qp, message, target);
  const [found, compareAdd, swap] = w.chance.one<readonly [string, string, string]>(...operands);
  const sgList = listOf(here, message.local, message.length, message.entries);
  const isUnnamed = message.flags.includes('IBV_SEND_INLINE') && w.chance.happens(0.3);
  const own = {
    ...wr,
    sgList: isUnnamed ? sgList.map((entry) => ({ ...entry, lkey: 0 })) : someOther(w, sgList, here.mr),
    ...(qp.type === 'IBV_QPT_UD' && { ud: { ...(wr.ud as ProgramStruct), remoteQkey: someQkey(w, rig, qp.peer) } }),
    ...(isAtomic(message.opcode) && { atomic: { ...(wr.atomic as ProgramStruct), compareAdd, swap } }),
  };
  return { message, wr: own, found };
}

/** Few lists have an entry of which the key is another one. */
function someOther({ chance }: Walk, sgList: ProgramStruct[], mr: string): ProgramStruct[] {
  const wrong = chance.happens(0.03) ? chance.below(sgList.length) : -1;
  return sgList.map((entry, at) =>
    at === wrong ? { ...entry, lkey: member(mr, 'lkey', chance.one(1, 2, 0x100)) } : entry,
  );
}

/** That of a QP, or another one with which it takes nothing. */
const someQkey = ({ chance }: Walk, { qkeys: own }: Rig, qp: Qp): number =>
  chance.happens(0.1) ? chance.one(...qkeys) : (own.get(qp) ?? qkey);

/** Sends from the places of one side to those of the other. */
export async function exchange(w: Walk, rig: Rig, isPaused = false): Promise<void> {
  const { chance } = w;
  const [client, server] = rig.pair;
  const qp = isPaused || server.state !== 'RTS' || chance.happens(0.7) ? client : server;
  const { peer } = qp;
  const sent = messagesOf(w, rig, qp);
  const needed = sent.filter(({ message }) => needsReceive(message.opcode)).length;
  const missing = Math.max(0, needed - w.received(peer));
  const receives = await postReceives(w, peer, Array<number>(missing).fill(placeBytes));
  for (const one of sent) if (chance.happens(0.5)) await prepare(w, rig, qp, one);
  const awaited = chance.happens(0.3) ? chance.one(peer.recvCq, qp.sendCq) : undefined;
  if (awaited !== undefined) await arm(w, awaited, chance.one(0, 1));
  const wrs = sent.map(({ wr }) => wr);
  const lists = chance.happens(0.7) ? [wrs] : wrs.map((wr) => [wr]);
  for (const list of lists) await w.call('ibv_post_send', { qp: of(qp.name), wrs: list });
  if (isPaused) return;
  await w.settle();
  if (awaited?.channel !== undefined && chance.happens(0.7)) await drainChannel(w, awaited.channel);
  for (const cq of rig.cqs) if (chance.happens(0.75)) await drain(w, cq);
  for (const { at, length } of receives)
    await read(w, peer.region.memory, at + grhBytes(peer), length - grhBytes(peer));
  for (const { message } of sent) await lookAt(w, rig, qp, message);
}

const read = (w: Walk, memory: string, at: number, length: number): Promise<unknown> =>
  w.call('memory read', { addr: member(memory, 'addr', at), length });

/** Writes what a message is to carry or to find. */
async function prepare(w: Walk, rig: Rig, qp: Qp, { message, found }: Sent): Promise<void> {
  const { opcode, local, remote, length } = message;
  if (length === 0) return;
  const isAnswer = isAtomic(opcode) || opcode === 'IBV_WR_RDMA_READ';
  const addr = isAnswer
    ? member(memoryOf(rig, qp.peer).memory, 'addr', remote)
    : member(memoryOf(rig, qp).memory, 'addr', local);
  await w.call('memory write', { addr, bytes: isAtomic(opcode) ? found : w.payload(length) });
}

/** What a message has changed, if it has, on either side. */
async function lookAt(w: Walk, rig: Rig, qp: Qp, { opcode, local, remote, length }: Message): Promise<void> {
  if (isSend(opcode) || length === 0) return;
  await read(w, memoryOf(rig, qp.peer).memory, remote, length + 1);
  const isAnswer = isAtomic(opcode) || opcode === 'IBV_WR_RDMA_READ';
  if (isAnswer) await read(w, memoryOf(rig, qp).memory, local, length + 1);
}

/** All places of either side. */
export async function lookAtPlaces(w: Walk, rig: Rig): Promise<void> {
  for (const qp of rig.pair) await read(w, memoryOf(rig, qp).memory, places[0], allBytes);
}
