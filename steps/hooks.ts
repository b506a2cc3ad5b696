import { After, Before, setDefaultTimeout, Status, type ITestCaseHookParameter } from '@cucumber/cucumber';
import { DutCrashed, DutHung, DutPanicked, HarnessError } from '../drivers/contract';
import { mediaTypes, traceText } from './attachments';
import { driverUnderTest } from './dut';
import type { VerbsWorld } from './world';

/** Each call has a deadline of its own, in the driver. */
setDefaultTimeout(-1);

const needs = /^@needs\.(.+)$/;

Before(async function (this: VerbsWorld, { pickle }: ITestCaseHookParameter) {
  await driverUnderTest().begin();
  const available: readonly string[] = this.driver.dut.capabilities;
  const missing = pickle.tags
    .flatMap(({ name }) => needs.exec(name)?.[1] ?? [])
    .filter((name) => !available.includes(name));
  if (missing.length === 0) return undefined;
  this.attach(`the device lacks ${missing.join(', ')}`, mediaTypes.notApplicable);
  return 'skipped';
});

After(async function (this: VerbsWorld, { result }: ITestCaseHookParameter) {
  const failure = await this.cleanUp().then(() => undefined, asHarnessError);
  const trace = traceText(this.driver.trace());
  const leftovers = await this.driver.end();
  this.attach(trace, { mediaType: mediaTypes.trace, fileName: 'trace.json' });
  const untold = result?.status === Status.PASSED;
  if (failure !== undefined && untold) throw failure;
  if (leftovers.length > 0 && untold) throw new HarnessError(`the scenario left behind ${leftovers.join(', ')}`);
});

/** What goes wrong in the clean-up says nothing of the rule; the loss of the DUT does. */
function asHarnessError(error: unknown): Error {
  if (error instanceof DutCrashed || error instanceof DutHung || error instanceof DutPanicked) return error;
  return new HarnessError(
    `the clean-up after the scenario failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
