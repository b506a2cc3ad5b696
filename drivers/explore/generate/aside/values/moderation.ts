import { arm, drain, drainChannel, poll } from '../../completions';
import { destroyQp } from '../../moves/destroying';
import { typesOf } from '../../moves/lifetimes';
import { bringUp, makeChannel, makeCq, makePair, setNonblocking } from '../../objects';
import { messageOf, needsReceive, opcodesOf, postReceives, wrOf } from '../../work';
import { of, type Channel, type Cq, type Qp, type Walk } from '../../walk';

/** Entries of each CQ: it never has more CQEs than the smallest of them. */
const sizes = [48, 65, 100] as const;

/** CQEs for one event, and microseconds. A period of 0 has no meaning with more than one, and not each device takes a longer one. */
const counts = [1, 2, 3, 5, 5] as const;
const periodsUs = [2000, 4095] as const;

/** CQs on one channel, and QPs that send to those that complete there. */
interface Gathering {
  readonly channel: Channel;
  readonly cqs: readonly Cq[];
  readonly senders: readonly Qp[];
}

/** Each CQ on a channel makes its own event, whether it gathers CQEs for that or not, and whatever the others beside it do. */
export async function gatherBesideOthers(w: Walk): Promise<void> {
  const { chance } = w;
  const gathering = await makeGathering(w);
  if (gathering === undefined) return;
  const { cqs, senders } = gathering;
  for (let rounds = chance.between(2, 3); rounds > 0 && !w.isOver && w.size < 150; rounds--) {
    for (const cq of chance.some(cqs, 0.6)) await moderate(w, cq, chance.happens(0.2));
    for (const cq of chance.some(cqs, 0.75)) await arm(w, cq, chance.one(0, 0, 1));
    await gather(w, gathering);
    if (chance.happens(0.7)) await actMeanwhile(w, gathering);
    await lookAtAll(w, gathering);
  }
  if (chance.happens(0.4)) for (const { peer } of senders) await destroyQp(w, peer);
}

async function makeGathering(w: Walk): Promise<Gathering | undefined> {
  const { chance } = w;
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  const all: Cq[] = [];
  for (let made = 0; made < 3; made++) all.push(await makeCq(w, { cqe: sizes[1], channel }));
  const [one, two, three] = all;
  const type = chance.pick(typesOf(w));
  if (one === undefined || two === undefined || three === undefined || type === undefined) return undefined;
  if (!all.every((cq) => w.cqs.includes(cq))) return undefined;
  const senders: Qp[] = [];
  for (const [sends, receives] of [
    [chance.one(one, three), two],
    [three, chance.one(one, two)],
  ] as const) {
    const init = { type, srq: undefined, signalsAll: false, entries: 1 } as const;
    const pair = await makePair(w, { ...init, cqs: [sends, sends, receives, receives] });
    for (const qp of pair) await bringUp(w, qp);
    senders.push(pair[0]);
  }
  return { channel, cqs: all, senders };
}

/** Gathers CQEs from now on, or no more. */
async function moderate(w: Walk, cq: Cq, isEnd: boolean): Promise<void> {
  const moderated = { cqCount: w.chance.one<number>(...counts), cqPeriod: w.chance.one<number>(...periodsUs) };
  const moderate = isEnd ? { cqCount: 1, cqPeriod: w.chance.one(0, 1) } : moderated;
  await w.call('ibv_modify_cq', { cq: of(cq.name), attr: { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate } });
}

/** As many CQEs as one CQ or the other gathers, or fewer or more. */
async function gather(w: Walk, { senders }: Gathering): Promise<void> {
  const { chance } = w;
  for (const qp of chance.some(senders, 0.8)) {
    const count = chance.between(1, 5);
    const opcodes = opcodesOf(w, qp).filter(needsReceive);
    await postReceives(w, qp.peer, Array<number>(count).fill(16));
    const wrs = Array.from({ length: count }, () => {
      const flags = ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'].filter(() => chance.happens(0.6));
      return wrOf(w, qp, messageOf(w, qp, chance.pick(opcodes) ?? 'IBV_WR_SEND', { length: 8, flags, entries: 1 }));
    });
    await w.call('ibv_post_send', { qp: of(qp.name), wrs });
  }
}

/** What happens to some CQs while they may still gather CQEs, as others may: none loses its event by it. */
async function actMeanwhile(w: Walk, { channel, cqs }: Gathering): Promise<void> {
  const { chance } = w;
  await w.call('poll', { source: of(channel.name), timeoutMs: 1 });
  const gathers = (cq: Cq): boolean => w.backlog(cq) > 0 && w.backend.cq(w.handle(cq.name)).isArmed;
  for (const cq of cqs.filter((one) => chance.happens(gathers(one) ? 0.8 : 0.2))) {
    const ways = [() => poll(w, cq, chance.one(1, 4)), () => moderate(w, cq, false)];
    if (w.has('resize-cq')) ways.push(() => resize(w, cq));
    await chance.pick(ways)?.();
  }
}

async function resize(w: Walk, cq: Cq): Promise<void> {
  await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: w.chance.one<number>(...sizes) });
  await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
}

/** When nothing is gathered any more, each CQ that was armed and has had a CQE that matches has made one event. */
async function lookAtAll(w: Walk, { channel, cqs }: Gathering): Promise<void> {
  if (w.chance.happens(0.3)) await w.call('poll', { source: of(channel.name), timeoutMs: 200 });
  await w.settle();
  await drainChannel(w, channel);
  for (const cq of cqs) await drain(w, cq);
  if (!w.has('resize-cq') || w.chance.happens(0.8)) return;
  const cq = w.chance.pick(cqs);
  if (cq !== undefined) await resize(w, cq);
}
