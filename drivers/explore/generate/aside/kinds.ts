import { arm, drain, drainAsync, drainChannel } from '../completions';
import { typesOf } from '../moves/lifetimes';
import { recoverPair } from '../moves/sharing';
import { entriesOf, partsOf, piecesOf, type Piece } from '../moves/varied';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp, setNonblocking } from '../objects';
import {
  grhBytes,
  isAtomic,
  look,
  messageOf,
  opcodesOf,
  needsReceive,
  postReceives,
  wrOf,
  writePayload,
  type Opcode,
} from '../work';
import { member, of, type Cq, type Qp, type Walk } from '../walk';

/** A pair whose QPs have one CQ, and whose server may have an SRQ. */
async function pairOn(
  w: Walk,
  cq: Cq,
  usesSrq: boolean,
  type = w.chance.pick(typesOf(w)),
  rnrRetry = 1,
): Promise<readonly [Qp, Qp]> {
  const srq = usesSrq && type !== 'IBV_QPT_UC' && w.has('srq') ? await makeSrq(w) : undefined;
  const cqs = [cq, cq, cq, cq] as const;
  const init = { cqs, srq, sharesSrq: false, signalsAll: false, rnrRetry, entries: 3 };
  const pair = await makePair(w, { ...init, type: type ?? 'IBV_QPT_RC' });
  for (const qp of pair) await bringUp(w, qp);
  return pair;
}

const takers = (w: Walk, qp: Qp): Opcode[] => opcodesOf(w, qp).filter((opcode) => needsReceive(opcode));

/** Messages of each kind and length wake the one who has asked for solicited ones, or do not; those that are flushed do. */
export async function sendSolicited(w: Walk): Promise<void> {
  const { chance } = w;
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  const cq = await makeCq(w, { cqe: 64, channel });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await pairOn(w, cq, chance.happens(0.5));
  for (let rounds = chance.between(2, 4); rounds > 0 && !w.isOver; rounds--) {
    await arm(w, cq, 1);
    const length = chance.one(0, 16, 33, client.type === 'IBV_QPT_UD' ? 64 : 1500);
    const opcode = chance.pick(takers(w, client)) ?? 'IBV_WR_SEND';
    const inline = w.has('inline') && length <= 64 && chance.happens(0.3) ? ['IBV_SEND_INLINE'] : [];
    const flags = [...inline, ...(chance.happens(0.75) ? ['IBV_SEND_SOLICITED'] : [])];
    const message = messageOf(w, client, opcode, { length, flags, entries: length === 0 ? 0 : 1 });
    const pieces = await postPieces(w, server, length + 8);
    await writePayload(w, client, message);
    await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
    await w.settle();
    await drainChannel(w, channel);
    await drain(w, cq);
    for (const { at, length: bytes } of behindTheHeader(server, pieces))
      await w.call('memory read', { addr: member(server.region.memory, 'addr', at), length: bytes });
  }
  if (chance.happens(0.5)) await flushSolicited(w, client);
  await drainChannel(w, channel);
  await drain(w, cq);
}

/** What a message has of the pieces of a receive: nobody knows what the header of a datagram holds. */
function behindTheHeader(qp: Qp, pieces: readonly Piece[]): Piece[] {
  let header = grhBytes(qp);
  return pieces.map(({ at, length }) => {
    const before = Math.min(header, length);
    header -= before;
    return { at: at + before, length: length - before };
  });
}

/** A receive in one to three pieces. */
async function postPieces(w: Walk, qp: Qp, length: number): Promise<readonly Piece[]> {
  const pieces = piecesOf(w, qp.region, partsOf(w, length + grhBytes(qp), w.chance.between(1, 3)));
  const wrs = [{ wrId: w.wrId(), sgList: entriesOf(qp.region, pieces) }];
  if (qp.srq === undefined) await w.call('ibv_post_recv', { qp: of(qp.name), wrs });
  else await w.call('ibv_post_srq_recv', { srq: of(qp.srq.name), wrs });
  return pieces;
}

async function flushSolicited(w: Walk, client: Qp): Promise<void> {
  await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
  client.state = 'ERR';
  await w.settle();
  await arm(w, client.sendCq, 1);
  const message = messageOf(w, client, 'IBV_WR_SEND', { length: 8, flags: w.chance.one([], ['IBV_SEND_SIGNALED']) });
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
}

/** What waits for a receive, and is tried again, arrives as it was posted. */
export async function waitWithKinds(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await pairOn(w, cq, chance.happens(0.3), 'IBV_QPT_RC', 7);
  const opcode = chance.pick(takers(w, client)) ?? 'IBV_WR_SEND';
  const isInline = w.has('inline') && chance.happens(0.5);
  const flags = isInline ? ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] : ['IBV_SEND_SIGNALED'];
  const message = messageOf(w, client, opcode, { length: 32, flags, entries: 1 });
  await writePayload(w, client, message);
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
  if (isInline)
    await w.call('memory write', { addr: member(client.region.memory, 'addr', message.local), bytes: '3c'.repeat(32) });
  const [receive] = await postReceives(w, server, [40]);
  await w.settle();
  await drain(w, cq);
  if (receive !== undefined) await look(w, server.region, receive.at, 32);
  await look(w, server.region, message.remote, 32);
}

/** A fenced message carries what reads and atomics before it have brought. */
export async function sendWhatIsRead(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await pairOn(w, cq, chance.happens(0.3), 'IBV_QPT_RC');
  const brings = opcodesOf(w, client).filter((opcode) => opcode === 'IBV_WR_RDMA_READ' || isAtomic(opcode));
  const before = Array.from({ length: chance.one(1, 1, 2) }, () => {
    const opcode = chance.pick(brings) ?? 'IBV_WR_RDMA_READ';
    return messageOf(w, client, opcode, { length: isAtomic(opcode) ? 8 : 16, flags: [], entries: 1 });
  });
  for (const { remote } of before) {
    const addr = member(server.region.memory, 'addr', remote);
    await w.call('memory write', { addr, bytes: w.payload(16) });
  }
  const last = before[before.length - 1];
  const opcode = chance.pick(takers(w, client)) ?? 'IBV_WR_SEND';
  const flags = ['IBV_SEND_SIGNALED', 'IBV_SEND_FENCE'];
  const fenced = messageOf(w, client, opcode, {
    length: last?.length ?? 8,
    flags,
    entries: 1,
    local: last?.local ?? 16,
  });
  const [receive] = await postReceives(w, server, [24]);
  const wrs = [...before, fenced].map((message) => wrOf(w, client, message));
  if (chance.happens(0.7)) await w.call('ibv_post_send', { qp: of(client.name), wrs });
  else for (const wr of wrs) await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  await drain(w, cq);
  if (receive !== undefined) await look(w, server.region, receive.at, 24);
  await look(w, server.region, fenced.remote, 16);
}

/** Of many sends those complete that are to. */
export async function countSends(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await pairOn(w, cq, false);
  for (let rounds = chance.between(1, 2); rounds > 0 && !w.isOver; rounds--) {
    const unsignaled = chance.between(2, 7);
    await postReceives(w, server, Array<number>(unsignaled + 1).fill(16));
    const wrs = Array.from({ length: unsignaled + 1 }, (_, at) =>
      wrOf(
        w,
        client,
        messageOf(w, client, 'IBV_WR_SEND', { length: 8, flags: at < unsignaled ? [] : ['IBV_SEND_SIGNALED'] }),
      ),
    );
    if (chance.happens(0.5)) await w.call('ibv_post_send', { qp: of(client.name), wrs });
    else for (const wr of wrs) await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
    await w.settle();
    await drain(w, cq);
  }
}

/** Lists that are posted while the queue is drained are done when it goes on. */
export async function drainList(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const [client, server] = await pairOn(w, cq, false, 'IBV_QPT_RC');
  await modifyQp(w, client, { qpState: 'IBV_QPS_SQD' });
  await w.settle();
  const count = chance.between(2, 4);
  await postReceives(w, server, Array<number>(count).fill(16));
  const wrs = Array.from({ length: count }, () =>
    wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 8, flags: ['IBV_SEND_SIGNALED'] })),
  );
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
  await w.settle();
  const told = chance.happens(0.5) ? { curQpState: 'IBV_QPS_SQD' } : {};
  await modifyQp(w, client, { qpState: 'IBV_QPS_RTS', ...told });
  await w.settle();
  await drain(w, cq);
  await drainAsync(w);
  await recoverPair(w, client);
}

/** Of two CQs each tells that it was overrun. */
export async function overrunTwice(w: Walk): Promise<void> {
  const large = await makeCq(w, { cqe: 64, isEx: false });
  const small = [await makeCq(w, { cqe: 1, isEx: false }), await makeCq(w, { cqe: 2, isEx: false })];
  for (const cq of small) {
    const init = { type: 'IBV_QPT_RC', srq: undefined, sharesSrq: false, signalsAll: true } as const;
    const pair = await makePair(w, { ...init, cqs: [cq, large, large, large] });
    for (const qp of pair) await bringUp(w, qp);
    const [client] = pair;
    const count = Number(w.output(cq.name, 'cqe') ?? 0) + 2;
    if (count > 16) return;
    const wrs = Array.from({ length: count }, () =>
      wrOf(w, client, messageOf(w, client, 'IBV_WR_RDMA_WRITE', { length: 8, flags: [] })),
    );
    await w.call('ibv_post_send', { qp: of(client.name), wrs });
    await w.settle();
  }
  await drainAsync(w, w.chance.happens(0.5));
  w.isOver = true;
}
