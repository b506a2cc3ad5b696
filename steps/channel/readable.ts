import type { CompChannel, Context, Driver } from '../../drivers/contract';

/** Waits with poll(2) until there is an event to be taken, for so many milliseconds; 0 looks once, -1 waits for ever. */
export async function isReadable(driver: Driver, source: CompChannel | Context, timeoutMs: number): Promise<boolean> {
  return (await driver.poll(source, timeoutMs)).includes('POLLIN');
}
