import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { HarnessError, VerbsError, type CallRecord } from '../drivers/contract';
import type { Call } from './calls';
import { happens } from './waits';
import type { PendingCall } from './pending-call';
import type { VerbsWorld } from './world';

When('{call} begins', function (this: VerbsWorld, call: Call) {
  this.begin(call);
});

Given('{call} has begun and is blocked', async function (this: VerbsWorld, call: Call) {
  this.begin(call);
  await expectBlocked.call(this, call);
});

Then('{call} is blocked', expectBlocked);

async function expectBlocked(this: VerbsWorld, call: Call): Promise<void> {
  const pending = this.begun(call);
  await this.driver.settle();
  if (pending.returned) pending.result(); // a refusal, or the loss of the DUT, speaks for itself
  assert.equal(pending.returned ? 'returned' : 'blocked', 'blocked', call.phrase);
}

Then('{call} succeeds', async function (this: VerbsWorld, call: Call) {
  (await returned(this, call)).result();
});

Then('{call} fails with {errno}', async function (this: VerbsWorld, call: Call, errno: string) {
  const refusal = await refusalOf(this, call);
  assert.equal(refusal.errno, errno, `errno of ${refusal.verb}()`);
});

/** For a page that says that a call is refused, and not with which errno. */
Then('{call} is refused', async function (this: VerbsWorld, call: Call) {
  const refusal = await refusalOf(this, call);
  assert.match(refusal.errno, /^E[A-Z]/, `errno of ${refusal.verb}()`);
});

/** The raw result of the last call of a C function, before any interpretation. */
Then('{verb} returned {number}', function (this: VerbsWorld, verb: string, value: bigint) {
  assert.equal(String(lastCall(this, verb).returned), String(value), `what ${verb}() returned`);
});

Then('{verb} returned -1 and left {errno} in errno', function (this: VerbsWorld, verb: string, errno: string) {
  const { returned, errno: left } = lastCall(this, verb);
  assert.deepEqual({ returned, errno: left }, { returned: -1, errno }, `what ${verb}() returned and left in errno`);
});

Then('{verb} returned NULL and left {errno} in errno', function (this: VerbsWorld, verb: string, errno: string) {
  const { returned, errno: left } = lastCall(this, verb);
  assert.deepEqual({ returned, errno: left }, { returned: null, errno }, `what ${verb}() returned and left in errno`);
});

Then('{verb} returned NULL', function (this: VerbsWorld, verb: string) {
  assert.equal(lastCall(this, verb).returned, null, `what ${verb}() returned`);
});

Then('{verb} returned a pointer', function (this: VerbsWorld, verb: string) {
  assert.equal(typeof lastCall(this, verb).returned, 'string', `${verb}() returned a pointer that is not NULL`);
});

Then('{verb} returned an errno number', function (this: VerbsWorld, verb: string) {
  const { returned, errno } = lastCall(this, verb);
  assert.ok(typeof returned === 'number' && returned > 0, `${verb}() returned ${returned}, which is no errno number`);
  assert.match(errno ?? '', /^E[A-Z]/, `the errno name of what ${verb}() returned`);
});

async function returned(world: VerbsWorld, call: Call): Promise<PendingCall<unknown>> {
  const pending = world.begun(call);
  const inTime = await happens(world.driver, () => pending.returned);
  assert.equal(inTime ? 'returned' : 'blocked', 'returned', `${call.phrase} within ${world.driver.limits.eventMs} ms`);
  return pending;
}

async function refusalOf(world: VerbsWorld, call: Call): Promise<VerbsError> {
  const pending = await returned(world, call);
  try {
    pending.result();
  } catch (error) {
    if (error instanceof VerbsError) return error;
    throw error;
  }
  return assert.fail(`${call.phrase} succeeded instead of being refused`);
}

function lastCall(world: VerbsWorld, verb: string): CallRecord {
  const record = world.driver.trace().findLast((candidate) => candidate.verb === verb);
  if (record === undefined) throw new HarnessError(`the scenario has not called ${verb}()`);
  return record;
}
