import { HarnessError, type Driver } from '../../drivers/contract';
import { KernelDeaths } from './kernel-deaths';

let current: Driver | undefined;
let deaths = new KernelDeaths();

/** Says which driver executes the scenarios that run next. */
export function provideDriver(driver: Driver): void {
  current = driver;
  deaths = new KernelDeaths();
}

/** The driver of this run. */
export function driverUnderTest(): Driver {
  if (current === undefined) throw new HarnessError('no driver was provided', 'run the features with `verbspec run`');
  return current;
}

/** The deaths of that driver's kernel. */
export function kernelDeaths(): KernelDeaths {
  return deaths;
}
