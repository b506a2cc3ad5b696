import { maskOf, qpAttrBits, type QpAttr } from '../../../contract';
import type { ProgramStruct } from '../../../programs/program';
import { attributesNeeded } from '../../../sim/qp/attributes-of-states';
import { leadsTo } from '../../../sim/qp/states';
import { refusedSendStays } from '../avoided';
import { drain } from '../completions';
import { attrOf, bringUp, makeCq, makePair, makeSrq, modifyQp, nextOnTheWay } from '../objects';
import { questionAbout } from '../questions';
import { messageOf, postReceives, wrOf } from '../work';
import { of, type Qp, type QpState, type Region, type Walk } from '../walk';
import { destroyCq, destroySrq } from './destroying';
import { typesOf } from './lifetimes';
import { sendAlone } from './messages';
import { hasRoom, move, withOne, type Moves } from './move';
import { recoverPair } from './sharing';
import { entriesOf } from './varied';

const states: readonly QpState[] = ['INIT', 'RTR', 'RTS', 'SQD'];

/** The states to which no way leads from another one. */
const unreachableFrom = (from: QpState): QpState[] =>
  states.filter((to) => !leadsTo(`IBV_QPS_${from}`, `IBV_QPS_${to}`));

/** Attributes that a QP has otherwise. */
const connected: ProgramStruct = {
  qpAccessFlags: [],
  pathMtu: 'IBV_MTU_256',
  destQpNum: 0x77,
  rqPsn: 0x345,
  sqPsn: 0x345,
  minRnrTimer: 7,
  timeout: 9,
  retryCnt: 6,
  rnrRetry: 5,
};
const datagrams: ProgramStruct = { qkey: 0x2222, sqPsn: 0x345 };

/** A state to which no way leads, with other attributes. */
function attrOfUnreachable({ chance }: Walk, { type, state }: Qp): ProgramStruct | undefined {
  const to = chance.pick(unreachableFrom(state));
  const others = Object.entries(type === 'IBV_QPT_UD' ? datagrams : connected);
  return to && { ...Object.fromEntries(chance.some(others, 0.4)), qpState: `IBV_QPS_${to}` };
}

/** What brings a QP to its next state, without one of the attributes that it needs there. */
export function attrLackingOne(w: Walk, qp: Qp): ProgramStruct | undefined {
  const next = nextOnTheWay(qp.state);
  if (next === undefined) return undefined;
  const lacking = w.chance.pick(attributesNeeded(qp.type, `IBV_QPS_${qp.state}`, `IBV_QPS_${next}`));
  if (lacking === undefined) return undefined;
  const attr = Object.entries(attrOf(w, qp, next)).filter(([name]) => qpAttrBits[name as keyof QpAttr] !== lacking);
  const other: ProgramStruct = qp.type === 'IBV_QPT_UD' ? { qkey: 0x2222 } : { qpAccessFlags: [] };
  return { ...Object.fromEntries(attr), ...(w.chance.happens(0.8) && other) };
}

/** Asks for a state that the QP does not go to, and for attributes: neither is set. */
export async function changeInVain(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const attr = (chance.happens(0.5) ? attrLackingOne(w, qp) : undefined) ?? attrOfUnreachable(w, qp);
  if (attr === undefined) return;
  await w.call('ibv_modify_qp', { qp: of(qp.name), attr, attrMask: maskOf(qpAttrBits, attr as QpAttr) });
  for (let asked = chance.between(1, 3); asked > 0; asked--) await w.perform(questionAbout(chance, qp.name));
}

/** Sends that are posted too early are gone: nothing is done of them in the states that follow. */
async function sendTooEarly(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 32 })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const pair = await makePair(w, { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  const [client, server] = pair;
  await bringUp(w, server);
  await bringUp(w, client, chance.one<QpState>('INIT', 'RTR', 'RESET'));
  if (chance.happens(0.8)) await changeInVain(w, client);
  await postReceives(w, server, [80, 80, 80]);
  const messages = Array.from({ length: chance.between(1, 3) }, () =>
    messageOf(w, client, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'] }),
  );
  await w.call('ibv_post_send', { qp: of(client.name), wrs: messages.map((message) => wrOf(w, client, message)) });
  if (chance.happens(0.6)) {
    await bringUp(w, client);
    await sendAlone(w, client);
  } else if (client.state !== 'RESET') {
    await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
    client.state = 'ERR';
  }
  await w.settle();
  await drain(w, cq);
  if (chance.happens(0.5)) await recoverPair(w, client);
}

/** Lists of which one request is larger than the queue takes: what stands before it is done, and what stands behind is not. */
async function postTooLarge(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64 })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const pair = await makePair(w, { type, cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  const place = chance.below(3);
  const receives = [84, 84, 84].map((length, at) => ({
    wrId: w.wrId(),
    sgList: cut(server.region, 4096 + at * 1024, length, chance.happens(0.5) && at === place ? 3 : 1),
  }));
  await w.call('ibv_post_recv', { qp: of(server.name), wrs: receives });
  const isInline = w.has('inline') && chance.happens(0.5);
  const sends = [16, 16, 16].map((usual, at) => {
    const flags = isInline ? ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] : ['IBV_SEND_SIGNALED'];
    const wr = wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: usual, flags }));
    if (at !== place) return wr;
    return { ...wr, sgList: isInline ? cut(client.region, 4096, 520, 1) : cut(client.region, 4096, 40, 5) };
  });
  await w.call('ibv_post_send', { qp: of(client.name), wrs: sends.slice(0, chance.one(3, place + 1)) });
  await w.settle();
  await drain(w, cq);
  if (chance.happens(0.5)) await recoverPair(w, client);
}

/** So many entries of a scatter/gather list, one behind the other. */
const cut = (region: Region, at: number, length: number, count: number): ProgramStruct[] =>
  entriesOf(
    region,
    Array.from({ length: count }, (_, index) => ({ at: at + (index * length) / count, length: length / count })),
  );

/** More receives than a queue is asked to hold: it holds those that it has taken, and no others. */
async function postTooMany(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 200 });
  if (!w.cqs.includes(cq)) return;
  const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false });
  const [client, server] = pair;
  await bringUp(w, server);
  for (const count of chance.one([130], [60, 70], [64, 66])) {
    const wrs = Array.from({ length: count }, () => ({ wrId: w.wrId(), sgList: [] }));
    await w.call('ibv_post_recv', { qp: of(server.name), wrs });
  }
  if (chance.happens(0.5)) await bringUp(w, client);
  await recoverPair(w, client);
  await drain(w, cq);
}

/** A QP of UC does not use an SRQ; what it was to use can be destroyed. */
async function shareReceivesOfUc(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 4 });
  if (!w.cqs.includes(cq)) return;
  const srq = await makeSrq(w);
  const cap = { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
  const uses = { sendCq: of(cq.name), recvCq: of(cq.name), srq: of(srq.name) };
  const qpInitAttr = { ...uses, cap, qpType: 'IBV_QPT_UC', sqSigAll: false };
  await w.call('ibv_create_qp', { pd: of(w.pd), qpInitAttr }, w.name('qp'));
  await destroySrq(w, srq);
  await destroyCq(w, cq);
}

export const refusing: Moves = {
  'share-receives-of-uc': move(
    0.5,
    shareReceivesOfUc,
    (w) => hasRoom(w) && w.has('uc') && w.has('srq') && w.srqs.length < 3,
  ),
  'post-too-large': move(1, postTooLarge, (w) => hasRoom(w) && w.size < 80),
  'post-too-many': move(0.5, postTooMany, (w) => hasRoom(w) && w.size < 70),
  'change-in-vain': move(
    2.5,
    (w) => withOne(w, w.qps, (qp) => changeInVain(w, qp)),
    ({ qps }) => qps.length > 0,
  ),
  'send-too-early': move(1.2, sendTooEarly, (w) => hasRoom(w) && w.size < 80 && !w.avoided.has(refusedSendStays)),
};
