import type { Op } from '../../../programs/program';
import { dutName } from '../../../programs/bindings';
import type { Cell } from '../../coverage/cell';
import type { Act } from '../aim';
import { drain } from '../completions';
import { destroyQp } from '../moves/destroying';
import { senders } from '../moves/move';
import { makeRoom, makeRoomIn } from '../moves/room';
import { bringUp, makeRegion, setNonblocking } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, member, of, type Qp, type Walk } from '../walk';
import { canRig, clearAsync, connect, hasRoomForRig, isSure, makeRig, move, sendTo, type Rig } from './rig';

/** Each asynchronous event that a program can cause comes into the context as it is, and stays there. */
export function raisingActs(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  const canWait = hasRoomForRig(w) && canRig(w, 'IBV_QPT_RC') && w.has('sq-drain');
  return [...drained(w), ...established(w), ...refused(w), ...ofSrqs(w), ...(canWait ? waits(w) : []), closing(w)];
}

function raising(w: Walk, eventType: string, make: () => Promise<unknown>, outcome?: string): Act[] {
  const now = w.situationOf(callOp('ibv_query_device', { context: of(w.context) }));
  if (now === undefined) return [];
  const situation = { ...now, operation: `${eventType} comes` };
  if (outcome === undefined) return [{ situation, make }];
  return [
    {
      situation: { ...situation, operation: `${situation.operation} to no one` },
      goals: [{ ...situation, outcome }],
      make,
    },
  ];
}

function drained(w: Walk): Act[] {
  const qp = senders(w).find(({ sendCq }) => !w.isOverrun(sendCq));
  if (qp === undefined || !w.has('sq-drain')) return [];
  return raising(w, 'IBV_EVENT_SQ_DRAINED', async () => {
    await move(w, qp, 'SQD', { enSqdAsyncNotify: true });
    await move(w, qp, 'RTS');
  });
}

const reliable = (w: Walk): Qp[] =>
  senders(w).filter(({ type, peer }) => type === 'IBV_QPT_RC' && peer.state === 'RTS');

const cqsOf = (qp: Qp): Set<Qp['sendCq']> => new Set([qp.sendCq, qp.recvCq, qp.peer.sendCq, qp.peer.recvCq]);

/** A message comes to a QP that is ready to receive, and not yet to send. */
function established(w: Walk): Act[] {
  const qp = reliable(w).find(
    (one) => [one, one.peer].every((end) => w.ownReceived(end) === 0 && w.qps.includes(end)) && areSound(w, one),
  );
  if (qp === undefined) return [];
  return raising(w, 'IBV_EVENT_COMM_EST', async () => {
    for (const cq of cqsOf(qp)) await drain(w, cq);
    for (const one of [qp, qp.peer]) await move(w, one, 'RESET');
    await bringUp(w, qp.peer, 'RTR');
    await bringUp(w, qp);
    if (await makeRoom(w, qp, [{ opcode: 'IBV_WR_SEND' }])) await sendTo(w, qp);
    await bringUp(w, qp.peer);
  });
}

const areSound = (w: Walk, qp: Qp): boolean => [...cqsOf(qp)].every((cq) => w.cqs.includes(cq) && !w.isOverrun(cq));

/** A peer reaches for memory that it may not touch; both QPs are in the error state after that. */
function refused(w: Walk): Act[] {
  const qp = reliable(w).find((one) => areSound(w, one));
  if (qp === undefined) return [];
  return raising(w, 'IBV_EVENT_QP_ACCESS_ERR', async () => {
    const { peer } = qp;
    for (const cq of cqsOf(qp)) if (!(await makeRoomIn(w, cq, 2 + w.ownReceived(qp) + w.ownReceived(peer)))) return;
    const { mr } = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE']);
    const message = messageOf(w, qp, 'IBV_WR_RDMA_WRITE', { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
    const target = { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') };
    await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message, target)] });
    await w.settle();
    for (const one of [qp, peer]) await move(w, one, 'ERR');
  });
}

/** The events that have to do with SRQs: each of a pair of its own. */
function ofSrqs(w: Walk): Act[] {
  if (!hasRoomForRig(w) || !canRig(w, 'IBV_QPT_RC', true)) return [];
  const make = (act: (rig: Rig) => Promise<unknown>) => async (): Promise<void> => {
    const rig = await makeRig(w, { type: 'IBV_QPT_RC', hasSrq: true });
    if (rig === undefined) return;
    await connect(w, rig);
    await act(rig);
  };
  const lastWqe = 'IBV_EVENT_QP_LAST_WQE_REACHED';
  const failed = ({ server }: Rig): Promise<void> => move(w, server, 'ERR');
  const limited = async ({ client, server }: Rig): Promise<void> => {
    await setLimit(w, server);
    await sendTo(w, client, {}, false);
  };
  const ofLast = [
    ...raising(w, lastWqe, make(failed)),
    ...raising(
      w,
      lastWqe,
      make(({ server }) => failAndDestroy(w, server)),
      'its object has ended',
    ),
  ];
  return [...raising(w, 'IBV_EVENT_SRQ_LIMIT_REACHED', make(limited)), ...(w.has('last-wqe-event') ? ofLast : [])];
}

async function setLimit(w: Walk, qp: Qp): Promise<void> {
  const { srq } = qp;
  if (srq === undefined) return;
  await postReceives(w, qp, [32, 32]);
  await w.call('ibv_modify_srq', { srq: of(srq.name), srqAttr: { srqLimit: 2 }, srqAttrMask: ['IBV_SRQ_LIMIT'] });
}

/** The event is on its way when the QP is destroyed. */
async function failAndDestroy(w: Walk, qp: Qp): Promise<void> {
  await w.call('ibv_modify_qp', { qp: of(qp.name), attr: { qpState: 'IBV_QPS_ERR' }, attrMask: ['IBV_QP_STATE'] });
  await destroyQp(w, qp, { keepsCqes: true });
}

const settle: Op = { settle: true };

/** Who waits for an event of a context gets it: a get, or a poll(2) without end. */
function waits(w: Walk): Act[] {
  const modes = [true, false].map((isNonblocking) => polling(w, isNonblocking));
  return canRig(w, 'IBV_QPT_RC', true) ? [...modes, getting(w)] : modes;
}

function polling(w: Walk, isNonblocking: boolean): Act {
  const place = { kind: 'context', state: `no event, ${isNonblocking ? 'non-blocking' : 'blocking'}` } as const;
  const goal: Cell = { ...place, operation: 'poll without end', outcome: 'POLLIN after a wait' };
  return {
    situation: { ...place, operation: 'poll while an event comes' },
    goals: [goal],
    make: async () => {
      await clearAsync(w);
      const rig = await makeRig(w, { type: 'IBV_QPT_RC' });
      if (rig === undefined || isSure(w)) return;
      await connect(w, rig);
      await setNonblocking(w, w.context, isNonblocking);
      const attr = { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true };
      const attrMask = ['IBV_QP_STATE', 'IBV_QP_EN_SQD_ASYNC_NOTIFY'];
      await w.together(
        [callOp('poll', { source: of(w.context), timeoutMs: -1 })],
        [settle, callOp('ibv_modify_qp', { qp: of(rig.client.name), attr, attrMask }), settle],
      );
      rig.client.state = 'SQD';
      await clearAsync(w);
    },
  };
}

function getting(w: Walk): Act {
  const place = { kind: 'context', state: 'no event, blocking' } as const;
  const outcome = 'IBV_EVENT_SRQ_LIMIT_REACHED after a wait';
  return {
    situation: { ...place, operation: 'ibv_get_async_event while a limit is reached' },
    goals: [{ ...place, operation: 'ibv_get_async_event', outcome }],
    make: async () => {
      await clearAsync(w);
      const rig = await makeRig(w, { type: 'IBV_QPT_RC', hasSrq: true });
      if (rig === undefined || isSure(w)) return;
      await connect(w, rig);
      await setLimit(w, rig.server);
      await setNonblocking(w, w.context, false);
      const message = messageOf(w, rig.client, 'IBV_WR_SEND', { length: 16, flags: [] });
      const name = w.name('async');
      await w.together(
        [callOp('ibv_get_async_event', { context: of(w.context) }, name)],
        [settle, callOp('ibv_post_send', { qp: of(rig.client.name), wrs: [wrOf(w, rig.client, message)] }), settle],
      );
      if (w.handleOf(name) !== undefined) w.events.push({ name, of: rig.server.srq?.name });
    },
  };
}

/** A context of which nothing was made ends, which does not wait for events. */
function closing(w: Walk): Act {
  const there = { kind: 'context', state: 'no event, non-blocking', operation: 'ibv_close_device' } as const;
  return {
    situation: there,
    make: async () => {
      const name = w.name('ctx');
      await w.call('ibv_open_device', { device: member(dutName, 'name') }, name);
      await w.call('fcntl', { source: of(name), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] });
      await w.call('ibv_close_device', { context: of(name) });
    },
  };
}
