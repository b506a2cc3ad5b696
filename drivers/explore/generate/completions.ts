import type { ProgramStruct } from '../../programs/program';
import type { VerbName } from '../../verbs';
import { behindTheLast } from './avoided';
import { wcMembers } from './objects';
import { of, type Channel, type Cq, type Walk } from './walk';

/** Polls so many at once. */
export async function poll(w: Walk, cq: Cq, numEntries: number): Promise<void> {
  await w.call('ibv_poll_cq', { cq: of(cq.name), numEntries });
}

/** Polls a CQ until it is empty, and mostly once more. */
export async function drain(w: Walk, cq: Cq): Promise<void> {
  if (cq.members !== undefined && w.chance.happens(0.7)) {
    await readBatches(w, cq);
    return;
  }
  const step = w.chance.one(w.caps.batch, 1, 8);
  for (let polls = 0; polls < 12 && w.backlog(cq) > 0; polls++) await poll(w, cq, step);
  if (w.chance.happens(0.6)) await poll(w, cq, 4);
}

/** Reads a CQ in one batch or more. */
export async function readBatches(w: Walk, cq: Cq): Promise<void> {
  for (let batches = 0; batches < 6 && w.backlog(cq) > 0; batches++) await readBatch(w, cq, w.chance.one(2, 1, 9));
  if (w.chance.happens(0.4)) {
    await startBatch(w, cq);
    await endBatch(w, cq);
  }
}

async function startBatch(w: Walk, cq: Cq): Promise<boolean> {
  const record = await w.call('ibv_start_poll', { cq: of(cq.name) });
  cq.isInBatch = record?.returned === 0;
  return cq.isInBatch;
}

/** Also where no batch was begun: on a device there may have been something in the CQ. */
async function endBatch(w: Walk, cq: Cq): Promise<void> {
  await w.call('ibv_end_poll', { cq: of(cq.name) });
  cq.isInBatch = false;
}

/** A batch of so many completions at most. */
export async function readBatch(
  w: Walk,
  cq: Cq,
  most: number,
  between?: () => Promise<void>,
  atEnd?: () => Promise<void>,
): Promise<void> {
  if (!(await startBatch(w, cq))) {
    await endBatch(w, cq);
    return;
  }
  await readCurrent(w, cq);
  if (between !== undefined) {
    await between();
    await readCurrent(w, cq);
  }
  for (let taken = 1; taken < most && mayGoOn(w, cq); taken++) {
    const record = await w.call('ibv_next_poll', { cq: of(cq.name) });
    if (record?.returned !== 0) {
      await atEnd?.();
      break;
    }
    await readCurrent(w, cq);
  }
  await endBatch(w, cq);
}

/** Whether there is one more completion, where the program must not look behind the last one. */
function mayGoOn(w: Walk, cq: Cq): boolean {
  return !w.avoided.has(behindTheLast) || (w.backend.isQuiet && w.backlog(cq) > 0);
}

/** Reads members of the completion that the iterator stands on. */
async function readCurrent(w: Walk, cq: Cq): Promise<void> {
  const record = await w.call('struct ibv_cq_ex', { cq: of(cq.name) });
  const there = wcMembers.filter(([flag]) => cq.members?.includes(flag)).map(([, , reader]) => reader);
  const failed = record?.outputs.status !== 'IBV_WC_SUCCESS';
  if (failed) {
    if (there.includes('qp_num')) await read(w, cq, 'qp_num');
    if (w.chance.happens(0.7)) await read(w, cq, 'vendor_err');
    return;
  }
  // By wr_id and opcode it is known which it is, where several have one wr_id.
  await read(w, cq, 'opcode');
  for (const reader of w.chance.some(['wc_flags', ...there], 0.75)) await read(w, cq, reader);
  if (cq.members?.includes('IBV_WC_EX_WITH_IMM') && w.chance.happens(0.7)) {
    for (let times = w.chance.one(1, 2); times > 0; times--) await read(w, cq, 'invalidated_rkey');
  }
}

async function read(w: Walk, cq: Cq, reader: string): Promise<void> {
  await w.call(`ibv_wc_read_${reader}` as VerbName, { cq: of(cq.name) });
}

/** Whether arming a CQ now has one meaning for every device that this program is for. */
export function mayArm(w: Walk, cq: Cq, isAny: boolean): boolean {
  if (!w.has('cq-notifications') && cq.channel !== undefined) return false;
  if (!isAny && !w.has('solicited-events')) return false;
  if (!w.has('arm-ignores-backlog') && (w.backlog(cq) > 0 || !w.backend.isQuiet)) return false;
  if (!w.has('arm-before-get') && cq.channel !== undefined && (w.queued(cq.channel) > 0 || !w.backend.isQuiet))
    return false;
  return isAny || !cq.hasAny || !w.avoided.has('ibv_req_notify_cq.next-then-solicited');
}

export async function arm(w: Walk, cq: Cq, solicitedOnly: number): Promise<void> {
  if (w.isOverrun(cq) || !mayArm(w, cq, solicitedOnly === 0)) return;
  await w.call('ibv_req_notify_cq', { cq: of(cq.name), solicitedOnly });
  cq.hasAny = solicitedOnly === 0;
}

export function ackArgs(cq: Cq, nevents: number): ProgramStruct {
  return { cq: of(cq.name), nevents };
}

export async function ack(w: Walk, cq: Cq, nevents: number): Promise<void> {
  await w.call('ibv_ack_cq_events', ackArgs(cq, nevents));
  cq.unacked -= nevents;
}

/**
 * Takes an event of a channel, if that does not block for ever. Where events of several CQs wait, nobody knows which comes
 * first: then all are taken, before any of them is acknowledged.
 */
export async function getEvent(w: Walk, channel: Channel): Promise<boolean> {
  const isMixed = w.backend.cqsWithEvents(w.handle(channel.name)) > 1;
  for (let left = isMixed ? w.queued(channel) : 1; left > 1; left--) await getOne(w, channel);
  return getOne(w, channel);
}

async function getOne(w: Walk, channel: Channel): Promise<boolean> {
  if (!channel.isNonblocking && w.queued(channel) === 0) return false;
  const record = await w.call('ibv_get_cq_event', { channel: of(channel.name) });
  if (record?.returned !== 0) return false;
  const cq = w.cqs.find((one) => w.handle(one.name) === record.outputs.cq);
  if (cq === undefined) return true;
  cq.unacked += 1;
  // An event of an earlier request says nothing of the one that is pending.
  cq.hasAny &&= w.backend.cq(w.handle(cq.name)).isArmed;
  return true;
}

/** Takes all events of a channel, and acknowledges them sometimes. */
export async function drainChannel(w: Walk, channel: Channel): Promise<void> {
  if (w.chance.happens(0.3)) await w.call('poll', { source: of(channel.name), timeoutMs: w.chance.one(0, 0, 1) });
  for (let gets = 0; gets < 6; gets++) if (!(await getEvent(w, channel))) break;
  if (w.chance.happens(0.25)) await w.call('poll', { source: of(channel.name), timeoutMs: 0 });
  for (const cq of w.cqs) {
    if (cq.channel === channel && cq.unacked > 0 && w.chance.happens(0.6)) await ackAll(w, cq);
  }
}

/** Acknowledges all events of a CQ, at once or one by one. */
export async function ackAll(w: Walk, cq: Cq): Promise<void> {
  if (w.chance.happens(0.6)) await ack(w, cq, cq.unacked);
  while (cq.unacked > 0) await ack(w, cq, 1);
}

/** Takes the asynchronous events that are there, and acknowledges most of them. */
export async function drainAsync(w: Walk, acks = true): Promise<void> {
  for (let gets = 0; gets < 8; gets++) {
    if (!w.isContextNonblocking && w.asyncQueued === 0) break;
    if (!(await takeAsync(w))) break;
    if (acks) await ackAsync(w);
  }
}

/** Takes an asynchronous event. @returns whether there was one */
export async function takeAsync(w: Walk): Promise<boolean> {
  const name = w.name('async');
  const record = await w.call('ibv_get_async_event', { context: of(w.context) }, name);
  if (record?.returned !== 0) return false;
  const { element } = record.outputs;
  w.events.push({ name, of: typeof element === 'string' ? w.nameOf(element) : undefined });
  return true;
}

export async function ackAsync(w: Walk): Promise<void> {
  for (const { name } of w.events.splice(0)) await w.call('ibv_ack_async_event', { event: of(name) });
}
