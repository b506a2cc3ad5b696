import {
  check,
  standardWcFlags,
  VerbsError,
  type CompChannel,
  type Context,
  type Cq,
  type Driver,
  type WcReader,
} from '../../drivers/contract';
import { withoutFreeDescriptors } from '../channel/free-descriptors';
import { checkNotTooMany } from '../channel/events';
import { isReadable } from '../channel/readable';
import { pollUntil } from '../cq/completions';
import { standardReaders, wcRead } from '../cq/wc-read';
import { tooManyEntries } from '../cq/cq-attributes';
import { bringUp, pathToSelf, usualBringUp } from '../qp/connection';
import { postReceives, recvWrs, send } from '../qp/messages';
import { modifyQp } from '../qp/modify-qp';
import { createPair } from '../qp/qp-pairs';
import { registerMemory } from '../mr/registered';
import type { VerbsWorld } from '../world/world';

/** Entries and user context of other CQs, unlike those of any scenario. */
const otherCqe = 33;
const otherContext = 0x0f1e_2d3c_4b5a_6978n;

/** What a program does beside the objects of a scenario: with objects of its own, of which nothing is left. */
export type OtherUse = (world: VerbsWorld) => Promise<void>;

/** By what scenarios call it. */
export const otherUses: Readonly<Record<string, OtherUse>> = {
  'other contexts': useContexts,
  'other memory': useMemory,
  'other memory windows': useWindows,
  'other channels': useChannels,
  'other CQs': useCqs,
  'other extended CQs': useExtendedCqs,
  'other QPs': useQps,
  'other SRQs': useSrqs,
  'calls that are refused': tryInVain,
  'this context in other ways': useContextFurther,
};

/** Meanwhile there are another context and another channel, to which nothing belongs. */
export async function useOthers(world: VerbsWorld, use: OtherUse): Promise<void> {
  const context = await openContext(world);
  const channel = await world.newChannel();
  await use(world);
  for (const object of [channel, context]) await world.end(object);
}

function openContext(world: VerbsWorld): Promise<Context> {
  return world.keep('context', world.driver.openDevice(world.driver.dut.hcaId));
}

async function useContexts(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const context = await openContext(world);
  const { state } = await driver.queryPort(context, driver.dut.port.portNum);
  await driver.portStateStr(state);
  await driver.eventTypeStr('IBV_EVENT_CQ_ERR');
  await driver.nodeTypeStr('IBV_NODE_CA');
  const flags = await driver.getFileStatusFlags(context);
  await driver.setFileStatusFlags(context, [...flags, 'O_NONBLOCK']);
  await refused('a get from an empty queue', takeAsyncEventsInVain(driver, context));
  await useContext(world, context);
  await world.end(context);
}

/** Takes what the ports have to tell, until a get is refused. */
async function takeAsyncEventsInVain(driver: Driver, context: Context): Promise<void> {
  let isOfPort = true;
  for (let taken = 0; isOfPort; taken += 1) {
    checkNotTooMany(taken);
    const event = await driver.getAsyncEvent(context);
    isOfPort = typeof event.element === 'number';
    await driver.ackAsyncEvent(event);
  }
}

/** Calls on a context that change nothing of what a scenario looks at. */
async function useContext(world: VerbsWorld, context: Context): Promise<void> {
  const { driver } = world;
  await driver.queryDevice(context);
  await driver.queryDeviceEx(context);
  await driver.queryPort(context, driver.dut.port.portNum);
  await driver.setFileStatusFlags(context, await driver.getFileStatusFlags(context));
  await isReadable(driver, context, 0);
  const channel = await world.keep('channel', driver.createCompChannel(context));
  const cq = await refusable(createExtendedCq(world, context, channel));
  await refused('an extended CQ on a vector that there is not', createExtendedCq(world, context, channel, -1));
  if (cq !== undefined) await world.end(cq);
  await world.end(channel);
}

async function useContextFurther(world: VerbsWorld): Promise<void> {
  await useContext(world, await world.context());
}

async function useMemory(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const pd = await world.newPd(await world.context());
  const memory = await world.keep('memory', driver.allocMemory(64));
  const mr = await world.keep('mr', driver.regMr(pd, memory.addr, 64, ['IBV_ACCESS_LOCAL_WRITE']));
  await driver.writeMemory(mr.addr, new Uint8Array(64).fill(0xff));
  await driver.readMemory(mr.addr, 64);
  const ah = await world.keep('ah', driver.createAh(pd, pathToSelf(driver)));
  for (const object of [ah, mr, memory, pd]) await world.end(object);
}

async function useWindows(world: VerbsWorld): Promise<void> {
  const pd = await world.newPd(await world.context());
  const mw = await world.keep('mw', world.driver.allocMw(pd, 'IBV_MW_TYPE_2'));
  for (const object of [mw, pd]) await world.end(object);
}

async function useChannels(world: VerbsWorld): Promise<void> {
  const channel = await world.newChannel();
  await useChannel(world, channel);
  await world.end(channel);
}

async function useChannel(world: VerbsWorld, channel: CompChannel): Promise<void> {
  const { driver } = world;
  await driver.readCompChannel(channel);
  await isReadable(driver, channel, 0);
  const flags = await driver.getFileStatusFlags(channel);
  await driver.setFileStatusFlags(channel, [...flags, 'O_NONBLOCK']);
  await refused('a get from an empty channel', driver.getCqEvent(channel));
  await driver.setFileStatusFlags(channel, flags);
}

async function useCqs(world: VerbsWorld): Promise<void> {
  const channel = await world.newChannel();
  const cq = await world.newCq({ cqe: otherCqe, cqContext: otherContext }, channel);
  await useCq(world, cq);
  await world.driver.reqNotifyCq(cq, 0);
  await refusable(world.driver.reqNotifyCq(cq, 1));
  for (const object of [cq, channel]) await world.end(object);
}

/**
 * A batch of two CQEs, of which each member is read that IBV_WC_STANDARD_FLAGS provide.
 *
 * @param further - readers of what the CQ provides besides
 */
export async function useBatch(world: VerbsWorld, cq: Cq, further: readonly WcReader[] = []): Promise<void> {
  const { driver } = world;
  const readers = [...standardReaders, ...further];
  await world.batches.open(cq);
  await readAll(driver, cq, readers);
  await driver.nextPoll(cq);
  await readAll(driver, cq, readers);
  await world.batches.close(cq);
}

async function readAll(driver: Driver, cq: Cq, readers: readonly WcReader[]): Promise<void> {
  await driver.readCqEx(cq);
  for (const reader of readers) await wcRead(driver, cq, reader);
}

/** Calls that change nothing of what a scenario looks at, on any CQ. */
async function useCq(world: VerbsWorld, cq: Cq): Promise<void> {
  const { driver } = world;
  const { cqe } = await driver.readCq(cq);
  await driver.pollCq(cq, 0);
  await refusable(driver.resizeCq(cq, cqe));
  await refusable(driver.modifyCq(cq, { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate: { cqCount: 1, cqPeriod: 0 } }));
}

async function useExtendedCqs(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const cq = await createExtendedCq(world, await world.context(), null);
  await refused('a batch of an empty CQ', driver.startPoll(cq));
  const [left, right] = await createOtherPair(world, cq);
  await receiveOne(world, right);
  await send(world, world.qps.get(left), false);
  await driver.settle(); // then the CQ has a CQE of each end
  await useBatch(world, cq);
  for (const name of [left, right]) await world.end(world.qps.get(name).qp);
  await world.end(cq);
}

function createExtendedCq(
  world: VerbsWorld,
  context: Context,
  channel: CompChannel | null,
  compVector = 0,
): Promise<Cq> {
  const attr = { cqe: otherCqe, cqContext: otherContext, channel, compVector, compMask: [], flags: [] };
  return world.keep('cq', world.driver.createCqEx(context, { ...attr, wcFlags: standardWcFlags }));
}

/** A message and its notification, then the flush of a QP. */
async function useQps(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const channel = await world.newChannel();
  const cq = await world.newCq({ cqe: otherCqe, cqContext: otherContext }, channel);
  const [left, right] = await createOtherPair(world, cq);
  await receiveOne(world, right);
  await driver.reqNotifyCq(cq, 0);
  await send(world, world.qps.get(left), true);
  await pollUntil(world, cq, 2);
  const event = await driver.getCqEvent(channel);
  await driver.ackCqEvents(event.cq, 1);
  await receiveOne(world, right);
  await modifyQp(driver, world.qps.get(right).qp, { qpState: 'IBV_QPS_ERR' });
  await pollUntil(world, cq, 1);
  for (const name of [left, right]) await world.end(world.qps.get(name).qp);
  for (const object of [cq, channel]) await world.end(object);
}

async function receiveOne(world: VerbsWorld, name: string): Promise<void> {
  const to = { kind: 'qp', name } as const;
  await postReceives(world, to, await recvWrs(world, to, 1));
}

async function createOtherPair(world: VerbsWorld, cq: Cq): Promise<readonly [string, string]> {
  const names = [`another QP ${world.nextWrId()}`, `another QP ${world.nextWrId()}`] as const;
  const [one, other] = names.map((name) => ({ name, qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq }) as const);
  if (one !== undefined && other !== undefined) await createPair(world, [one, other]);
  return names;
}

/** A message of another context takes a receive of an SRQ, which falls below its limit and tells. */
async function useSrqs(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const context = await openContext(world);
  const pd = await world.newPd(context);
  const cq = await world.keep('cq', driver.createCq(context, otherCqe, otherContext, null, 0));
  const attr = { maxWr: 4, maxSge: 1, srqLimit: 0 };
  const srq = await world.keep('srq', driver.createSrq(pd, { attr }));
  const mr = await registerMemory(world, pd, 64, ['IBV_ACCESS_LOCAL_WRITE']);
  const sgList = [{ addr: mr.addr, length: 16, lkey: mr.lkey }];
  const wrs = [world.nextWrId(), world.nextWrId()].map((wrId) => ({ wrId, sgList }));
  await driver.postSrqRecv(srq, wrs);
  await driver.modifySrq(srq, { srqLimit: 2 }, ['IBV_SRQ_LIMIT']);
  const cap = { maxSendWr: 1, maxRecvWr: 0, maxSendSge: 1, maxRecvSge: 0, maxInlineData: 0 };
  const init = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, srq, cap, sqSigAll: true } as const;
  const one = await world.keep('qp', driver.createQp(pd, init));
  const other = await world.keep('qp', driver.createQp(pd, init));
  await bringUp(driver, one, other, usualBringUp);
  await bringUp(driver, other, one, usualBringUp);
  await driver.postSend(one, [{ wrId: world.nextWrId(), sgList, opcode: 'IBV_WR_SEND', sendFlags: [] }]);
  await pollUntil(world, cq, 2);
  let isOfLimit = false;
  for (let taken = 0; !isOfLimit; taken += 1) {
    checkNotTooMany(taken);
    const event = await driver.getAsyncEvent(context);
    isOfLimit = event.eventType === 'IBV_EVENT_SRQ_LIMIT_REACHED';
    await driver.ackAsyncEvent(event);
  }
  for (const object of [one, other, srq, cq]) await world.end(object);
  for (const object of [mr, pd, context]) await world.end(object);
}

async function tryInVain(world: VerbsWorld): Promise<void> {
  const { driver } = world;
  const context = await world.context();
  await refused('a CQ of too many entries', driver.createCq(context, await tooManyEntries(world), 0n, null, 0));
  await refused('a CQ on a vector that there is not', driver.createCq(context, 1, 0n, null, -1));
  const channel = await world.newChannel();
  const cq = await world.newCq({ cqe: otherCqe }, channel);
  await refused('destroying a channel with a CQ', driver.destroyCompChannel(channel));
  for (const object of [cq, channel]) await world.end(object);
  await withoutFreeDescriptors(world, () =>
    refused('a channel without a free descriptor', driver.createCompChannel(context)),
  );
}

/** What a scenario goes on doing with a CQ and its channel: nothing that changes what it looks at. */
export async function useFurther(world: VerbsWorld, cq: Cq): Promise<void> {
  const { driver } = world;
  await useCq(world, cq);
  const { channel } = await driver.readCq(cq);
  if (channel === null) return;
  const flags = await driver.getFileStatusFlags(channel);
  await driver.setFileStatusFlags(channel, flags);
  await driver.readCompChannel(channel);
  await isReadable(driver, channel, 0);
  await refused('destroying a channel with a CQ', driver.destroyCompChannel(channel));
  const neighbour = await world.newCq({ cqe: otherCqe, cqContext: otherContext }, channel);
  await driver.reqNotifyCq(neighbour, 0);
  const extended = await refusable(createExtendedCq(world, await world.context(), channel));
  if (extended !== undefined) await world.end(extended);
  for (const one of await createOtherPair(world, cq)) await world.end(world.qps.get(one).qp);
  await world.end(neighbour);
}

async function refused(what: string, call: Promise<unknown>): Promise<void> {
  const observed = await call.then(
    () => 'success',
    (error: unknown) => {
      if (!(error instanceof VerbsError)) throw error;
      return 'a refusal';
    },
  );
  check(observed === 'a refusal', { subject: what, expected: 'a refusal', observed });
}

/** A device may lack the verb: then it says so. */
async function refusable<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (!(error instanceof VerbsError)) throw error;
    return undefined;
  });
}
