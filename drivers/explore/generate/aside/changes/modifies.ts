import { maskOf, qpAttrBits, type QpAttr } from '../../../../contract';
import type { ProgramStruct } from '../../../../programs/program';
import { sendOfSqdStays } from '../../avoided';
import { drain, drainAsync } from '../../completions';
import { pickOpcode, reach } from '../../moves/reaching';
import { recoverPair } from '../../moves/sharing';
import { attrOf, bringUp, makeCq, makePair, rightsOf } from '../../objects';
import { attrMasks } from '../../questions';
import { look, messageOf, postReceives, wrOf, writePayload } from '../../work';
import { callOp, member, of, type Qp, type Walk } from '../../walk';
import { comeBack } from '../memory/keys';
import { withUnmasked } from '../unmasked';

/** A QP is modified over and over: what was changed stays so in each state, and nothing else changes. */
export async function modifyOverAndOver(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const init = { type: 'IBV_QPT_RC', srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 7 } as const;
  const rights = someRights(w);
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq], rights });
  for (const qp of pair) await goUpByDetours(w, qp);
  const ways = [changeRights, pause, pause, waitMeanwhile, reachOver];
  for (let left = chance.between(4, 8); left > 0 && !w.isOver && w.size < 170; left--) {
    await chance.pick(ways)?.(w, chance.one(...pair));
    await w.settle();
    await drain(w, cq);
    if (pair.some((qp) => w.hasFailed(qp))) await comeBack(w, pair[0]);
  }
  await drainAsync(w);
  await recoverPair(w, pair[0]);
}

function someRights(w: Walk): readonly string[] {
  const all = rightsOf(w);
  return w.chance.happens(0.5) ? all : w.chance.some(all, 0.5);
}

/** Attributes that the mask does not name may be anything. */
async function modify(w: Walk, qp: Qp, attr: ProgramStruct): Promise<void> {
  const attrMask = maskOf(qpAttrBits, attr as QpAttr);
  await w.perform(withUnmasked(w.chance, callOp('ibv_modify_qp', { qp: of(qp.name), attr, attrMask })));
  if (w.chance.happens(0.4))
    await w.call('ibv_query_qp', { qp: of(qp.name), attrMask: w.chance.pick(attrMasks) ?? ['IBV_QP_STATE'] });
}

/** From IBV_QPS_INIT there is a way to itself, on which what is left out stays. */
async function goUpByDetours(w: Walk, qp: Qp): Promise<void> {
  await bringUp(w, qp, 'INIT');
  const whole = attrOf(w, qp, 'INIT');
  for (let times = w.chance.one(0, 1, 1, 2); times > 0; times--) {
    const kept = Object.entries(whole).filter(([name]) => name !== 'qpState' && w.chance.happens(0.4));
    await modify(w, qp, { qpState: 'IBV_QPS_INIT', ...Object.fromEntries(kept) });
  }
  await bringUp(w, qp);
}

const changeRights = (w: Walk, qp: Qp): Promise<void> => modify(w, qp, { qpAccessFlags: [...someRights(w)] });

/** To IBV_QPS_SQD and back, with the end of it told or not; rights may be changed there as well. */
async function pause(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  if (!w.has('sq-drain')) return;
  if (chance.happens(0.5)) await write(w, qp);
  if (w.avoided.has(sendOfSqdStays)) await w.settle();
  const tells = chance.one({}, { enSqdAsyncNotify: true }, { enSqdAsyncNotify: false });
  await modify(w, qp, { qpState: 'IBV_QPS_SQD', ...tells });
  if (chance.happens(0.4)) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask: ['IBV_QP_STATE'] });
  await w.settle();
  await drainAsync(w);
  if (chance.happens(0.4)) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask: ['IBV_QP_STATE'] });
  if (chance.happens(0.4)) await modify(w, qp, { qpAccessFlags: [...someRights(w)] });
  await modify(w, qp, { qpState: 'IBV_QPS_RTS' });
}

async function write(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  await postReceives(w, qp.peer, [16]);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
}

/** What is changed meanwhile is nothing to a send that waits for a receive. */
async function waitMeanwhile(w: Walk, qp: Qp): Promise<void> {
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  await writePayload(w, qp, message);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await changeRights(w, qp);
  if (w.chance.happens(0.5)) await changeRights(w, qp.peer);
  const [receive] = await postReceives(w, qp.peer, [24]);
  await w.settle();
  await drain(w, qp.sendCq);
  if (receive !== undefined) await look(w, qp.peer.region, receive.at, 16);
}

async function reachOver(w: Walk, qp: Qp): Promise<void> {
  const { memory, mr } = qp.peer.region;
  await reach(w, qp, pickOpcode(w, qp), { memory, at: 4096, rkey: member(mr, 'rkey') }, qp.region);
}
