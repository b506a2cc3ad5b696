import { arm, drain, drainAsync, drainChannel } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { bringUp, makeChannel, makeCq, makePair, modifyQp, setNonblocking } from '../../objects';
import { look, messageOf, needsReceive, opcodesOf, postReceives, wrOf, writePayload, type Message } from '../../work';
import { of, type Cq, type Qp, type Walk } from '../../walk';

/** What a queue of few requests is used for. */
interface Use {
  readonly cq: Cq;
  readonly pair: readonly [Qp, Qp];
  /** Requests that each queue holds. */
  readonly depth: number;
}

/** The payload of each message, in bytes. */
const bytes = 16;

/** A QP that is reset in the middle of its work has nothing of it in its next life, and takes nothing from others. */
export async function leaveWorkBehind(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeSharedCq(w);
  const type = chance.happens(0.7) ? 'IBV_QPT_RC' : chance.pick(typesOf(w));
  if (cq === undefined || type === undefined) return;
  const depth = chance.between(2, 4);
  const init = { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false, signalsAll: false } as const;
  const pair = await makePair(w, { ...init, depth, rnrRetry: 7 });
  const others = chance.happens(0.6) ? await makePair(w, init) : undefined;
  for (const qp of [...pair, ...(others ?? [])]) await bringUp(w, qp);
  const use = { cq, pair, depth };
  for (let turns = chance.between(0, 2 * depth); turns > 0 && !w.isOver; turns--) await sendOnce(w, use);
  await stop(w, use, others?.[0]);
  for (const qp of pair) await bringUp(w, qp);
  await fill(w, use);
  await drainAsync(w);
}

/** A CQ of all, which mostly tells of its completions. */
async function makeSharedCq(w: Walk): Promise<Cq | undefined> {
  const channel = w.has('cq-notifications') && w.chance.happens(0.6) ? await makeChannel(w) : undefined;
  if (channel !== undefined) await setNonblocking(w, channel.name, true);
  const cq = await makeCq(w, { cqe: 64, channel });
  return w.cqs.includes(cq) ? cq : undefined;
}

function someMessage(w: Walk, qp: Qp, flags: readonly string[]): Message {
  const kinds = opcodesOf(w, qp).filter((opcode) => needsReceive(opcode) || opcode === 'IBV_WR_RDMA_WRITE');
  const inline = w.has('inline') && w.chance.happens(0.3) ? ['IBV_SEND_INLINE'] : [];
  const opcode = w.chance.pick(kinds) ?? 'IBV_WR_SEND';
  return messageOf(w, qp, opcode, { length: bytes, flags: [...flags, ...inline], entries: 1 });
}

/** Each place of the queues meets requests of other kinds and flags, one after the other. */
async function sendOnce(w: Walk, { cq, pair: [client, server] }: Use): Promise<void> {
  const solicited = w.chance.happens(0.4) ? ['IBV_SEND_SOLICITED'] : [];
  const message = someMessage(w, client, ['IBV_SEND_SIGNALED', ...solicited]);
  if (needsReceive(message.opcode)) await postReceives(w, server, [bytes]);
  if (cq.channel !== undefined) await arm(w, cq, w.chance.one(1, 1, 0));
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
  if (cq.channel !== undefined) await drainChannel(w, cq.channel);
  await drain(w, cq);
}

/** Sends that wait, and receives, are flushed or given up, while others have completions in the same CQ. */
async function stop(w: Walk, { cq, pair, depth }: Use, other: Qp | undefined): Promise<void> {
  const { chance } = w;
  const [client] = pair;
  for (const qp of pair) if (chance.happens(qp === client ? 0.8 : 0)) await fillReceives(w, qp, depth);
  if (client.type === 'IBV_QPT_RC') {
    const flags = (): string[] => (chance.happens(0.8) ? ['IBV_SEND_SIGNALED'] : []);
    const wrs = Array.from({ length: chance.between(1, depth) }, () =>
      wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: bytes, flags: flags(), entries: 1 })),
    );
    await w.call('ibv_post_send', { qp: of(client.name), wrs });
    await w.settle();
  }
  if (chance.happens(0.5)) {
    for (const qp of pair) await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    await w.settle();
    await drain(w, cq);
  }
  if (other !== undefined) await complete(w, other);
  for (const qp of pair) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
    qp.state = 'RESET';
  }
  await drain(w, cq);
}

const fillReceives = (w: Walk, qp: Qp, depth: number): Promise<unknown> =>
  postReceives(w, qp, Array<number>(depth).fill(bytes));

/** Completions of sends and receives that wait in the CQ. */
async function complete(w: Walk, qp: Qp): Promise<void> {
  const count = w.chance.between(1, 3);
  await postReceives(w, qp.peer, Array<number>(count).fill(bytes));
  const wrs = Array.from({ length: count }, () =>
    wrOf(w, qp, messageOf(w, qp, 'IBV_WR_SEND', { length: bytes, flags: ['IBV_SEND_SIGNALED'], entries: 1 })),
  );
  await w.call('ibv_post_send', { qp: of(qp.name), wrs });
  await w.settle();
}

/** Both queues take as many requests as in the first life, and do them. */
async function fill(w: Walk, { cq, pair: [client, server], depth }: Use): Promise<void> {
  if (w.chance.happens(0.5)) await fillReceives(w, client, depth);
  const receives = await postReceives(w, server, Array<number>(depth).fill(bytes));
  const messages = receives.map(() =>
    messageOf(w, client, 'IBV_WR_SEND', { length: bytes, flags: ['IBV_SEND_SIGNALED'], entries: 1 }),
  );
  for (const message of messages) await writePayload(w, client, message);
  await w.call('ibv_post_send', { qp: of(client.name), wrs: messages.map((message) => wrOf(w, client, message)) });
  await w.settle();
  await drain(w, cq);
  for (const { at, length } of receives) await look(w, server.region, at + length - bytes, bytes, 0);
}
