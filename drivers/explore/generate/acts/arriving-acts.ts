import type { Act } from '../aim';
import { senders, soundCqs } from '../moves/move';
import { modifyQp } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { callOp, of, type Cq, type Qp, type Walk } from '../walk';

/** Has a CQE of each kind come into CQs as they are, where there is room. */
export function arrivingActs(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  return soundCqs(w)
    .filter((cq) => w.backlog(cq) < w.backend.cq(w.handle(cq.name)).size)
    .flatMap((cq) => [...messages(w, cq), ...failures(w, cq)]);
}

function messages(w: Walk, cq: Cq): Act[] {
  const qp = senders(w).find((one) => one.peer.recvCq === cq && one.sendCq !== cq && one.peer.srq === undefined);
  if (qp === undefined) return [];
  return [true, false].map((isSolicited) =>
    arriving(w, cq, isSolicited ? 'solicited' : 'not solicited', () => send(w, qp, isSolicited)),
  );
}

async function send(w: Walk, qp: Qp, isSolicited: boolean): Promise<void> {
  if (w.isOverrun(qp.sendCq) || w.backlog(qp.sendCq) >= w.backend.cq(w.handle(qp.sendCq.name)).size) return;
  const flags = isSolicited ? ['IBV_SEND_SOLICITED'] : [];
  await postReceives(w, qp.peer, [16]);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
}

/** A receive is flushed. */
function failures(w: Walk, cq: Cq): Act[] {
  const isIdle = (qp: Qp): boolean => qp.recvCq === cq && ['RTR', 'RTS'].includes(qp.state) && qp.srq === undefined;
  const qp = w.qps.find((one) => isIdle(one) && w.ownReceived(one) < 2);
  return qp === undefined ? [] : [arriving(w, cq, 'failed', () => flush(w, qp))];
}

async function flush(w: Walk, qp: Qp): Promise<void> {
  if (w.ownReceived(qp) === 0) await postReceives(w, qp, [16]);
  await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
  qp.state = 'ERR';
  await w.settle();
}

function arriving(w: Walk, cq: Cq, what: string, make: () => Promise<unknown>): Act {
  const look = callOp('struct ibv_cq', { cq: of(cq.name) });
  const now = w.situationOf(look);
  return {
    situation: now && { ...now, operation: `a CQE comes, ${what}` },
    make,
    stateAfter: () => w.situationOf(look)?.state,
  };
}
