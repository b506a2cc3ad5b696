import type { CompChannel, Context, Driver } from '../../drivers/contract';
import { isReadable } from '../channel/readable';
import { unlessRefused } from './unless-refused';

/** More events than any scenario leaves; a device that raises them is at fault, and the trace has enough of them. */
const takenMax = 256;

/**
 * Takes and acknowledges the events that are left on a completion channel or a context, and waits for none.
 *
 * @param isThere - whether an object still is; who is gone, or never was, can be acknowledged no event
 */
export async function takeEvents(
  driver: Driver,
  source: { readonly channel: CompChannel } | { readonly context: Context },
  isThere: (object: object) => boolean,
): Promise<void> {
  const file = 'channel' in source ? source.channel : source.context;
  if (!(await unlessRefused(isReadable(driver, file, 0), false))) return;
  await makeNonBlocking(driver, file);
  for (let taken = 0; taken < takenMax; taken++) {
    const isTaken = await unlessRefused(
      'channel' in source
        ? takeCompEvent(driver, source.channel, isThere)
        : takeAsyncEvent(driver, source.context, isThere),
      false,
    );
    if (!isTaken || !(await isReadable(driver, file, 0))) return;
  }
}

/** Another call that waits for the event may be given it first. */
async function makeNonBlocking(driver: Driver, file: CompChannel | Context): Promise<void> {
  const flags = await driver.getFileStatusFlags(file);
  if (!flags.includes('O_NONBLOCK')) await driver.setFileStatusFlags(file, [...flags, 'O_NONBLOCK']);
}

async function takeCompEvent(
  driver: Driver,
  channel: CompChannel,
  isThere: (object: object) => boolean,
): Promise<true> {
  const { cq } = await driver.getCqEvent(channel);
  if (isThere(cq)) await driver.ackCqEvents(cq, 1);
  return true;
}

async function takeAsyncEvent(driver: Driver, context: Context, isThere: (object: object) => boolean): Promise<true> {
  const event = await driver.getAsyncEvent(context);
  const { element } = event;
  if (typeof element !== 'object' || element === null || isThere(element)) await driver.ackAsyncEvent(event);
  return true;
}
