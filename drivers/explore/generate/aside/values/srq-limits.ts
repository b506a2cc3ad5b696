import { drain, drainAsync } from '../../completions';
import { limit, recoverPair } from '../../moves/sharing';
import { typesOf } from '../../moves/lifetimes';
import { bringUp, makeCq, makePair, makeSrq } from '../../objects';
import { messageOf, needsReceive, opcodesOf, postReceives, wrOf } from '../../work';
import { of, type Qp, type Srq, type Walk } from '../../walk';

/** Bytes that each receive has room for. */
const bytes = 32;

/** An SRQ, and the QPs whose peers take receives from it. */
interface Shared {
  readonly srq: Srq;
  readonly senders: readonly Qp[];
  /** The QP by which its receives are counted. */
  readonly user: Qp;
}

/** The limit of an SRQ is moved again and again, while receives are taken one by one and others come. */
export async function moveTheLimit(w: Walk): Promise<void> {
  const { chance } = w;
  const shared = await makeShared(w);
  if (shared === undefined) return;
  const { srq, user, senders } = shared;
  await postReceives(w, user, Array<number>(chance.between(1, 4)).fill(bytes));
  const ways = [move, move, take, take, take, refill];
  for (let steps = chance.between(8, 16); steps > 0 && !w.isOver && w.size < 160; steps--) {
    await chance.pick(w.received(user) === 0 ? [refill, refill, move] : ways)?.(w, shared);
    await w.call('ibv_query_srq', { srq: of(srq.name) });
    if (chance.happens(0.3)) await drainAsync(w, chance.happens(0.7));
  }
  await drainAsync(w);
  for (const sender of senders) await recoverPair(w, sender);
}

/** One pair or two, whose clients may use the SRQ as well. */
async function makeShared(w: Walk): Promise<Shared | undefined> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  const type = chance.pick(typesOf(w).filter((one) => one !== 'IBV_QPT_UC'));
  if (type === undefined || !w.cqs.includes(cq)) return undefined;
  const srq = await makeSrq(w, 32);
  const senders: Qp[] = [];
  let user: Qp | undefined;
  for (let pairs = chance.one(1, 1, 2); pairs > 0; pairs--) {
    const sharesSrq = chance.happens(0.3);
    const pair = await makePair(w, { type, srq, sharesSrq, signalsAll: false, rnrRetry: 1, cqs: [cq, cq, cq, cq] });
    for (const qp of pair) await bringUp(w, qp);
    senders.push(...pair.filter(({ peer }) => peer.srq === srq));
    user ??= pair[1];
  }
  return user && { srq, senders, user };
}

/**
 * What a limit means that is above what is there when it is set, the pages leave open. All others are set alike: no limit,
 * the lowest, the highest, and one between, whatever the one before is and whether it was reached.
 */
async function move(w: Walk, { srq, user }: Shared): Promise<void> {
  const left = w.received(user);
  const above = left > 0 ? [1, left, left, w.chance.between(1, left)] : [];
  await w.settle();
  await limit(w, srq, w.chance.one(0, ...above), ['IBV_SRQ_LIMIT']);
}

/** One message takes one receive, whichever QP it goes to. */
async function take(w: Walk, { senders }: Shared): Promise<void> {
  const qp = w.chance.pick(senders);
  if (qp === undefined) return;
  const opcode = w.chance.pick(opcodesOf(w, qp).filter(needsReceive)) ?? 'IBV_WR_SEND';
  const message = messageOf(w, qp, opcode, { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  if (w.backlog(qp.sendCq) > 24 || w.chance.happens(0.4)) await drain(w, qp.sendCq);
}

async function refill(w: Walk, { user }: Shared): Promise<void> {
  const room = Math.max(1, 6 - w.received(user));
  await postReceives(w, user, Array<number>(Math.min(room, w.chance.between(1, 3))).fill(bytes));
}
