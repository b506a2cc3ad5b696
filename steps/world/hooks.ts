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
  needsIn,
  mediaTypes,
  RuleViolated,
  Unexpected,
  VerbsError,
  type CallRecord,
} from '../../drivers/contract';
import { expectNothingUnaccounted, takeAnnouncements } from '../leftovers/unexpected';
import { kernelDeaths } from './dut';
import { attachLegend } from './legend';
import { deviationIn } from './leniency';
import type { VerbsWorld } from './world';

/** Each call has a deadline of its own, in the driver. */
setDefaultTimeout(-1);

Before(async function (this: VerbsWorld, { pickle }: ITestCaseHookParameter) {
  kernelDeaths().refuseFurther(pickle.id);
  this.hasBegun = true;
  await this.driver.begin();
  this.driver.kernelLog(); // what came before is not of this scenario
  const needs = needsIn(pickle.tags.map(({ name }) => name));
  const lacks = needs.flatMap((need) => lackOf(this.driver.dut, need) ?? []);
  if (lacks.length === 0) return undefined;
  this.attach(lacks.join('; '), mediaTypes.notApplicable);
  return 'skipped';
});

/** Hooks that were defined last run first, and this one ends what the clean-up has left. */
After({ name: 'end' }, async function (this: VerbsWorld, { pickle }: ITestCaseHookParameter) {
  if (!this.hasBegun) return;
  try {
    await endScenario(this);
    const known = deviationIn(this);
    if (known !== undefined) throw known;
  } catch (error) {
    this.kernelHasDied ||= error instanceof DutPanicked;
    throw error;
  } finally {
    if (this.kernelHasDied) kernelDeaths().count(pickle.id);
  }
});

After({ name: 'clean-up' }, async function (this: VerbsWorld, { result }: ITestCaseHookParameter) {
  if (!this.hasBegun) return;
  const before = result?.status === Status.FAILED ? (result.exception?.type ?? '') : undefined;
  const failure = await cleanUp(this, before !== undefined && doings.has(before));
  this.kernelHasDied = before === DutPanicked.name || failure instanceof DutPanicked;
  this.isUntidy = failure !== undefined || (before !== undefined && losses.has(before));
  if (failure !== undefined && !isAftermath(failure, before)) throw failure;
});

/** What no step has asked for is looked at where all steps have run, also after a known deviation. */
After({ name: 'account' }, async function (this: VerbsWorld, { result }: ITestCaseHookParameter) {
  if (!this.hasBegun || result?.status !== Status.PASSED) return;
  this.callsOfSteps = this.driver.trace().length;
  await expectNothingUnaccounted(this);
});

/**
 * Tidies up, and keeps the trace of that apart from the trace of the steps.
 *
 * @param hasFailed - whether the device has done something wrong, and lives as far as is known
 * @returns what went wrong
 */
async function cleanUp(world: VerbsWorld, hasFailed: boolean): Promise<Error | undefined> {
  const { driver } = world;
  const calls = world.callsOfSteps ?? driver.trace().length;
  attachLegend(world);
  if (hasFailed) await takeAnnouncements(world).catch(() => undefined); // the clean-up has the same to say
  const failure = await world.cleanUp().then(() => undefined, asFailure);
  const trace = driver.trace();
  attachTrace(world, trace.slice(0, calls), mediaTypes.trace, 'trace.json');
  attachTrace(world, trace.slice(calls), mediaTypes.cleanUpTrace, 'clean-up.json');
  for (const [name, other] of world.nodes.others) {
    attachTrace(world, other.trace(), 'application/json', `trace-of-${name}.json`);
  }
  return failure;
}

/** @throws HarnessError if anything is left, unless it is known why */
async function endScenario(world: VerbsWorld): Promise<void> {
  const here = await world.driver.end().finally(() => {
    tellKernelLog(world);
  });
  const leftovers = [...here, ...(await world.nodes.end())];
  if (leftovers.length > 0 && !world.isUntidy) {
    throw new HarnessError(`leak: the scenario left behind ${leftovers.join(', ')}`);
  }
}

/** @throws DutPanicked if the kernel has complained, and lives */
function tellKernelLog(world: VerbsWorld): void {
  const log = excerptOf(world.driver.kernelLog()); // a driver of the user's may keep all that its kernel says
  if (log !== '') world.attach(log, { mediaType: 'text/plain', fileName: kernelLogFileName });
  const complaint = complaintOf(log, world.driver.kernelModules);
  if (complaint === undefined || world.kernelHasDied) return; // last words say no less than that it died
  throw new DutPanicked(`the kernel of the device complained: ${complaint}`);
}

function attachTrace(world: VerbsWorld, records: readonly CallRecord[], mediaType: string, fileName: string): void {
  const text = JSON.stringify(records, (_key, value: unknown) => (typeof value === 'bigint' ? hex64(value) : value));
  world.attach(text, { mediaType, fileName });
}

const losses: ReadonlySet<string> = new Set([DutCrashed, DutHung, DutPanicked, DutLost].map(({ name }) => name));

/** Errors that say what the DUT did, and not that nothing can be said of it. */
const doings: ReadonlySet<string> = new Set([VerbsError.name, RuleViolated.name, Unexpected.name, 'AssertionError']);

/**
 * Whether what went wrong in the clean-up says no more than what went wrong before: where that is no doing of the DUT which
 * lets it live, nobody answers any more.
 *
 * @param before - the type of the error of a step, if one has failed
 */
function isAftermath(failure: Error, before: string | undefined): boolean {
  const isSilence = failure instanceof HarnessError && !(failure instanceof DutLost);
  return isSilence && before !== undefined && !doings.has(before);
}

/** A refusal in the clean-up is the doing of the DUT, as is its loss; anything else is a fault of the harness. */
function asFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new HarnessError(`the clean-up after the scenario failed: ${String(error)}`);
  if (doings.has(error.name) || losses.has(error.name)) return error;
  return new HarnessError(`the clean-up after the scenario failed: ${error.message}`);
}
