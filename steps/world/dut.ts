import { HarnessError, type Driver } from '../../drivers/contract';
import type { FailedCheck } from './failed-check';
import { KernelDeaths } from './kernel-deaths';

let current: Driver | undefined;
let deaths = new KernelDeaths();
let listed: IsListed = () => false;

/** Whether the list of deviations names a failed check of a scenario. */
export type IsListed = (failed: FailedCheck) => boolean;

/**
 * Says which driver executes the scenarios that run next.
 *
 * @param deviations - what is known of it; nothing unless given
 */
export function provideDriver(driver: Driver, deviations: IsListed = () => false): void {
  current = driver;
  listed = deviations;
  deaths = new KernelDeaths();
}

/** The driver of this run. */
export function driverUnderTest(): Driver {
  if (current === undefined) throw new HarnessError('no driver was provided', 'run the features with `verbspec run`');
  return current;
}

/** Whether a check has failed as is known of that driver's device. */
export function isListed(failed: FailedCheck): boolean {
  return listed(failed);
}

/** The deaths of that driver's kernel. */
export function kernelDeaths(): KernelDeaths {
  return deaths;
}
