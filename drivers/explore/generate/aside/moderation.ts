import { arm, drain, drainChannel } from '../completions';
import { sendOne } from '../moves/messages';
import { bringUp, makeChannel, makeCq, makePair, setNonblocking } from '../objects';
import { of, type Walk } from '../walk';

/** Of two CQs that share a channel one is moderated, and the other one tells of each CQE at once. */
export async function moderateOneOfTwo(w: Walk): Promise<void> {
  const { chance } = w;
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  const init = { cqe: 16, channel, isEx: false };
  const [moderated, plain] = [await makeCq(w, init), await makeCq(w, init)];
  const large = await makeCq(w, { cqe: 64, channel: undefined, isEx: false });
  if ([moderated, plain, large].some((cq) => !w.cqs.includes(cq))) return;
  const connection = { type: 'IBV_QPT_RC', srq: undefined, sharesSrq: false, signalsAll: false } as const;
  const pair = await makePair(w, { ...connection, cqs: [large, large, large, chance.one(plain, plain, moderated)] });
  for (const qp of pair) await bringUp(w, qp);
  const [client, { recvCq }] = pair;
  const moderate = { cqCount: chance.between(2, 3), cqPeriod: 2000 };
  const attr = { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate };
  await w.call('ibv_modify_cq', { cq: of(moderated.name), attr });
  for (const cq of [moderated, plain]) await arm(w, cq, 0);
  await sendOne(w, client);
  if (chance.happens(0.5)) await w.call('poll', { source: of(channel.name), timeoutMs: 200 });
  await w.settle();
  await drainChannel(w, channel);
  await drain(w, recvCq);
  await drain(w, large);
}
