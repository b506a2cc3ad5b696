import { After, Before, setDefaultTimeout, Status, type ITestCaseHookParameter } from '@cucumber/cucumber';
import {
  DutCrashed,
  DutHung,
  DutLost,
  DutPanicked,
  HarnessError,
  kernelLogFileName,
  lackOf,
  mediaTypes,
  type CallRecord,
} from '../drivers/contract';
import type { VerbsWorld } from './world';

/** Each call has a deadline of its own, in the driver. */
setDefaultTimeout(-1);

/** A kernel says so when it has found a fault of its own. */
const kernelComplaint = /^.*(?:WARNING:|BUG:|Oops:|INFO: task .* blocked).*$/m;

const needs = /^@needs\.(.+)$/;

Before(async function (this: VerbsWorld, { pickle }: ITestCaseHookParameter) {
  await this.driver.begin();
  this.driver.kernelLog(); // what came before is not of this scenario
  const lacks = pickle.tags
    .flatMap(({ name }) => needs.exec(name)?.[1] ?? [])
    .flatMap((need) => lackOf(this.driver.dut, need) ?? []);
  if (lacks.length === 0) return undefined;
  this.attach(lacks.join('; '), mediaTypes.notApplicable);
  return 'skipped';
});

After(async function (this: VerbsWorld, { result }: ITestCaseHookParameter) {
  const calls = this.driver.trace().length;
  const failure = await this.cleanUp().then(() => undefined, asHarnessError);
  const trace = this.driver.trace();
  attachTrace(this, trace.slice(0, calls), mediaTypes.trace, 'trace.json');
  attachTrace(this, trace.slice(calls), mediaTypes.cleanUpTrace, 'clean-up.json');
  const leftovers = await this.driver.end().finally(() => {
    const log = this.driver.kernelLog();
    if (log !== '') this.attach(log, { mediaType: 'text/plain', fileName: kernelLogFileName });
    const complaint = kernelComplaint.exec(log)?.[0];
    if (complaint !== undefined) throw new DutPanicked(`the kernel of the device complained: ${complaint}`);
  });
  const untold = result?.status === Status.PASSED;
  const isLoss = [DutCrashed, DutPanicked, DutLost].some((type) => failure instanceof type);
  if (failure !== undefined && (untold || isLoss)) throw failure;
  if (leftovers.length > 0 && untold) throw new HarnessError(`the scenario left behind ${leftovers.join(', ')}`);
});

function attachTrace(world: VerbsWorld, records: readonly CallRecord[], mediaType: string, fileName: string): void {
  const text = JSON.stringify(records, (_key, value: unknown) =>
    typeof value === 'bigint' ? `0x${BigInt.asUintN(64, value).toString(16)}` : value,
  );
  world.attach(text, { mediaType, fileName });
}

/** What goes wrong in the clean-up says nothing of the rule; the loss of the DUT does. */
function asHarnessError(error: unknown): Error {
  for (const type of [DutCrashed, DutHung, DutPanicked, DutLost]) if (error instanceof type) return error;
  return new HarnessError(
    `the clean-up after the scenario failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
