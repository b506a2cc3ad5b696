import { messageOf, postReceives, wrOf } from '../work';
import { of, type Qp, type Walk } from '../walk';

/** A message of 16 bytes, for which there is a receive. */
export async function sendOne(w: Walk, qp: Qp): Promise<void> {
  await postReceives(w, qp.peer, [24]);
  await sendAlone(w, qp);
}

/** A message of 16 bytes, for which no receive is posted. */
export async function sendAlone(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'] });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
}
