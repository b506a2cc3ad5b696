import { sendOfSqdStays } from '../../avoided';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { bringUp, makeCq, makePair, modifyQp, reset } from '../../objects';
import {
  isAtomic,
  look,
  messageOf,
  needsReceive,
  opcodesOf,
  postReceives,
  wrOf,
  writePayload,
  type Message,
} from '../../work';
import { of, type Cq, type Qp, type Walk } from '../../walk';

/** The payload of each message, in bytes. */
const bytes = 16;

/** A send queue is drained with work under way, done, or none; more is posted meanwhile; and the QP goes on, fails or ends. */
export async function drainInAnyWay(w: Walk): Promise<void> {
  const { chance } = w;
  const type = chance.happens(0.7) ? 'IBV_QPT_RC' : chance.pick(typesOf(w));
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (type === undefined || !w.cqs.includes(cq)) return;
  const init = { type, srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 7 } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (let rounds = chance.between(1, 3); rounds > 0 && !w.isOver && w.size < 140; rounds--) {
    await begin(w, pair);
    await once(w, pair, cq);
  }
}

async function begin(w: Walk, pair: readonly [Qp, Qp]): Promise<void> {
  for (const qp of pair) await reset(w, qp);
  for (const qp of pair) await bringUp(w, qp);
}

async function once(w: Walk, [client, server]: readonly [Qp, Qp], cq: Cq): Promise<void> {
  const { chance } = w;
  if (client.type === 'IBV_QPT_RC' && chance.happens(0.2)) return drainWaiting(w, client, cq);
  const isUnderWay = !w.avoided.has(sendOfSqdStays) && chance.happens(0.4);
  const before = isUnderWay || chance.happens(0.7) ? await post(w, client, isUnderWay ? 2 : 3) : [];
  if (!isUnderWay) await w.settle();
  await modifyQp(w, client, { qpState: 'IBV_QPS_SQD', ...chance.one({}, { enSqdAsyncNotify: true }) });
  client.state = 'SQD';
  await askSometimes(w, client);
  const meanwhile = chance.happens(0.6) ? await post(w, client, isUnderWay ? 1 : 3) : [];
  await askSometimes(w, client);
  if (isUnderWay || chance.happens(0.5)) await w.settle();
  if (chance.happens(0.4)) await answer(w, server);
  await askSometimes(w, client);
  if (chance.happens(0.4)) await drain(w, cq);
  const next = chance.one('RTS', 'RTS', 'ERR', 'RESET');
  await modifyQp(w, client, { qpState: `IBV_QPS_${next}` });
  client.state = next;
  await w.settle();
  await drain(w, cq);
  await drainAsync(w);
  if (next !== 'RTS') return;
  for (const { opcode, remote } of [...before, ...meanwhile])
    if (opcode === 'IBV_WR_RDMA_WRITE') await look(w, server.region, remote, bytes);
}

/** A send that waits for a receive is drained when that is there, and the QP tells so. */
async function drainWaiting(w: Walk, client: Qp, cq: Cq): Promise<void> {
  const message = messageOf(w, client, 'IBV_WR_SEND', { length: bytes, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wrOf(w, client, message)] });
  await w.settle();
  await modifyQp(w, client, { qpState: 'IBV_QPS_SQD', ...w.chance.one({ enSqdAsyncNotify: true }, {}) });
  client.state = 'SQD';
  await askSometimes(w, client);
  await postReceives(w, client.peer, [bytes]);
  await w.settle();
  await drainAsync(w);
  await askSometimes(w, client);
  await modifyQp(w, client, { qpState: 'IBV_QPS_RTS' });
  client.state = 'RTS';
  await w.settle();
  await drain(w, cq);
}

/** A list of so many messages of any kind at most, and the receives that they need. */
async function post(w: Walk, qp: Qp, most: number): Promise<readonly Message[]> {
  const messages = Array.from({ length: w.chance.between(1, most) }, () => {
    const opcode = w.chance.pick(opcodesOf(w, qp)) ?? 'IBV_WR_SEND';
    const flags = w.chance.happens(0.8) ? ['IBV_SEND_SIGNALED'] : [];
    return messageOf(w, qp, opcode, { length: isAtomic(opcode) ? 8 : bytes, flags, entries: 1 });
  });
  const needed = messages.filter(({ opcode }) => needsReceive(opcode)).length;
  await postReceives(w, qp.peer, Array<number>(needed).fill(bytes));
  for (const message of messages) await writePayload(w, qp, message);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  return messages;
}

/** The QP that drains takes what its peer sends. */
async function answer(w: Walk, peer: Qp): Promise<void> {
  await post(w, peer, 2);
  await w.settle();
}

async function askSometimes(w: Walk, qp: Qp): Promise<void> {
  if (w.chance.happens(0.5)) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask: ['IBV_QP_STATE'] });
}
