import type { ProgramStruct } from '../../../programs/program';
import { refusedSendStays } from '../avoided';
import { drain, drainAsync } from '../completions';
import { typesOf } from '../moves/lifetimes';
import { recoverPair } from '../moves/sharing';
import { bringUp, makeCq, makePair, makeSrq } from '../objects';
import { grhBytes, listOf, look, messageOf, postReceives, wrOf, writePayload } from '../work';
import { member, of, type Qp, type Walk } from '../walk';

/** Requests that each queue holds, and the payload of each. */
const depth = 6;
const bytes = 16;

/** Of a list that is refused in its midst, what stands before that is posted, once, and nothing of the rest. */
export async function refuseInTheMidst(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64 })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const srq = type !== 'IBV_QPT_UC' && w.has('srq') && chance.happens(0.35) ? await makeSrq(w, depth) : undefined;
  const init = { type, srq, sharesSrq: false, signalsAll: false, depth, rnrRetry: 1 } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  for (let rounds = chance.between(1, 3); rounds > 0 && !w.isOver; rounds--) {
    await receiveList(w, server);
    await sendList(w, client);
    await drain(w, cq);
    if (pair.some((qp) => w.hasFailed(qp))) break;
  }
  await drainAsync(w);
  await recoverPair(w, client);
}

/** More entries than any queue here takes. */
function tooMany(region: Qp['region']): ProgramStruct[] {
  return Array<ProgramStruct>(5).fill({ addr: member(region.mr, 'addr'), length: 8, lkey: member(region.mr, 'lkey') });
}

/** Fills what room there is, with one request that is refused on the way; how many entries an SRQ takes, it alone says. */
async function receiveList(w: Walk, server: Qp): Promise<void> {
  const room = depth - w.received(server);
  if (room <= 0) return;
  const { region, srq } = server;
  if (srq !== undefined) {
    await postReceives(w, server, Array<number>(room).fill(bytes));
    return;
  }
  const size = bytes + grhBytes(server);
  const good = (): ProgramStruct => ({ wrId: w.wrId(), sgList: listOf(region, w.stretch(region, size), size, 1) });
  const before = w.chance.below(room);
  const after = w.chance.one(0, 1);
  const refused = { wrId: w.wrId(), sgList: tooMany(region) };
  const wrs = [...Array.from({ length: before }, good), refused, ...Array.from({ length: after }, good)];
  await w.call('ibv_post_recv', { qp: of(server.name), wrs });
  if (w.chance.happens(0.6)) await postReceives(w, server, Array<number>(room - before).fill(bytes));
}

async function sendList(w: Walk, client: Qp): Promise<void> {
  const count = w.received(client.peer);
  const messages = Array.from({ length: count }, () =>
    messageOf(w, client, 'IBV_WR_SEND', { length: bytes, flags: ['IBV_SEND_SIGNALED'], entries: 1 }),
  );
  for (const message of messages) await writePayload(w, client, message);
  const wrs = messages.map((message) => wrOf(w, client, message));
  const refuses = count > 0 && !w.avoided.has(refusedSendStays) && w.chance.happens(0.5);
  const before = refuses ? w.chance.below(count) : count;
  const refused = refuses
    ? [{ ...wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 40 })), sgList: tooMany(client.region) }]
    : [];
  if (count > 0) await w.call('ibv_post_send', { qp: of(client.name), wrs: [...wrs.slice(0, before), ...refused] });
  if (before < count) await w.call('ibv_post_send', { qp: of(client.name), wrs: wrs.slice(before) });
  await w.settle();
  if (count > 0 && client.type !== 'IBV_QPT_UD') await look(w, client.peer.region, 16, 400, 0);
}
