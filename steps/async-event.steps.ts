import assert from 'node:assert/strict';
import { Then } from '@cucumber/cucumber';
import { awaitAsyncEvent, takeAsyncEvents, takenAsyncEvent } from './events';
import type { VerbsWorld } from './world';

Then(
  'the device (has )raise(s)(d) {async-event} for CQ {string}',
  async function (this: VerbsWorld, eventType: string, name: string) {
    const event = await awaitAsyncEvent(this, eventType);
    const subject = `asynchronous event of the device within ${this.driver.limits.eventMs} ms`;
    assert.equal(event?.eventType ?? 'none such', eventType, subject);
    assert.equal(this.cqs.nameOf(event?.element), `"${name}"`, `the CQ that ${eventType} names`);
  },
);

Then('the device raises no {async-event}', async function (this: VerbsWorld, eventType: string) {
  await this.driver.settle();
  await takeAsyncEvents(this);
  const raised = takenAsyncEvent(this, eventType)?.eventType ?? 'none such';
  assert.equal(raised, 'none such', 'asynchronous event of the device after everything has settled');
});
