import { drainAsync, ackAsync } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeSrq, modifyQp } from '../objects';
import { typesOf } from '../moves/lifetimes';
import { messageOf, postReceives, wrOf, type Message } from '../work';
import { of, type Channel, type Cq, type Qp, type QpState, type QpType, type Walk } from '../walk';

/** A pair of QPs and CQs for one act, of which is known what is in them. */
export interface Rig {
  readonly channel: Channel | undefined;
  /** That of the receives of the server. */
  readonly cq: Cq;
  readonly client: Qp;
  readonly server: Qp;
}

export interface RigInit {
  readonly type: QpType;
  /** Entries of the CQ of the server's receives. */
  readonly cqe?: number;
  readonly hasSrq?: boolean;
  readonly hasChannel?: boolean;
  readonly ignoresOverrun?: boolean;
}

/** Calls that an act on objects of its own may take. */
const callsOfRig = 60;

/** Whether a program has room for objects that one act alone needs. */
export const hasRoomForRig = (w: Walk): boolean => w.qps.length < 10 && w.cqs.length < 12 && w.size < callsOfRig;

/** Whether a pair of that type can be made, with an SRQ or without. */
export const canRig = (w: Walk, type: QpType, hasSrq = false): boolean =>
  typesOf(w).includes(type) && (!hasSrq || (w.has('srq') && type === 'IBV_QPT_RC'));

/** Makes both QPs; they are in IBV_QPS_RESET. */
export async function makeRig(w: Walk, init: RigInit): Promise<Rig | undefined> {
  const { type, cqe = 8, hasSrq = false, hasChannel = false, ignoresOverrun = false } = init;
  const channel = hasChannel && w.has('cq-notifications') ? await makeChannel(w) : undefined;
  const cq = await makeCq(w, { cqe, channel, isEx: ignoresOverrun, ignoresOverrun });
  const other = await makeCq(w, { cqe: 64, channel: undefined, isEx: false });
  if (!w.cqs.includes(cq) || !w.cqs.includes(other)) return undefined;
  const srq = hasSrq ? await makeSrq(w) : undefined;
  const cqs = [other, other, other, cq] as const;
  const [client, server] = await makePair(w, { type, cqs, srq, rnrRetry: 7, sharesSrq: hasSrq, signalsAll: false });
  return w.isOver ? undefined : { channel, cq, client, server };
}

/** Brings both QPs to IBV_QPS_RTS. */
export async function connect(w: Walk, { client, server }: Rig): Promise<void> {
  for (const qp of [server, client]) await bringUp(w, qp);
}

/** Moves a QP to a state, by the attributes that this takes, and waits for what follows. */
export async function move(
  w: Walk,
  qp: Qp,
  state: QpState,
  attr: Readonly<Record<string, boolean>> = {},
): Promise<void> {
  await modifyQp(w, qp, { qpState: `IBV_QPS_${state}`, ...attr });
  qp.state = state;
  await w.settle();
}

/** Sends a message of 16 bytes, for which there is a receive or not. */
export async function sendTo(w: Walk, qp: Qp, wanted: Partial<Message> = {}, hasReceive = true): Promise<void> {
  if (hasReceive) await postReceives(w, qp.peer, [16]);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: [], ...wanted });
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
}

/** Takes and acknowledges all asynchronous events that can be taken, so that those that come are known. */
export async function clearAsync(w: Walk): Promise<void> {
  await w.settle();
  await drainAsync(w, false);
  await ackAsync(w);
}

/** Whether the next asynchronous event is one that every device raises. */
export const isSure = (w: Walk): boolean => w.asyncQueued > 0;
