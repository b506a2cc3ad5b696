import { drain } from '../completions';
import {
  isAtomic,
  isSend,
  look,
  messageOf,
  needsReceive,
  opcodesOf,
  postReceives,
  writePayload,
  wrOf,
  grhBytes,
  type Message,
  type Receive,
} from '../work';
import { member, of, type Cq, type Qp, type Walk } from '../walk';
import { hasSender, move, senders, withOne, type Moves } from './move';
import { makeRoom } from './room';

/** A message under way, and the receive that takes it. */
interface Sent {
  readonly message: Message;
  readonly receive: Receive | undefined;
}

/** Sends some messages, and mostly looks at what has become of them. */
export async function send(w: Walk, qp: Qp, count: number, wanted: Partial<Message> = {}): Promise<void> {
  const { chance } = w;
  const opcodes = opcodesOf(w, qp);
  const messages: Message[] = [];
  for (let made = 0; made < count; made++)
    messages.push(messageOf(w, qp, chance.pick(opcodes) ?? 'IBV_WR_SEND', wanted));
  if (!(await makeRoom(w, qp, messages))) return;
  const isLate = qp.type === 'IBV_QPT_RC' && qp.rnrRetry === 7 && w.received(qp.peer) === 0 && chance.happens(0.4);
  const receives = isLate ? [] : await receivesFor(w, qp, messages);
  await writeAll(w, qp, messages);
  if (chance.happens(0.2)) await mark(w, qp, messages, receives);
  await postAll(w, qp, messages);
  if (isLate) {
    await w.settle();
    receives.push(...(await receivesFor(w, qp, messages)));
  }
  await overwriteInline(w, qp, messages);
  if (chance.happens(0.12)) return;
  await w.settle();
  if (chance.happens(0.3)) return;
  await lookAt(w, qp, pairUp(messages, receives));
}

function pairUp(messages: readonly Message[], receives: readonly Receive[]): Sent[] {
  const left = [...receives];
  return messages.map((message) => ({ message, receive: needsReceive(message.opcode) ? left.shift() : undefined }));
}

async function writeAll(w: Walk, qp: Qp, messages: readonly Message[]): Promise<void> {
  for (const message of messages) {
    if (message.opcode !== 'IBV_WR_RDMA_READ' && !isAtomic(message.opcode)) await writePayload(w, qp, message);
    else if (w.chance.happens(0.6)) {
      const bytes = isAtomic(message.opcode) && w.chance.happens(0.5) ? '0500000000000000' : w.payload(message.length);
      if (message.length === 0) continue;
      await w.call('memory write', { addr: member(qp.peer.region.memory, 'addr', message.remote), bytes });
    }
  }
}

/** What lies beside the places of messages is to stay as it is, and is not 0 as all fresh memory is. */
async function mark(w: Walk, { peer }: Qp, messages: readonly Message[], receives: readonly Receive[]): Promise<void> {
  const writes = messages.filter(({ opcode }) => opcode.startsWith('IBV_WR_RDMA_WRITE'));
  const places = [...writes.map(({ remote, length }) => ({ at: remote, length })), ...receives];
  for (const { at, length } of places)
    await w.call('memory write', { addr: member(peer.region.memory, 'addr', at - 1), bytes: 'c3'.repeat(length + 2) });
}

/** Inline data are the program's again as soon as they are posted. */
async function overwriteInline(w: Walk, qp: Qp, messages: readonly Message[]): Promise<void> {
  for (const { flags, local, length } of messages) {
    if (!flags.includes('IBV_SEND_INLINE') || length === 0 || w.chance.happens(0.3)) continue;
    await w.call('memory write', { addr: member(qp.region.memory, 'addr', local), bytes: 'ee'.repeat(length) });
  }
}

/** Receives for the messages that need one; of a QP of its own only, as those of an SRQ go to whoever comes first. */
async function receivesFor(w: Walk, qp: Qp, messages: readonly Message[]): Promise<Receive[]> {
  const { peer } = qp;
  const needed = messages.filter(({ opcode }) => needsReceive(opcode));
  if (needed.length === 0) return [];
  const sizes = needed.map(({ length, opcode }) =>
    isSend(opcode) ? length + w.chance.one(0, 8, 40) : w.chance.one(0, 16),
  );
  return postReceives(w, peer, sizes);
}

/** Posts them as one list, or one by one. */
async function postAll(w: Walk, qp: Qp, messages: readonly Message[]): Promise<void> {
  const wrs = messages.map((message) => wrOf(w, qp, message));
  if (w.chance.happens(0.6)) {
    await w.call('ibv_post_send', { qp: of(qp.name), wrs });
    return;
  }
  for (const wr of wrs) await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wr] });
}

async function lookAt(w: Walk, qp: Qp, sent: readonly Sent[]): Promise<void> {
  const cqs = new Set<Cq>([qp.peer.recvCq, qp.sendCq]);
  for (const cq of cqs) if (w.chance.happens(0.75)) await drain(w, cq);
  if ([...cqs].some((cq) => w.isOverrun(cq) || w.backlog(cq) > 0)) return;
  for (const { message, receive } of sent) if (w.chance.happens(0.6)) await lookAtMessage(w, qp, message, receive);
}

async function lookAtMessage(w: Walk, qp: Qp, message: Message, receive: Receive | undefined): Promise<void> {
  const { opcode, length, local, remote } = message;
  if (isSend(opcode)) {
    const isSole = qp.peer.srq === undefined && receive !== undefined;
    if (isSole) await look(w, qp.peer.region, receive.at + grhBytes(qp), length, grhBytes(qp) > 0 ? 0 : 1);
    return;
  }
  await look(w, qp.peer.region, remote, length);
  if (opcode === 'IBV_WR_RDMA_READ' || isAtomic(opcode)) await look(w, qp.region, local, length);
}

const unreliable = (w: Walk): Qp[] =>
  senders(w).filter(({ type, peer }) => type !== 'IBV_QPT_RC' && w.received(peer) === 0);

/** A message for which there is no receive: an unreliable QP drops it. */
async function sendUnreceived(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', { flags: ['IBV_SEND_SIGNALED'] });
  if (!(await makeRoom(w, qp, [message]))) return;
  await w.settle();
  await postAll(w, qp, [message]);
  await w.settle();
  for (const cq of new Set([qp.sendCq, qp.peer.recvCq])) await drain(w, cq);
}

export const sending: Moves = {
  'send-one': move(6, (w) => withOne(w, senders(w), (qp) => send(w, qp, 1)), hasSender),
  'send-several': move(5, (w) => withOne(w, senders(w), (qp) => send(w, qp, w.chance.between(2, 4))), hasSender),
  'send-solicited': move(
    2,
    (w) => withOne(w, senders(w), (qp) => send(w, qp, 1, { flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] })),
    hasSender,
  ),
  'send-unsolicited': move(
    2,
    (w) => withOne(w, senders(w), (qp) => send(w, qp, 1, { flags: ['IBV_SEND_SIGNALED'] })),
    hasSender,
  ),
  'send-unreceived': move(
    1.5,
    (w) => withOne(w, unreliable(w), (qp) => sendUnreceived(w, qp)),
    (w) => unreliable(w).length > 0,
  ),
  'send-both-ways': move(
    2,
    (w) =>
      withOne(w, senders(w), async (qp) => {
        await send(w, qp, 1);
        if (senders(w).includes(qp.peer)) await send(w, qp.peer, 1);
      }),
    hasSender,
  ),
  'send-again-and-again': move(
    1.5,
    (w) =>
      withOne(w, senders(w), async (qp) => {
        for (let rounds = 0; rounds < 4 && !w.isOver; rounds++) await send(w, qp, w.chance.between(1, 2));
      }),
    hasSender,
  ),
};
