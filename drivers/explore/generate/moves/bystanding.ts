import { nodeType } from '../../../verbs/device';
import { eventType } from '../../../verbs/kinds';
import { arm, drain, drainAsync, drainChannel, getEvent } from '../completions';
import { allAccess, bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp, pathToSelf } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { member, of, type Qp, type Walk } from '../walk';
import { destroyCq, destroyQp, destroySrq } from './destroying';
import { hasRoom, hasSender, move, senders, withOne, type Moves } from './move';
import { limit } from './sharing';

type Bystander = (w: Walk) => Promise<unknown>;

/** Calls that change nothing of what there is: objects that come and go, and questions. */
const bystanders: readonly Bystander[] = [
  (w) => w.call('ibv_query_device', { context: of(w.context) }),
  (w) => w.call('ibv_query_port', { context: of(w.context), portNum: member('dut', 'portNum') }),
  (w) => w.call('ibv_event_type_str', { eventType: w.chance.pick(eventType.names) ?? '200' }),
  (w) => w.call('ibv_node_type_str', { nodeType: w.chance.pick(nodeType.names) ?? '200' }),
  async (w) => {
    const ah = w.name('ah');
    if (w.has('ud')) await w.call('ibv_create_ah', { pd: of(w.pd), attr: pathToSelf }, ah);
    if (w.has('ud')) await w.call('ibv_destroy_ah', { ah: of(ah) });
  },
  async (w) => {
    const [memory, mr] = [w.name('mem'), w.name('mr')];
    await w.call('memory allocate', { length: 4096 }, memory);
    const access = w.chance.happens(0.5) ? allAccess : ['IBV_ACCESS_LOCAL_WRITE'];
    await w.call('ibv_reg_mr', { pd: of(w.pd), addr: member(memory, 'addr'), length: 4096, access }, mr);
    await w.call('ibv_dereg_mr', { mr: of(mr) });
  },
  async (w) => {
    const mw = w.name('mw');
    if (w.has('memory-windows')) await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
    if (w.has('memory-windows')) await w.call('ibv_dealloc_mw', { mw: of(mw) });
  },
  async (w) => {
    const channel = w.name('ch');
    await w.call('ibv_create_comp_channel', { context: of(w.context) }, channel);
    await w.call('ibv_destroy_comp_channel', { channel: of(channel) });
  },
  async (w) => {
    const [cq, basic] = [w.name('cq'), { cqContext: '0x0', channel: null, compVector: 0 }];
    await w.call('ibv_create_cq', { context: of(w.context), cqe: 4, ...basic }, cq);
    await w.call('ibv_destroy_cq', { cq: of(cq) });
  },
  async (w) => {
    const srq = w.name('srq');
    const srqInitAttr = { attr: { maxWr: 4, maxSge: 1, srqLimit: 0 } };
    if (w.has('srq')) await w.call('ibv_create_srq', { pd: of(w.pd), srqInitAttr }, srq);
    if (w.has('srq')) await w.call('ibv_destroy_srq', { srq: of(srq) });
  },
];

export async function standBy(w: Walk): Promise<void> {
  for (let calls = w.chance.between(1, 3); calls > 0; calls--) await w.chance.pick(bystanders)?.(w);
}

/** Objects of which each has something that a call about another one may spoil, all such calls, and then a look at all. */
async function standByAll(w: Walk): Promise<void> {
  const { chance } = w;
  const channel = await makeChannel(w);
  const [cq, other] = [await makeCq(w, { cqe: 16, channel }), await makeCq(w, { cqe: 16, channel, isEx: false })];
  const srq = w.has('srq') ? await makeSrq(w) : undefined;
  if (!w.cqs.includes(cq) || !w.cqs.includes(other)) return;
  const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs: [other, other, cq, cq], srq, sharesSrq: false });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  await drainAsync(w);
  await postReceives(w, server, [24, 24, 24, 24, 24]);
  for (let events = chance.between(1, 2); events > 0; events--) {
    await arm(w, cq, 0);
    await sendOne(w, client);
    await getEvent(w, channel);
  }
  await limitAt(w, server, chance.one(2, w.received(server)));
  await arm(w, cq, 0);
  if (chance.happens(0.5)) await arm(w, other, 0);
  if (chance.happens(0.7)) await sendOne(w, client);
  if (chance.happens(0.5)) await arm(w, cq, chance.one(0, 1));
  if (w.has('sq-drain') && chance.happens(0.6)) await drainWithEvent(w, client);
  if (chance.happens(0.5)) await drainAsync(w, false);
  for (const call of chance.some(bystanders, 0.7)) await call(w);
  for (const { name } of [channel, { name: w.context }]) await w.call('fcntl', { source: of(name), cmd: 'F_GETFL' });
  for (let gets = w.queued(channel); gets > 0 && !w.isOver; gets--) await getEvent(w, channel);
  await drainAsync(w, false);
  for (let sent = 0; sent < 2; sent++) await sendOne(w, client);
  for (const one of [cq, other]) await drain(w, one);
  await drainChannel(w, channel);
  await drainAsync(w, chance.happens(0.5));
  for (const qp of pair) await destroyQp(w, qp, { waits: true });
  if (w.cqs.includes(cq) && !w.isOver) await destroyCq(w, cq, { waits: true });
  if (srq !== undefined && !w.isOver) await destroySrq(w, srq);
}

async function sendOne(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] });
  if (w.received(qp.peer) > 0) await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
}

/** Leaves an event of the context behind, which nobody has taken. */
async function drainWithEvent(w: Walk, qp: Qp): Promise<void> {
  await modifyQp(w, qp, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
  await w.settle();
  await modifyQp(w, qp, { qpState: 'IBV_QPS_RTS' });
}

async function limitAt(w: Walk, { srq }: Qp, srqLimit: number): Promise<void> {
  if (srq !== undefined) await limit(w, srq, srqLimit, ['IBV_SRQ_LIMIT']);
}

/** Sets the limit of an SRQ that later messages may reach. */
async function setLimit(w: Walk): Promise<void> {
  const served = senders(w).filter(({ peer }) => peer.srq !== undefined && w.received(peer) > 0);
  await withOne(w, served, async ({ peer }) => {
    await w.settle();
    await limitAt(w, peer, w.chance.between(1, Math.max(1, w.received(peer))));
  });
}

export const bystanding: Moves = {
  'stand-by': move(3, standBy),
  'stand-by-all': move(1.2, standByAll, (w) => hasRoom(w) && w.has('cq-notifications')),
  'set-limit': move(1.5, setLimit, (w) => w.srqs.length > 0 && hasSender(w)),
};
