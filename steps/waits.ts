import type { Driver } from '../drivers/contract';

/** Milliseconds between two looks at something that is awaited. */
const lookEveryMs = 2;

/**
 * Looks until `check` gives true, for as long as something that has to happen may take on this DUT.
 *
 * @returns whether it happened in time
 */
export async function happens(driver: Driver, check: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= driver.limits.eventMs; waitedMs += lookEveryMs) {
    if (await check()) return true;
    await driver.pause(lookEveryMs);
  }
  return false;
}
