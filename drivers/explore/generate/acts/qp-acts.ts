import { fencedSendStays } from '../avoided';
import { drain } from '../completions';
import type { Act } from '../aim';
import { bringUp, modifyQp } from '../objects';
import { questionAbout } from '../questions';
import { destroyQp } from '../moves/destroying';
import { makeRoom, makeRoomIn } from '../moves/room';
import { isAtomic, messageOf, needsReceive, opcodesOf, postReceives, wrOf, type Message, type Opcode } from '../work';
import { of, type Qp, type QpState, type Walk } from '../walk';
import { actOf, withGoal } from './act';

/** All that a program may do with its QPs. */
export function qpActs(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  return w.qps.flatMap((qp) => [
    destruction(w, qp),
    query(w, qp),
    ...changes(w, qp),
    ...sends(w, qp),
    ...receives(w, qp),
  ]);
}

/** What QPs do in the state in which they are, which other acts leave soon: end, be reset, take sends. */
export function qpHereActs(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  return w.qps.flatMap((qp) => [
    ...(w.events.some((event) => event.of === qp.name) ? [] : [withGoal(destruction(w, qp), 'done')]),
    ...(qp.state === 'SQD' && mayBe(w, qp, 'RESET') ? [changing(w, qp, 'RESET')] : []),
    ...posts(w, qp),
  ]);
}

const destruction = (w: Walk, qp: Qp): Act => actOf(w, 'ibv_destroy_qp', { qp: of(qp.name) }, () => destroyQp(w, qp));

const query = (w: Walk, qp: Qp): Act => {
  const { call, args } = questionAbout(w.chance, qp.name);
  return actOf(w, call, args);
};

/** The states that a QP may be brought to from each, beside those on its way up. */
const next: Readonly<Record<QpState, readonly QpState[]>> = {
  RESET: ['INIT'],
  INIT: ['INIT', 'RTR', 'ERR', 'RESET'],
  RTR: ['RTS', 'ERR', 'RESET'],
  RTS: ['RTS', 'SQD', 'ERR', 'RESET'],
  SQD: ['RTS', 'ERR'],
  ERR: ['RESET', 'ERR'],
};

function changes(w: Walk, qp: Qp): Act[] {
  const states = next[qp.state].filter((state) => mayBe(w, qp, state));
  const changed = states.map((state) => changing(w, qp, state));
  if (qp.state !== 'RTS' || qp.type === 'IBV_QPT_UD') return changed;
  const attr = { qpAccessFlags: ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_REMOTE_ATOMIC'] };
  return [...changed, actOf(w, 'ibv_modify_qp', { qp: of(qp.name), attr, attrMask: ['IBV_QP_ACCESS_FLAGS'] })];
}

function changing(w: Walk, qp: Qp, state: QpState): Act {
  const attr = { qpState: `IBV_QPS_${state}` };
  return actOf(w, 'ibv_modify_qp', { qp: of(qp.name), attr, attrMask: [] }, () => change(w, qp, state));
}

/** Whether every device does the same with what is in the queues. */
function mayBe(w: Walk, qp: Qp, state: QpState): boolean {
  if (state === 'SQD') return w.has('sq-drain');
  if (![qp, qp.peer].every(({ sendCq, recvCq }) => w.cqs.includes(sendCq) && w.cqs.includes(recvCq))) return false;
  if (state === 'RESET') return w.ownReceived(qp) === 0 && [qp.sendCq, qp.recvCq].every((cq) => !w.isOverrun(cq));
  return state !== 'RTR' || ['INIT', 'RTR', 'RTS'].includes(qp.peer.state);
}

async function change(w: Walk, qp: Qp, state: QpState): Promise<void> {
  if (state === 'RESET') return resetBoth(w, qp);
  if (state === 'ERR' && !(await makeRoomIn(w, qp.recvCq, w.ownReceived(qp)))) return;
  if (state !== 'RTR' && state !== 'INIT' && !(state === 'RTS' && qp.state === 'RTR'))
    await modifyQp(w, qp, { qpState: `IBV_QPS_${state}` });
  else if (qp.state !== state) await bringUp(w, qp, state);
  else await modifyQp(w, qp, { qpState: `IBV_QPS_${state}` });
  qp.state = state;
  await w.settle();
}

/** Both QPs of a pair number their packets anew. */
async function resetBoth(w: Walk, qp: Qp): Promise<void> {
  const pair = [qp, qp.peer].filter((one) => w.qps.includes(one));
  if (pair.some((one) => w.ownReceived(one) > 0)) return;
  for (const cq of new Set(pair.flatMap(({ sendCq, recvCq }) => [sendCq, recvCq]))) {
    if (!w.isOverrun(cq)) await drain(w, cq);
  }
  for (const one of pair) {
    if (one.state !== 'RESET') await modifyQp(w, one, { qpState: 'IBV_QPS_RESET' });
    one.state = 'RESET';
  }
  const until = w.chance.one<QpState>('RTS', 'RTR', 'INIT', 'RTS');
  if (pair.length < 2) return;
  await bringUp(w, qp.peer, until);
  await bringUp(w, qp, w.chance.one<QpState>('RTS', until));
}

const flags = ({ avoided }: Walk): readonly string[] => [
  'IBV_SEND_SOLICITED',
  ...(avoided.has(fencedSendStays) ? [] : ['IBV_SEND_FENCE']),
];

/** Whether a QP takes sends, and it is known what becomes of them. */
function canSend(w: Walk, qp: Qp): boolean {
  if (!w.cqs.includes(qp.sendCq) || !w.cqs.includes(qp.peer.recvCq)) return false;
  if (!['RTS', 'SQD', 'ERR'].includes(qp.state) || w.isOverrun(qp.sendCq) || w.isOverrun(qp.peer.recvCq)) return false;
  return w.qps.includes(qp.peer) && (qp.state === 'ERR' || ['RTR', 'RTS', 'SQD'].includes(qp.peer.state));
}

/** A send, and a list of them, whatever they are; in IBV_QPS_SQD they stay there. */
function posts(w: Walk, qp: Qp): Act[] {
  if (!canSend(w, qp)) return [];
  return [1, 2].map((count) => {
    const wrs = Array.from({ length: count }, () => ({ wrId: '0x1', sgList: [] }));
    return actOf(w, 'ibv_post_send', { qp: of(qp.name), wrs }, () =>
      post(w, qp, 'IBV_WR_SEND', ['IBV_SEND_SIGNALED'], { count, goesOn: false }),
    );
  });
}

/** One send of each kind, in the states in which a QP takes sends. */
function sends(w: Walk, qp: Qp): Act[] {
  if (!canSend(w, qp)) return [];
  const state = `${qp.type.replace('IBV_QPT_', '')}, posted in ${qp.state}`;
  const about = (operation: string): Act['situation'] => ({ kind: 'work request', state, operation });
  const byOpcode = opcodesOf(w, qp).flatMap((opcode) =>
    [true, false].map((isSignaled) => ({
      situation: about(`${opcode}, ${isSignaled || qp.signalsAll ? 'signaled' : 'not signaled'}`),
      make: () => post(w, qp, opcode, isSignaled ? ['IBV_SEND_SIGNALED'] : []),
    })),
  );
  const inline = w.has('inline') ? ['IBV_SEND_INLINE'] : [];
  const byFlag = [...flags(w), ...inline].map((flag) => ({
    situation: about(`a send with ${flag}`),
    make: () => post(w, qp, 'IBV_WR_SEND', ['IBV_SEND_SIGNALED', flag]),
  }));
  return [...byOpcode, ...byFlag];
}

async function post(
  w: Walk,
  qp: Qp,
  opcode: Opcode,
  asked: readonly string[],
  { count = w.chance.one(1, 1, 2), goesOn = true } = {},
): Promise<void> {
  const length = isAtomic(opcode) ? 8 : 16;
  const messages: Message[] = Array.from({ length: count }, () => messageOf(w, qp, opcode, { length, flags: asked }));
  // What waits in IBV_QPS_SQD needs its receives when it goes on.
  if (!(await makeRoom(w, qp, messages)) || !(await makeRoomIn(w, qp.sendCq, 2 * count))) return;
  if (needsReceive(opcode) && qp.state !== 'ERR')
    await postReceives(
      w,
      qp.peer,
      messages.map(() => length),
    );
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
  await w.settle();
  if (qp.state === 'SQD' && goesOn && w.chance.happens(0.8)) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_RTS' });
    qp.state = 'RTS';
    await w.settle();
  }
}

function receives(w: Walk, qp: Qp): Act[] {
  if (qp.state === 'RESET' || !w.cqs.includes(qp.recvCq) || qp.srq !== undefined || w.ownReceived(qp) > 6) return [];
  return [1, 2].map((count) => {
    const wrs = Array.from({ length: count }, () => ({ wrId: '0x1', sgList: [] }));
    return actOf(w, 'ibv_post_recv', { qp: of(qp.name), wrs }, async () => {
      if (qp.state === 'ERR' && !(await makeRoomIn(w, qp.recvCq, count))) return;
      await postReceives(w, qp, Array<number>(count).fill(32));
      await w.settle();
    });
  });
}
