import { HarnessError, type Driver } from '../drivers/contract';

let current: Driver | undefined;

/** Says which driver executes the scenarios that run next. */
export function provideDriver(driver: Driver): void {
  current = driver;
}

/** The driver of this run. */
export function driverUnderTest(): Driver {
  if (current === undefined) throw new HarnessError('no driver was provided', 'run the features with `verbspec run`');
  return current;
}
