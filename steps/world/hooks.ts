import { After, Before, setDefaultTimeout, Status, type ITestCaseHookParameter } from '@cucumber/cucumber';
import {
  complaintOf,
  DutCrashed,
  DutHung,
  DutLost,
  DutPanicked,
  excerptOf,
  hex64,
  HarnessError,
  kernelLogFileName,
  lackOf,
  mediaTypes,
  type CallRecord,
} from '../../drivers/contract';
import { expectNothingUnaccounted } from '../leftovers/unexpected';
import { kernelDeaths } from './dut';
import type { VerbsWorld } from './world';

/** Each call has a deadline of its own, in the driver. */
setDefaultTimeout(-1);

const needs = /^@needs\.(.+)$/;

Before(async function (this: VerbsWorld, { pickle }: ITestCaseHookParameter) {
  kernelDeaths().refuseFurther(pickle.id);
  this.hasBegun = true;
  await this.driver.begin();
  this.driver.kernelLog(); // what came before is not of this scenario
  const lacks = pickle.tags
    .flatMap(({ name }) => needs.exec(name)?.[1] ?? [])
    .flatMap((need) => lackOf(this.driver.dut, need) ?? []);
  if (lacks.length === 0) return undefined;
  this.attach(lacks.join('; '), mediaTypes.notApplicable);
  return 'skipped';
});

After(async function (this: VerbsWorld, { pickle, result }: ITestCaseHookParameter) {
  if (!this.hasBegun) return;
  let hasDied = result?.exception?.type === DutPanicked.name;
  try {
    await tidyUp(this, result?.status === Status.PASSED, hasDied);
  } catch (error) {
    hasDied ||= error instanceof DutPanicked;
    throw error;
  } finally {
    if (hasDied) kernelDeaths().count(pickle.id);
  }
});

/**
 * @param untold - whether nothing has gone wrong so far
 * @param hasDied - whether the kernel has died, of which its last words say no less
 */
async function tidyUp(world: VerbsWorld, untold: boolean, hasDied: boolean): Promise<void> {
  const { driver } = world;
  const calls = driver.trace().length;
  const unexpected = untold ? await failureOf(expectNothingUnaccounted(world)) : undefined;
  const failure = await world.cleanUp().then(() => undefined, asHarnessError);
  const trace = driver.trace();
  attachTrace(world, trace.slice(0, calls), mediaTypes.trace, 'trace.json');
  attachTrace(world, trace.slice(calls), mediaTypes.cleanUpTrace, 'clean-up.json');
  for (const [name, other] of world.nodes.others) {
    attachTrace(world, other.trace(), 'application/json', `trace-of-${name}.json`);
  }
  const here = await driver.end().finally(() => {
    tellKernelLog(world, hasDied);
  });
  const leftovers = [...here, ...(await world.nodes.end())];
  const isLoss = [DutCrashed, DutPanicked, DutLost].some((type) => failure instanceof type);
  if (unexpected !== undefined && !isLoss && !(failure instanceof DutHung)) throw unexpected;
  if (failure !== undefined && (untold || isLoss)) throw failure;
  if (leftovers.length > 0 && untold) throw new HarnessError(`leak: the scenario left behind ${leftovers.join(', ')}`);
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}

/** @throws DutPanicked if the kernel has complained, and lives */
function tellKernelLog(world: VerbsWorld, hasDied: boolean): void {
  const log = excerptOf(world.driver.kernelLog()); // a driver of the user's may keep all that its kernel says
  if (log !== '') world.attach(log, { mediaType: 'text/plain', fileName: kernelLogFileName });
  const complaint = complaintOf(log, world.driver.kernelModules);
  if (complaint !== undefined && !hasDied) throw new DutPanicked(`the kernel of the device complained: ${complaint}`);
}

function attachTrace(world: VerbsWorld, records: readonly CallRecord[], mediaType: string, fileName: string): void {
  const text = JSON.stringify(records, (_key, value: unknown) => (typeof value === 'bigint' ? hex64(value) : value));
  world.attach(text, { mediaType, fileName });
}

/** What goes wrong in the clean-up says nothing of the rule; the loss of the DUT does. */
function asHarnessError(error: unknown): Error {
  for (const type of [DutCrashed, DutHung, DutPanicked, DutLost]) if (error instanceof type) return error;
  return new HarnessError(
    `the clean-up after the scenario failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
