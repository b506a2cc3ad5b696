import type { ProgramStruct, ProgramValue } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { destroyQp } from '../../moves/destroying';
import { bringUp, makeCq, makePair, makeSrq, modifyQp, nextOnTheWay, qkey } from '../../objects';
import { look, messageOf, postReceives, wrOf, writePayload } from '../../work';
import { member, of, type Cq, type Qp, type QpState, type Walk } from '../../walk';

/** Q_Keys; the highest bit has a meaning of its own. */
const qkeys = [qkey, 0, 1, 0x11, 0x1_0011, 0x1111_0000, 0x7fff_ffff] as const;

/** Q_Keys that are almost another one: in its low bits, in its high ones, or in all but one bit. */
const near: readonly ((key: number) => number)[] = [
  (key) => key & 0xffff,
  (key) => key & 0x7fff_0000,
  (key) => key ^ 1,
  (key) => key ^ 0x8000,
  (key) => key ^ 0x1_0000,
  (key) => key ^ 0x4000_0000,
  (key) => key ^ 0x7fff_0000,
  (key) => key ^ 0xffff,
];

/** Bytes of a datagram, and of a receive behind the header. */
const bytes = 16;
const room = 24;

/** States in which a QP may have receives of its own. */
const receiving: ReadonlySet<QpState> = new Set(['INIT', 'RTR', 'RTS']);

/** Those that datagrams are sent to, or from. */
interface Party {
  readonly cqs: readonly Cq[];
  /** QPs for datagrams, and the Q_Key of each. */
  readonly own: Map<Qp, number>;
  /** That which goes from state to state. */
  readonly moving: Qp;
  /** One end of a connection. */
  readonly connected: Qp | undefined;
  /** The number of a QP that is no more. */
  readonly gone: ProgramValue;
  readonly receives: { readonly qp: Qp; readonly at: number }[];
}

/** Datagrams to QPs that are there and those that are not, in each state, with Q_Keys that are theirs or almost. */
export async function sendToOthers(w: Walk): Promise<void> {
  const party = await makeParty(w);
  if (party === undefined) return;
  for (let changes = w.chance.between(0, 2); changes > 0; changes--) await changeKey(w, party);
  for (let rounds = w.chance.between(6, 10); rounds > 0 && !w.isOver && w.size < 150; rounds--) {
    if (w.chance.happens(0.4)) await moveOn(w, party.moving);
    if (w.chance.happens(0.4)) await changeKey(w, party);
    await sendSome(w, party);
    if (party.connected !== undefined && w.chance.happens(0.25)) await talk(w, party.connected);
    for (const cq of party.cqs) await drain(w, cq);
    const received = w.chance.pick(party.receives);
    if (received !== undefined) await look(w, received.qp.region, received.at + 40, bytes, 0);
  }
  await drainAsync(w);
}

async function makeParty(w: Walk): Promise<Party | undefined> {
  const { chance } = w;
  const cqs = [await makeCq(w, { cqe: 64 }), await makeCq(w, { cqe: 64 })] as const;
  if (cqs.some((cq) => !w.cqs.includes(cq))) return undefined;
  const [first, second] = cqs;
  const srq = w.has('srq') && chance.happens(0.4) ? await makeSrq(w) : undefined;
  const init = { sharesSrq: false, signalsAll: false, rnrRetry: 1, cqs: [first, first, second, second] } as const;
  const pair = await makePair(w, { ...init, type: 'IBV_QPT_UD', srq });
  for (const qp of pair) await bringUp(w, qp);
  const [moving, other] = await makePair(w, { ...init, type: 'IBV_QPT_UD', srq, sharesSrq: true });
  moving.peer = moving;
  await bringUp(w, moving, chance.one<QpState>('RESET', 'INIT', 'RTR', 'RTS', 'RTS'));
  const hasConnection = w.has('connection') && chance.happens(0.45);
  const connectedType = w.has('uc') ? chance.one('IBV_QPT_RC', 'IBV_QPT_UC') : 'IBV_QPT_RC';
  const [connected] = hasConnection ? await makePair(w, { ...init, type: connectedType, srq: undefined }) : [];
  if (connected !== undefined) for (const qp of [connected, connected.peer]) await bringUp(w, qp);
  if (chance.happens(0.4)) await bringUp(w, other, chance.one<QpState>('INIT', 'RTR', 'RTS'));
  await destroyQp(w, other);
  const own = new Map([...pair, moving].map((qp) => [qp, qkey]));
  return { cqs, own, moving, connected, gone: member(other.name, 'qpNum'), receives: [] };
}

/** To the next state, and to IBV_QPS_ERR at the end. */
async function moveOn(w: Walk, qp: Qp): Promise<void> {
  const next = nextOnTheWay(qp.state);
  if (next !== undefined) await bringUp(w, qp, next);
  else if (qp.state === 'RTS') {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_ERR' });
    qp.state = 'ERR';
  }
  await w.settle();
}

async function changeKey(w: Walk, { own }: Party): Promise<void> {
  const qp = w.chance.pick([...own.keys()].filter(({ state }) => state === 'RTS'));
  if (qp === undefined) return;
  const key = w.chance.one(...qkeys);
  await modifyQp(w, qp, { qkey: key });
  own.set(qp, key);
}

/** The Q_Key of a QP, one that is almost that, or any. */
function someKey({ chance }: Walk, own: number): number {
  if (chance.happens(0.5)) return own;
  return chance.happens(0.6) ? (chance.pick(near)?.(own) ?? own) : chance.one(...qkeys);
}

/** Datagrams of one list, mostly to one QP, which has receives for them or not. */
async function sendSome(w: Walk, party: Party): Promise<void> {
  const { chance } = w;
  const { own, moving, connected } = party;
  const sender = chance.pick([...own.keys()].filter(({ state }) => state === 'RTS'));
  if (sender === undefined) return;
  const targets = [...own.keys(), sender, moving, connected, undefined];
  const target = chance.pick(targets);
  if (target !== undefined && chance.happens(0.75)) await receive(w, party, target);
  const wrs: ProgramStruct[] = [];
  for (let left = chance.one(1, 2, 3); left > 0; left--)
    wrs.push(await datagram(w, party, sender, chance.happens(0.75) ? target : chance.pick(targets)));
  await w.call('ibv_post_send', { qp: of(sender.name), wrs });
  await w.settle();
}

/** A datagram to a QP, or to none. */
async function datagram(w: Walk, { own, gone }: Party, sender: Qp, target: Qp | undefined): Promise<ProgramStruct> {
  const { chance } = w;
  const flags = ['IBV_SEND_SIGNALED', ...(w.has('inline') && chance.happens(0.3) ? ['IBV_SEND_INLINE'] : [])];
  const opcode = chance.one('IBV_WR_SEND', 'IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM');
  const message = messageOf(w, sender, opcode, { length: bytes, flags, entries: 1 });
  await writePayload(w, sender, message);
  const remoteQpn = target === undefined ? gone : member(target.name, 'qpNum');
  const remoteQkey = someKey(w, (target && own.get(target)) ?? qkey);
  return { ...wrOf(w, sender, message), ud: { ah: of(sender.ah ?? ''), remoteQpn, remoteQkey } };
}

/** Posts a receive or two that datagrams fit into, unless there are enough. */
async function receive(w: Walk, party: Party, qp: Qp): Promise<void> {
  const mayReceive = qp.srq !== undefined || receiving.has(qp.state);
  if (!mayReceive || w.received(qp) > 1) return;
  const isConnected = qp === party.connected;
  const sizes = Array<number>(w.chance.one(1, 2, 2)).fill(isConnected ? 40 + room : room);
  for (const { at } of await postReceives(w, qp, sizes)) if (!isConnected) party.receives.push({ qp, at });
}

/** A message over the connection, which datagrams have not disturbed. */
async function talk(w: Walk, connected: Qp): Promise<void> {
  const { peer } = connected;
  if (w.received(connected) === 0) await postReceives(w, connected, [40 + room]);
  const message = messageOf(w, peer, 'IBV_WR_SEND', { length: bytes, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  await writePayload(w, peer, message);
  await w.call('ibv_post_send', { qp: of(peer.name), wrs: [wrOf(w, peer, message)] });
  await w.settle();
}
