import { callsOf, type Op } from '../../../programs/program';
import { ackArgs, ackAll, ackAsync, drain, drainAsync, drainChannel } from '../completions';
import { makeChannel } from '../objects';
import { callOp, of, type Cq, type Qp, type Srq, type Walk } from '../walk';

/** What a destruction does for certain that is left to chance otherwise. */
interface Certain {
  /** It leaves the CQs as they are. */
  readonly keepsCqes?: boolean;
  /** It waits for the acks that are owed. */
  readonly waits?: boolean;
}

/** Destroys a QP once nothing is on its way; the CQEs of it may go with it. */
export async function destroyQp(w: Walk, qp: Qp, { keepsCqes = false, waits = false }: Certain = {}): Promise<void> {
  await w.settle();
  const isLeft = keepsCqes || waits;
  if (!isLeft && qp.srq !== undefined && w.has('last-wqe-event') && w.chance.happens(0.2)) await failAtOnce(w, qp);
  if (!isLeft && w.chance.happens(0.7))
    for (const cq of new Set([qp.sendCq, qp.recvCq])) if (!w.isOverrun(cq)) await drain(w, cq);
  await ackIfMixed(w);
  const owed = w.events.filter((event) => event.of === qp.name);
  if (owed.length > 0 && (waits || w.chance.happens(0.5))) {
    await w.together(
      [callOp('ibv_destroy_qp', { qp: of(qp.name) })],
      owed.flatMap(({ name }): Op[] => [{ settle: true }, callOp('ibv_ack_async_event', { event: of(name) })]),
    );
    w.events.splice(0, w.events.length, ...w.events.filter((event) => !owed.includes(event)));
  } else {
    if (owed.length > 0) await ackAsync(w);
    await w.call('ibv_destroy_qp', { qp: of(qp.name) });
  }
  for (const cq of [qp.sendCq, qp.recvCq]) cq.users.delete(qp);
  qp.srq?.users.delete(qp);
  w.qps.splice(w.qps.indexOf(qp), 1);
  qp.state = 'RESET';
}

/** Which of the events of several objects came first nobody knows: none of them is left for a destruction to wait for. */
async function ackIfMixed(w: Walk): Promise<void> {
  if (new Set(w.events.map((event) => event.of)).size > 1) await ackAsync(w);
}

/** Lets a QP fail whose event is on its way when it is destroyed. */
async function failAtOnce(w: Walk, qp: Qp): Promise<void> {
  if (qp.state === 'RESET') return;
  await w.call('ibv_modify_qp', { qp: of(qp.name), attr: { qpState: 'IBV_QPS_ERR' }, attrMask: ['IBV_QP_STATE'] });
  qp.state = 'ERR';
}

/** Destroys a CQ that no QP uses; one whose events are owed acks waits for them. */
export async function destroyCq(w: Walk, cq: Cq, { waits = false }: Certain = {}): Promise<void> {
  await w.settle();
  await ackIfMixed(w);
  const owedAsync = w.events.filter((event) => event.of === cq.name);
  const destroys = callOp('ibv_destroy_cq', { cq: of(cq.name) });
  if ((cq.unacked > 0 || owedAsync.length > 0) && (waits || w.chance.happens(0.7))) {
    const acks = owedAsync.map(({ name }) => callOp('ibv_ack_async_event', { event: of(name) }));
    const parts = cq.unacked > 1 && w.chance.happens(0.5) ? [1, cq.unacked - 1] : cq.unacked > 0 ? [cq.unacked] : [];
    const steps = [...acks, ...parts.map((part) => callOp('ibv_ack_cq_events', ackArgs(cq, part)))];
    await w.together(
      [destroys],
      steps.flatMap((step): Op[] => [{ settle: true }, step]),
    );
    w.events.splice(0, w.events.length, ...w.events.filter((event) => !owedAsync.includes(event)));
    cq.unacked = 0;
  } else {
    if (owedAsync.length > 0) await ackAsync(w);
    if (cq.unacked > 0) await ackAll(w, cq);
    await w.perform(destroys);
  }
  w.cqs.splice(w.cqs.indexOf(cq), 1);
  if (cq.channel !== undefined && w.chance.happens(0.4)) await drainChannel(w, cq.channel);
  if (cq.channel !== undefined && w.chance.happens(0.25)) await destroyChannel(w, cq.channel.name);
}

const channelUsers = (w: Walk, name: string): Cq[] => w.cqs.filter(({ channel }) => channel?.name === name);

export async function destroyChannel(w: Walk, name: string): Promise<void> {
  const isFree = channelUsers(w, name).length === 0;
  await w.call('ibv_destroy_comp_channel', { channel: of(name) });
  if (!isFree) return;
  w.channels.splice(
    w.channels.findIndex((channel) => channel.name === name),
    1,
  );
  if (!w.chance.happens(0.3)) return;
  const next = await makeChannel(w);
  await w.call('struct ibv_comp_channel', { channel: of(next.name) });
}

/** Destroys an SRQ that no QP uses; one whose events are owed acks waits for them. */
export async function destroySrq(w: Walk, srq: Srq): Promise<void> {
  await ackIfMixed(w);
  const owed = w.events.filter((event) => event.of === srq.name);
  await w.together(
    [callOp('ibv_destroy_srq', { srq: of(srq.name) })],
    owed.flatMap(({ name }): Op[] => [{ settle: true }, callOp('ibv_ack_async_event', { event: of(name) })]),
  );
  w.events.splice(0, w.events.length, ...w.events.filter((event) => !owed.includes(event)));
  w.srqs.splice(w.srqs.indexOf(srq), 1);
}

/** Ends all that the program has made; what is owed is acknowledged. */
export async function endAll(w: Walk): Promise<void> {
  await w.settle();
  if (w.chance.happens(0.3)) await ackAsync(w);
  await drainAsync(w, w.chance.happens(0.5));
  for (const qp of [...w.qps]) await destroyQp(w, qp);
  for (const srq of [...w.srqs]) {
    await destroySrq(w, srq);
  }
  for (const cq of [...w.cqs]) await destroyCq(w, cq);
  for (const { name } of [...w.channels]) await destroyChannel(w, name);
  await ackAsync(w);
  if (w.isContextNonblocking) await drainAsync(w);
}

/** What makes objects that are left when QPs, CQs and channels have ended, and what ends them; in the order in which that can be. */
const endings = [
  { makes: 'ibv_create_ah', ends: 'ibv_destroy_ah', as: 'ah' },
  { makes: 'ibv_alloc_mw', ends: 'ibv_dealloc_mw', as: 'mw' },
  { makes: 'ibv_reg_mr', ends: 'ibv_dereg_mr', as: 'mr' },
  { makes: 'memory allocate', ends: 'memory free', as: 'memory' },
  { makes: 'ibv_alloc_pd', ends: 'ibv_dealloc_pd', as: 'pd' },
  { makes: 'ibv_open_device', ends: 'ibv_close_device', as: 'context' },
] as const;

/** Lets go of all that was used, as far as that can be, and of the contexts only if nothing else is left in them. */
export async function leaveNothing(w: Walk): Promise<void> {
  for (const { makes, ends, as } of endings) {
    const left = (): string[] =>
      callsOf(w)
        .filter(({ call }) => call === makes)
        .flatMap((op) => (op.as !== undefined && w.handle(op.as) !== '' ? [op.as] : []));
    if (ends === 'ibv_close_device' && left().length < w.backend.living) return;
    for (const name of left().reverse()) await w.call(ends, { [as]: of(name) });
    if (left().length > 0) return;
  }
}
