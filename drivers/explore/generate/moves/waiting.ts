import type { CallOp } from '../../../programs/program';
import { ackArgs, arm, drain, drainAsync } from '../completions';
import { setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, of, type Channel, type Qp, type Walk } from '../walk';
import { hasSender, move, senders, soundCqs, withOne, type Moves } from './move';
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
  if (qp.sendCq !== peer.recvCq && qp.sendCq.channel === channel && w.backend.cq(w.handle(qp.sendCq.name)).isArmed) return;
  if (!w.backend.cq(w.handle(peer.recvCq.name)).isArmed) return;
  const name = w.name('ev');
  const isPolled = w.chance.happens(0.2);
  const get = isPolled
    ? callOp('poll', { source: of(channel.name), timeoutMs: -1 })
    : callOp('ibv_get_cq_event', { channel: of(channel.name) }, name);
  const posts = [callOp('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] })];
  await w.together([get], [...noise(w), ...posts, { settle: true }]);
  if (!isPolled && w.handleOf(name) !== undefined) {
    peer.recvCq.unacked += 1;
    peer.recvCq.lastGet = name;
    peer.recvCq.hasAny = false;
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

/** Several gets of asynchronous events that wait while QPs fail. */
async function getsWhileFailing(w: Walk, qp: Qp): Promise<void> {
  const { peer } = qp;
  if (qp.srq === undefined && peer.srq === undefined) return;
  await w.settle();
  await drainAsync(w);
  if (w.isContextNonblocking) await setNonblocking(w, w.context, false);
  if (w.asyncQueued > 0 || peer.received > 0 || !w.has('last-wqe-event')) return;
  const own = peer.srq === undefined ? qp : peer;
  const name = w.name('async');
  const get = callOp('ibv_get_async_event', { context: of(w.context) }, name);
  const fail = callOp('ibv_modify_qp', { qp: of(own.name), attr: { qpState: 'IBV_QPS_ERR' }, attrMask: ['IBV_QP_STATE'] });
  own.state = 'ERR';
  own.received = 0;
  await w.together([get], [...noise(w), fail, { settle: true }]);
  w.events.push({ name, of: own.name });
  await setNonblocking(w, w.context, true);
  await drainAsync(w, w.chance.happens(0.6));
}

const withChannel = (w: Walk): Qp[] => senders(w).filter(({ peer }) => peer.recvCq.channel !== undefined && !w.isOverrun(peer.recvCq));

export const waiting: Moves = {
  'get-while-sending': move(
    2.5,
    (w) => withOne(w, withChannel(w), (qp) => (qp.peer.recvCq.channel ? getWhileSending(w, qp, qp.peer.recvCq.channel) : Promise.resolve())),
    (w) => withChannel(w).length > 0 && w.has('cq-notifications'),
  ),
  'gets-while-failing': move(1, (w) => withOne(w, senders(w), (qp) => getsWhileFailing(w, qp)), hasSender),
  'wait-for-events': move(
    1.2,
    async (w) => {
      await w.settle();
      await withOne(w, w.channels, async ({ name }) => void (await w.call('poll', { source: of(name), timeoutMs: 200 })));
    },
    ({ channels }) => channels.length > 0,
  ),
  'wait-for-async-events': move(0.6, async (w) => {
    await w.settle();
    await w.call('poll', { source: of(w.context), timeoutMs: w.chance.one(0, 1, 200) });
  }),
  'destroy-while-acking': move(
    1,
    (w) =>
      withOne(
        w,
        soundCqs(w).filter((cq) => cq.unacked > 0 && cq.users.size === 0),
        async (cq) => {
          await w.settle();
          await w.together(
            [callOp('ibv_destroy_cq', { cq: of(cq.name) })],
            [...noise(w), callOp('ibv_ack_cq_events', ackArgs(cq, cq.unacked))],
          );
          w.cqs.splice(w.cqs.indexOf(cq), 1);
        },
      ),
    (w) => soundCqs(w).some((cq) => cq.unacked > 0 && cq.users.size === 0),
  ),
};
