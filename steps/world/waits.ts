import type { Driver } from '../../drivers/contract';

/** Milliseconds between two looks at something that is awaited, at first. */
const lookEveryMs = 2;

/** Part of what a wait has lasted that goes by until the next look: what did not come soon seldom comes. */
const lookLaterBy = 0.1;

/** Milliseconds of a wait that a scenario wants to see running out. */
export const momentMs = 20;

/** Lets begin what was posted, without waiting for how it ends. */
export async function letAMomentPass(driver: Driver): Promise<void> {
  await driver.pause(momentMs);
}

/** With this, poll(2) waits as long as it takes. */
export const unlimitedMs = -1;

/** How something is awaited. */
export interface Wait {
  /** Resolves when it is worth a look before the next one is due. */
  readonly sooner?: Promise<unknown>;
  /** Milliseconds; what anything that has to happen may take on this DUT, unless given. */
  readonly withinMs?: number;
  /** What changes when something is on its way, so that the wait begins anew. */
  readonly progress?: () => number;
}

/**
 * Looks until `check` gives true, for as long as that may take.
 *
 * @returns whether it happened in time
 */
export async function happens(
  driver: Driver,
  check: () => boolean | Promise<boolean>,
  { sooner, withinMs = driver.limits.eventMs, progress = () => 0 }: Wait = {},
): Promise<boolean> {
  let start = driver.nowMs();
  let reached = progress();
  while (!(await check())) {
    if (progress() !== reached) start = driver.nowMs();
    reached = progress();
    if (driver.nowMs() > start + withinMs) return false;
    const pause = driver.pause(Math.max(lookEveryMs, (driver.nowMs() - start) * lookLaterBy), sooner);
    await (sooner === undefined ? pause : Promise.race([sooner, pause]));
  }
  return true;
}
