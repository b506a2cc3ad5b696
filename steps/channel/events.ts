import {
  check,
  checkEqual,
  HarnessError,
  type AsyncEvent,
  type CompChannel,
  type Context,
  type Cq,
  type CqEvent,
} from '../../drivers/contract';
import { isReadable } from './readable';
import { eventMsOf } from '../world/deadlines';
import { momentMs } from '../world/waits';
import type { VerbsWorld } from '../world/world';

/** Waits for the next completion event and takes it without an ack. */
export async function takeEvent(world: VerbsWorld, channel: CompChannel, cq: Cq): Promise<CqEvent> {
  await expectReadable(world, channel, ` for CQ ${world.cqs.nameOf(cq)}`);
  const event = await world.owed.takeCqEvent(channel);
  checkEventOf(world, event, cq);
  return event;
}

/** Demands that a completion event is of that CQ. */
export function checkEventOf({ cqs }: VerbsWorld, event: CqEvent, cq: Cq): void {
  const subject = 'the CQ that the completion event names';
  checkEqual({ subject, expected: cqs.nameOf(cq), observed: cqs.nameOf(event.cq) });
}

/**
 * Waits until an event can be taken from a completion channel, or from the asynchronous events of a context.
 *
 * @param purpose - what the event is awaited for, in the words that follow its source
 */
export async function expectReadable(world: VerbsWorld, source: CompChannel | Context, purpose = ''): Promise<void> {
  const withinMs = eventMsOf(world);
  const readable = await isReadable(world.driver, source, withinMs);
  const subject = `${sourceName(world, source)}${purpose}`;
  check(readable, { subject, expected: 'an event', observed: 'no event', withinMs });
}

/** Absence is claimed only after `settle`. */
export async function expectNoEvent(world: VerbsWorld, source: CompChannel | Context): Promise<void> {
  await world.driver.settle();
  const readable = await isReadable(world.driver, source, 0);
  const subject = `${sourceName(world, source)} after everything has settled`;
  check(!readable, { subject, expected: 'no further event', observed: 'one more event' });
}

/** Waits for a moment; poll(2) that finds nothing must not return before it has elapsed. */
export async function pollForAMoment(world: VerbsWorld, source: CompChannel | Context): Promise<void> {
  if (await isReadable(world.driver, source, momentMs)) return;
  const call = world.driver.trace().findLast(({ verb, args }) => verb === 'poll' && args.timeoutMs === momentMs);
  if (call === undefined) throw new HarnessError('the driver does not record poll()');
  const { durationUs } = call;
  const least = momentMs * 1000;
  const subject = `how long poll() waited that was given ${momentMs} ms`;
  check(durationUs >= least, { subject, expected: { atLeastUs: least }, observed: { us: durationUs } });
}

function sourceName(world: VerbsWorld, source: CompChannel | Context): string {
  return world.channels.includes(source)
    ? `completion channel ${world.channels.nameOf(source)}`
    : 'the asynchronous event queue';
}

/** What an asynchronous event names. */
export type Element = number | ReturnType<VerbsWorld['object']>;

/** More asynchronous events than any scenario has cause for; a device that raises them is at fault. */
const asyncEventsMax = 100;

/** Demands that a device does not go on raising asynchronous events. */
export function checkNotTooMany(taken: number): void {
  const expected = { atMost: asyncEventsMax };
  check(taken < asyncEventsMax, { subject: 'asynchronous events that were raised', expected, observed: taken + 1 });
}

/** Takes the next asynchronous event of a device context, and waits for it if there is none. */
export async function takeAsyncEvent(world: VerbsWorld, node = world.here): Promise<AsyncEvent> {
  checkNotTooMany(node.asyncEvents.length);
  const event = await world.owed.takeAsyncEvent(await node.context());
  node.asyncEvents.push(event);
  return event;
}

/** Types of events that come when something changes outside of the program, at any moment. */
const fromOutside: ReadonlySet<string> = new Set([
  'IBV_EVENT_LID_CHANGE',
  'IBV_EVENT_PKEY_CHANGE',
  'IBV_EVENT_SM_CHANGE',
  'IBV_EVENT_CLIENT_REREGISTER',
  'IBV_EVENT_GID_CHANGE',
]);

/** A port that no scenario uses may go down and come up as well. */
function isFromOutside({ driver }: VerbsWorld, { eventType, element }: AsyncEvent): boolean {
  return fromOutside.has(eventType) || (typeof element === 'number' && element !== driver.dut.port.portNum);
}

/** Takes the next asynchronous event that is not from outside. Each of the others is acknowledged. */
export async function takeOwnAsyncEvent(world: VerbsWorld): Promise<AsyncEvent> {
  for (let passed = 0; ; passed += 1) {
    checkNotTooMany(passed);
    const event = await takeAsyncEvent(world);
    if (!isFromOutside(world, event)) return event;
    world.here.asyncEvents.pop();
    await world.owed.acknowledgeAsync(event);
  }
}

/** Takes asynchronous events of a device context, the last of which is of that type. */
export async function takeAsyncEventsUpTo(world: VerbsWorld, eventType: string, node = world.here): Promise<void> {
  while ((await takeAsyncEvent(world, node)).eventType !== eventType);
}

/** Takes the asynchronous events that are there now. */
export async function takeAsyncEvents(world: VerbsWorld): Promise<void> {
  const context = await world.context();
  while (await isReadable(world.driver, context, 0)) await takeAsyncEvent(world);
}

/** The asynchronous events of a type that were taken and that no step has asked for. */
export function asyncEventsOf(world: VerbsWorld, eventType: string): AsyncEvent[] {
  return world.here.asyncEvents.filter((event) => event.eventType === eventType);
}

/** No step can ask any more for the asynchronous events that were taken so far. */
export function forgetUnasked({ here }: VerbsWorld): void {
  here.asyncEvents.length = 0;
}

/**
 * Asks for an asynchronous event, and takes no more of them than it has to.
 *
 * @returns whether it came in time
 */
export async function awaitAsyncEvent(world: VerbsWorld, eventType: string, element: Element): Promise<boolean> {
  const { driver, here } = world;
  const { asyncEvents } = here;
  const context = await here.context();
  for (;;) {
    const index = asyncEvents.findIndex((event) => event.eventType === eventType && event.element === element);
    if (index >= 0) asyncEvents.splice(index, 1);
    if (index >= 0) return true;
    if (!(await isReadable(driver, context, eventMsOf(world)))) return false;
    await takeAsyncEvent(world, here);
  }
}
