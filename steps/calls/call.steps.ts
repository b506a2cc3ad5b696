import { Given, Then, When } from '@cucumber/cucumber';
import {
  check,
  checkEqual,
  HarnessError,
  RuleViolated,
  VerbsError,
  type CallRecord,
  type CqEvent,
} from '../../drivers/contract';
import { checkEventOf } from '../channel/events';
import type { PendingCall } from './pending-call';
import { expectErrnoNumber } from './raw-results';
import { eventMsOf } from '../world/deadlines';
import { happens } from '../world/waits';
import type { Call, VerbsWorld } from '../world/world';

When('{call} begins', function (this: VerbsWorld, call: Call) {
  this.begin(call);
});

/** For a scenario that looks at the raw result next, which says whether the call succeeded. */
When('{call} returns', async function (this: VerbsWorld, call: Call) {
  refusalIn(await returned(this, call));
});

Given('{call} has begun and is blocked', async function (this: VerbsWorld, call: Call) {
  this.begin(call);
  await expectBlocked.call(this, call);
});

Then('{call} is blocked', expectBlocked);

Given(
  '{call} has begun in {int} threads and is blocked',
  async function (this: VerbsWorld, call: Call, threads: number) {
    const calls = inThreads(call, threads);
    for (const one of calls) this.begin(one);
    for (const one of calls) await expectBlocked.call(this, one);
  },
);

/** What the calls gave is looked at when all have returned. */
Then(
  '{call} has returned in {int} of {int} threads',
  async function (this: VerbsWorld, call: Call, count: number, threads: number) {
    const calls = inThreads(call, threads).map((one) => this.begun(one));
    const returned = (): number => calls.filter((one) => one.returned).length;
    await happens(this.driver, () => returned() >= count);
    await this.driver.settle();
    checkEqual({ subject: `threads in which ${call.phrase} has returned`, expected: count, observed: returned() });
    if (count === threads) for (const one of calls) one.result();
  },
);

/** Which thread gets which event is open. */
Then(
  '{call} in {int} threads gives one event each of CQs {string} and {string}',
  async function (this: VerbsWorld, call: Call, threads: number, one: string, other: string) {
    const events: CqEvent[] = [];
    for (const each of inThreads(call, threads)) events.push((await returned(this, each)).result() as CqEvent);
    const observed = events.map(({ cq }) => this.cqs.nameOf(cq)).sort();
    const expected = [one, other].map((name) => this.cqs.nameOf(this.cqs.get(name))).sort();
    checkEqual({ subject: 'the CQs that the completion events name', expected, observed });
  },
);

async function expectBlocked(this: VerbsWorld, call: Call): Promise<void> {
  const pending = this.begun(call);
  await this.driver.settle();
  if (pending.returned) pending.result(); // a refusal, or the loss of the DUT, speaks for itself
  check(!pending.returned, { subject: call.phrase, expected: 'blocked', observed: 'returned' });
}

Then('{call} succeeds', async function (this: VerbsWorld, call: Call) {
  (await returned(this, call)).result();
});

Then('{call} gives an event of CQ {string}', async function (this: VerbsWorld, call: Call, cq: string) {
  const event = (await returned(this, call)).result() as CqEvent;
  checkEventOf(this, event, this.cqs.get(cq));
});

Then('{call} fails with {errno}', async function (this: VerbsWorld, call: Call, errno: string) {
  const refusal = await refusalOf(this, call);
  checkEqual({ subject: `errno of ${refusal.verb}()`, expected: errno, observed: refusal.errno });
});

/** For a page that says that a call is refused, and neither with which errno nor that there is one. */
Then('{call} is refused', async function (this: VerbsWorld, call: Call) {
  await refusalOf(this, call);
});

/** For a verb that a device may lack: both are as the page says, another number is not. */
Then('{call} succeeds or is refused with an errno number', async function (this: VerbsWorld, call: Call) {
  const refusal = refusalIn(await returned(this, call));
  if (refusal !== undefined) expectErrnoNumber(refusal);
});

/** The raw result of the last call of a C function. */
Then('{verb} returned {result}', function (this: VerbsWorld, verb: string, check: (record: CallRecord) => void) {
  check(lastCall(this, verb));
});

/** The same call once for each thread. */
function inThreads(call: Call, threads: number): Call[] {
  return Array.from({ length: threads }, (_, index) => ({ ...call, phrase: `${call.phrase} in thread ${index + 1}` }));
}

/** Waits until the call has returned. A get that passes over events of others has as long for each of them. */
async function returned(world: VerbsWorld, call: Call): Promise<PendingCall<unknown>> {
  const pending = world.begun(call);
  if (!call.waits) await pending.settled;
  const withinMs = eventMsOf(world);
  const progress = (): number => world.driver.trace().length;
  const inTime = await happens(world.driver, () => pending.returned, { sooner: pending.settled, withinMs, progress });
  check(inTime, { subject: call.phrase, expected: 'returned', observed: 'blocked', withinMs });
  return pending;
}

async function refusalOf(world: VerbsWorld, call: Call): Promise<VerbsError> {
  const refusal = refusalIn(await returned(world, call));
  if (refusal !== undefined) return refusal;
  throw new RuleViolated({ subject: call.phrase, expected: 'a refusal', observed: 'success' });
}

/** @returns `undefined` if the call succeeded */
function refusalIn(pending: PendingCall<unknown>): VerbsError | undefined {
  try {
    pending.result();
    return undefined;
  } catch (error) {
    if (error instanceof VerbsError) return error;
    throw error;
  }
}

function lastCall(world: VerbsWorld, verb: string): CallRecord {
  const record = world.driver.trace().findLast((candidate) => candidate.verb === verb);
  if (record === undefined) throw new HarnessError(`the scenario has not called ${verb}()`);
  return record;
}
