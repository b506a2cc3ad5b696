import type { CallOp, Op } from '../../../programs/program';
import { arm, drain, drainAsync, getEvent } from '../completions';
import { setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, of, type Channel, type Qp, type Walk } from '../walk';
import { hasSender, move, senders, withOne, type Moves } from './move';
import { makeRoom } from './room';

/** A get that waits for the event of a message that another thread sends. */
async function getWhileSending(w: Walk, qp: Qp, channel: Channel): Promise<void> {
  await w.settle();
  if (w.queued(channel) > 0) return;
  const { peer } = qp;
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] });
  if (!(await makeRoom(w, qp, [message]))) return;
  if (channel.isNonblocking) await setNonblocking(w, channel.name, false);
  await postReceives(w, peer, [32]);
  await drainAll(w, qp);
  await arm(w, peer.recvCq, w.chance.one(0, 1));
  if (qp.sendCq !== peer.recvCq && qp.sendCq.channel === channel && w.backend.cq(w.handle(qp.sendCq.name)).isArmed)
    return;
  if (!w.backend.cq(w.handle(peer.recvCq.name)).isArmed) return;
  const name = w.name('ev');
  const isPolled = w.chance.happens(0.2);
  const get = isPolled
    ? callOp('poll', { source: of(channel.name), timeoutMs: w.chance.one(-1, -1, -2) })
    : callOp('ibv_get_cq_event', { channel: of(channel.name) }, name);
  const posts: Op[] = [callOp('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] })];
  if (w.chance.happens(0.4)) posts.unshift({ settle: true });
  await w.together([get], [...noise(w), ...posts, { settle: true }]);
  if (!isPolled && w.handleOf(name) !== undefined) {
    peer.recvCq.unacked += 1;
    peer.recvCq.hasAny = false;
  }
  if (w.chance.happens(0.5)) {
    await setNonblocking(w, channel.name, true);
    await getEvent(w, channel);
  }
  await drain(w, peer.recvCq);
}

/** Calls that wake nobody. */
function noise(w: Walk): CallOp[] {
  const count = w.chance.below(3);
  const cq = w.cqs[0];
  if (cq === undefined) return [];
  return Array.from({ length: count }, () => callOp('struct ibv_cq', { cq: of(cq.name) }));
}

async function drainAll(w: Walk, qp: Qp): Promise<void> {
  for (const cq of new Set([qp.sendCq, qp.peer.recvCq])) await drain(w, cq);
}

/** Gets of asynchronous events that wait until send queues are drained. */
async function getsWhileDraining(w: Walk, qp: Qp): Promise<void> {
  const qps = w.chance.happens(0.5) ? [qp] : [...new Set([qp, ...senders(w)])].slice(0, 2);
  await w.settle();
  await drainAsync(w);
  if (w.isContextNonblocking) await setNonblocking(w, w.context, false);
  if (w.asyncQueued > 0) return;
  const names = qps.map(() => w.name('async'));
  const gets = names.map((name) => [callOp('ibv_get_async_event', { context: of(w.context) }, name)]);
  const attr = { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true };
  const attrMask = ['IBV_QP_STATE', 'IBV_QP_EN_SQD_ASYNC_NOTIFY'];
  const drains = qps.map(({ name }) => callOp('ibv_modify_qp', { qp: of(name), attr, attrMask }));
  const begin: Op[] = w.chance.happens(0.6) ? [{ settle: true }] : noise(w);
  await w.together(...gets, [...begin, ...drains, { settle: true }]);
  for (const [index, name] of names.entries()) w.events.push({ name, of: qps[index]?.name });
  await setNonblocking(w, w.context, true);
  await drainAsync(w, w.chance.happens(0.6));
  for (const { name } of qps)
    await w.call('ibv_modify_qp', { qp: of(name), attr: { qpState: 'IBV_QPS_RTS' }, attrMask: ['IBV_QP_STATE'] });
}

const withChannel = (w: Walk): Qp[] =>
  senders(w).filter(({ peer }) => peer.recvCq.channel !== undefined && !w.isOverrun(peer.recvCq));

export const waiting: Moves = {
  'get-while-sending': move(
    4,
    (w) =>
      withOne(w, withChannel(w), (qp) =>
        qp.peer.recvCq.channel ? getWhileSending(w, qp, qp.peer.recvCq.channel) : Promise.resolve(),
      ),
    (w) => withChannel(w).length > 0 && w.has('cq-notifications'),
  ),
  'gets-while-draining': move(
    2,
    (w) => withOne(w, senders(w), (qp) => getsWhileDraining(w, qp)),
    (w) => hasSender(w) && w.has('sq-drain'),
  ),
  'wait-for-events': move(
    1.2,
    async (w) => {
      await w.settle();
      await withOne(w, w.channels, async ({ name }) => await w.call('poll', { source: of(name), timeoutMs: 200 }));
    },
    ({ channels }) => channels.length > 0,
  ),
  'wait-for-async-events': move(0.6, async (w) => {
    await w.settle();
    await w.call('poll', { source: of(w.context), timeoutMs: w.chance.one(0, 1, 200) });
  }),
};
