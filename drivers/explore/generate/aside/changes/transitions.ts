import { qpAttrBits, type QpAttr } from '../../../../contract';
import type { ProgramStruct, ProgramValue } from '../../../../programs/program';
import { attributesAllowed, attributesNeeded } from '../../../../sim/qp/attributes-of-states';
import { leadsTo } from '../../../../sim/qp/states';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { attrOf, bringUp, makeCq, makePair, modifyQp, nextOnTheWay, pathToSelf, reset, rightsOf } from '../../objects';
import { questionAbout } from '../../questions';
import { isAtomic, messageOf, opcodesOf, postReceives, wrOf, type Opcode } from '../../work';
import { member, of, type Cq, type Qp, type QpState, type Walk } from '../../walk';

const states: readonly QpState[] = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'ERR'];

/** States in which a QP takes what its peer sends. */
const takes: ReadonlySet<QpState> = new Set(['RTR', 'RTS', 'SQD']);

/** Attributes that may be changed on the way between two states, and values of each. */
const others: Readonly<Record<string, readonly ProgramValue[]>> = {
  minRnrTimer: [1, 12, 31],
  timeout: [12, 14, 18],
  retryCnt: [0, 1, 6, 7],
  rnrRetry: [0, 1, 6],
  maxRdAtomic: [1],
  maxDestRdAtomic: [1],
  pkeyIndex: [member('dut', 'pkeyIndex')],
  portNum: [member('dut', 'portNum')],
  ahAttr: [pathToSelf],
};

/** In each state a QP is asked for any other: it goes there or stays as it is, and is of use either way. */
export async function goAnywhere(w: Walk): Promise<void> {
  const { chance } = w;
  const [type, cq] = [chance.pick(typesOf(w)), await makeCq(w, { cqe: 64, isEx: false })];
  if (type === undefined || !w.cqs.includes(cq)) return;
  const init = { type, srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 1 } as const;
  const pair = await makePair(w, { ...init, cqs: [cq, cq, cq, cq] });
  for (let rounds = chance.between(3, 5); rounds > 0 && !w.isOver && w.size < 150; rounds--) {
    await begin(w, pair);
    await goTo(w, pair[0], chance.pick(states) ?? 'RTS');
    if (chance.happens(0.4)) await speak(w, pair, cq);
    for (let asked = chance.between(1, 2); asked > 0; asked--) await ask(w, pair[0]);
    await speak(w, pair, cq);
    await w.settle();
    await drain(w, cq);
    await drainAsync(w);
  }
}

/** Both begin a new life, the second one with a connection. */
async function begin(w: Walk, pair: readonly [Qp, Qp]): Promise<void> {
  for (const qp of pair) await reset(w, qp);
  await bringUp(w, pair[1]);
}

/** From IBV_QPS_RESET to any state, on the one way that there is. */
async function goTo(w: Walk, qp: Qp, state: QpState): Promise<void> {
  if (state === 'SQD' && !w.has('sq-drain')) return;
  if (state === 'RESET') return;
  await step(w, qp, 'INIT', {
    ...attrOf(w, qp, 'INIT'),
    ...(qp.type !== 'IBV_QPT_UD' && { qpAccessFlags: someRights(w) }),
  });
  const isLeft = state === 'ERR' || state === 'SQD';
  await bringUp(w, qp, isLeft ? (state === 'SQD' ? 'RTS' : w.chance.one<QpState>('INIT', 'RTR', 'RTS')) : state);
  if (isLeft) await step(w, qp, state, { qpState: `IBV_QPS_${state}` });
}

async function step(w: Walk, qp: Qp, state: QpState, attr: ProgramStruct): Promise<void> {
  await modifyQp(w, qp, attr);
  qp.state = state;
}

const someRights = (w: Walk): string[] => w.chance.some(rightsOf(w), 0.6);

/** What a change of state needs, or all but one of it, or what another one needs. */
async function ask(w: Walk, qp: Qp): Promise<void> {
  const { chance } = w;
  const to = chance.pick(states.filter((state) => state !== 'SQD' || w.has('sq-drain'))) ?? 'RTS';
  const [fromC, toC] = [`IBV_QPS_${qp.state}`, `IBV_QPS_${to}`] as const;
  if (qp.state === 'RESET' && to === 'ERR') return;
  const needed = attributesNeeded(qp.type, fromC, toC);
  const lacking = chance.happens(0.35) ? chance.pick(needed) : undefined;
  const attr = Object.entries(asked(w, qp, to)).filter(([name]) => bitOf(name) !== lacking);
  await modifyQp(w, qp, Object.fromEntries(attr));
  if (leadsTo(fromC, toC) && lacking === undefined) qp.state = to;
  for (let times = chance.between(1, 2); times > 0; times--) await w.perform(questionAbout(chance, qp.name));
}

const bitOf = (name: string): string => qpAttrBits[name as keyof QpAttr];

/** With attributes that the change lets be set, if it can be made; in vain it may ask for anything. */
function asked(w: Walk, qp: Qp, to: QpState): ProgramStruct {
  const [fromC, toC] = [`IBV_QPS_${qp.state}`, `IBV_QPS_${to}`] as const;
  const isOnTheWay = to === 'INIT' || to === 'RTR' || to === 'RTS';
  const whole = isOnTheWay ? attrOf(w, qp, to) : { qpState: toC };
  if (!leadsTo(fromC, toC)) return whole;
  const allowed = attributesAllowed(qp.type, fromC, toC);
  const usual = Object.entries(whole).filter(([name]) => allowed.has(bitOf(name)));
  const more = Object.entries(others).filter(([name]) => allowed.has(bitOf(name)) && !(name in whole));
  const chosen = w.chance.some(more, 0.3).map(([name, values]) => [name, w.chance.pick(values) ?? 0] as const);
  const rights = allowed.has('IBV_QP_ACCESS_FLAGS') && w.chance.happens(0.3) ? { qpAccessFlags: someRights(w) } : {};
  const isNext = nextOnTheWay(qp.state) === to;
  return {
    ...Object.fromEntries(isNext ? usual : [['qpState', toC], ...w.chance.some(usual, 0.3)]),
    ...Object.fromEntries(chosen),
    ...rights,
  };
}

/** Messages each way, as far as the states let them. */
async function speak(w: Walk, [client, server]: readonly [Qp, Qp], cq: Cq): Promise<void> {
  await w.settle();
  if (w.hasFailed(client) || w.hasFailed(server)) return;
  if (takes.has(client.state) && w.chance.happens(0.7)) await send(w, server, cq);
  if (client.state === 'RTS' && !w.hasFailed(client) && !w.hasFailed(server)) await send(w, client, cq);
}

async function send(w: Walk, qp: Qp, cq: Cq): Promise<void> {
  const opcode = w.chance.pick<Opcode>(opcodesOf(w, qp)) ?? 'IBV_WR_SEND';
  const message = messageOf(w, qp, opcode, {
    flags: ['IBV_SEND_SIGNALED'],
    length: isAtomic(opcode) ? 8 : 16,
    entries: 1,
  });
  await postReceives(w, qp.peer, [16]);
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message)] });
  await w.settle();
  await drain(w, cq);
}
