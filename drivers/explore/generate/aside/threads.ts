import { drain } from '../completions';
import { typesOf } from '../moves/lifetimes';
import { bringUp, makeCq, makePair } from '../objects';
import { messageOf, wrOf } from '../work';
import { callOp, of, type Cq, type Qp, type Walk } from '../walk';
import type { CallOp, ProgramStruct } from '../../../programs/program';

/** Two threads do the same at once, so that nobody can say who was first: all of it is done, and once. */
export async function doTheSameAtOnce(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64, isEx: false })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const init = { type, srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 1 } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  const ways = [sendAtOnce, receiveAtOnce, pollAtOnce];
  for (let rounds = chance.between(2, 4); rounds > 0 && !w.isOver; rounds--)
    await chance.pick(ways)?.(w, pair, chance.between(1, 3));
  await drain(w, cq);
}

/** Each of two threads makes the same calls. */
async function twice(w: Walk, calls: readonly CallOp[]): Promise<void> {
  await w.settle();
  await w.together(calls, calls);
  await w.settle();
}

const empty = { length: 0, flags: ['IBV_SEND_SIGNALED'], entries: 0 } as const;

/** So many sends that are alike. */
function alike(w: Walk, client: Qp, count: number): ProgramStruct[] {
  const wr = wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', empty));
  return Array<ProgramStruct>(count).fill(wr);
}

async function sendAtOnce(w: Walk, [client, server]: readonly [Qp, Qp], count: number): Promise<void> {
  await takeAll(w, client.sendCq);
  await receiveAlike(w, server, 2 * count);
  const wrs = alike(w, client, count);
  const posts = w.chance.happens(0.5) ? [wrs] : wrs.map((wr) => [wr]);
  await twice(
    w,
    posts.map((list) => callOp('ibv_post_send', { qp: of(client.name), wrs: list })),
  );
  await drain(w, client.sendCq);
}

async function receiveAlike(w: Walk, qp: Qp, count: number): Promise<void> {
  await w.call('ibv_post_recv', { qp: of(qp.name), wrs: receives(w, qp, count) });
}

/** Receives without a byte of payload, which put no header anywhere either. */
function receives(w: Walk, qp: Qp, count: number): ProgramStruct[] {
  const wr = { wrId: w.wrId(), sgList: qp.type === 'IBV_QPT_UD' ? [headerOf(w, qp)] : [] };
  return Array<ProgramStruct>(count).fill(wr);
}

/** Where all headers go, one over the other. */
function headerOf(w: Walk, { region }: Qp): ProgramStruct {
  const at = w.stretch(region, 40);
  return { addr: { of: region.mr, member: 'addr', plus: at }, length: 40, lkey: { of: region.mr, member: 'lkey' } };
}

async function receiveAtOnce(w: Walk, [client, server]: readonly [Qp, Qp], count: number): Promise<void> {
  await takeAll(w, client.sendCq);
  await twice(w, [callOp('ibv_post_recv', { qp: of(server.name), wrs: receives(w, server, count) })]);
  await w.call('ibv_post_send', { qp: of(client.name), wrs: alike(w, client, 2 * count) });
  await w.settle();
  await drain(w, client.sendCq);
}

/** Two threads poll a CQ of which each CQE is like the others. */
async function pollAtOnce(w: Walk, [client]: readonly [Qp, Qp], count: number): Promise<void> {
  if (client.type === 'IBV_QPT_UD') return;
  const { sendCq } = client;
  await takeAll(w, sendCq);
  const wr = wrOf(w, client, messageOf(w, client, 'IBV_WR_RDMA_WRITE', empty));
  await w.call('ibv_post_send', { qp: of(client.name), wrs: Array<ProgramStruct>(2 * count).fill(wr) });
  const polls = w.chance.happens(0.5) ? [count] : Array<number>(count).fill(1);
  await twice(
    w,
    polls.map((numEntries) => callOp('ibv_poll_cq', { cq: of(sendCq.name), numEntries })),
  );
}

/** Nothing else is in the CQ. */
async function takeAll(w: Walk, cq: Cq): Promise<void> {
  await w.settle();
  while (w.backlog(cq) > 0 && !w.isOver) await w.call('ibv_poll_cq', { cq: of(cq.name), numEntries: 64 });
}
