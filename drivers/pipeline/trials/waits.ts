import type { CompChannel, Context, Cq, Driver, Wc } from '../../contract';
import type { Bench } from './bench';

/** Milliseconds between two looks at a CQ. */
const lookEveryMs = 1;

/** Quiet windows after which an event counts as one that does not come. */
const quietWindowsMax = 50;

/** Milliseconds that an event may take in a trial: a device that lacks it keeps each run waiting for that long. */
function eventMaxMs({ limits }: Driver): number {
  return limits.quietMs === 0 ? limits.eventMs : Math.min(limits.eventMs, quietWindowsMax * limits.quietMs);
}

/** Polls a CQ until it has given `count` completions, or the time for them is over. */
export async function completionsOf(driver: Driver, cq: Cq, count = 1): Promise<Wc[]> {
  const deadline = driver.nowMs() + driver.limits.eventMs;
  const completions: Wc[] = [];
  for (;;) {
    completions.push(...(await driver.pollCq(cq, count - completions.length)));
    if (completions.length >= count || driver.nowMs() > deadline) return completions;
    await driver.pause(lookEveryMs);
  }
}

/** Takes and acknowledges the next completion event of a channel. @returns whether it came in time */
export async function takesEvent(driver: Driver, channel: CompChannel): Promise<boolean> {
  return (await comesEvent(driver, channel)) && takesWaitingEvent(driver, channel);
}

/** Whether a completion event waits on a channel in time; it stays there. */
export function comesEvent(driver: Driver, channel: CompChannel): Promise<boolean> {
  return isReadable(driver, channel, eventMaxMs(driver));
}

/** Takes and acknowledges the completion event that waits on a channel. @returns whether there was one */
export async function takesWaitingEvent(driver: Driver, channel: CompChannel): Promise<boolean> {
  if (!(await isReadable(driver, channel, 0))) return false;
  const { cq } = await driver.getCqEvent(channel);
  await driver.ackCqEvents(cq, 1);
  return true;
}

/** Takes and acknowledges asynchronous events up to one of that type. @returns whether that came in time */
export async function takesAsyncEvent({ driver, context }: Bench, eventType: string): Promise<boolean> {
  const deadline = driver.nowMs() + eventMaxMs(driver);
  for (let leftMs = eventMaxMs(driver); leftMs >= 0; leftMs = Math.floor(deadline - driver.nowMs())) {
    if (!(await isReadable(driver, context, leftMs))) return false;
    const event = await driver.getAsyncEvent(context);
    await driver.ackAsyncEvent(event);
    if (event.eventType === eventType) return true;
  }
  return false;
}

async function isReadable(driver: Driver, source: CompChannel | Context, timeoutMs: number): Promise<boolean> {
  return (await driver.poll(source, timeoutMs)).includes('POLLIN');
}
