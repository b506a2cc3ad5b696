import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { HarnessError, type AsyncEvent } from '../drivers/contract';
import { awaitAsyncEvent, takeAsyncEvents, takenAsyncEvent } from './events';
import type { ObjectRef } from './object-ref';
import type { VerbsWorld } from './world';

/** Takes it as well; as a Given it says that the event has been taken and not acknowledged. */
Then(
  'the device (has )raise(s)(d) {async-event} for {object}',
  async function (this: VerbsWorld, eventType: string, ref: ObjectRef) {
    const { element } = await expectAsyncEvent(this, eventType);
    assert.equal(elementText(this, element), `${ref.kind} "${ref.name}"`, `what ${eventType} names`);
  },
);

Then('the device raises {async-event} for its port', async function (this: VerbsWorld, eventType: string) {
  const { element } = await expectAsyncEvent(this, eventType);
  assert.equal(element, this.driver.dut.port.portNum, `the port that ${eventType} names`);
});

Then('the device raises no {async-event}', async function (this: VerbsWorld, eventType: string) {
  await this.driver.settle();
  await takeAsyncEvents(this);
  const raised = takenAsyncEvent(this, eventType)?.eventType ?? 'none such';
  assert.equal(raised, 'none such', 'asynchronous event of the device after everything has settled');
});

When('the {async-event} is acknowledged', async function (this: VerbsWorld, eventType: string) {
  const event = takenAsyncEvent(this, eventType);
  if (event === undefined) throw new HarnessError(`no ${eventType} has been taken`);
  await this.owed.acknowledgeAsync(event);
});

Given('the link of the port is taken down', async function (this: VerbsWorld) {
  await this.context();
  await this.driver.setPortUp(false);
});

When('the link of the port is brought up', async function (this: VerbsWorld) {
  await this.driver.setPortUp(true);
});

async function expectAsyncEvent(world: VerbsWorld, eventType: string): Promise<AsyncEvent> {
  const event = await awaitAsyncEvent(world, eventType);
  const subject = `asynchronous event of the device within ${world.driver.limits.eventMs} ms`;
  assert.equal(event?.eventType ?? 'none such', eventType, subject);
  return event ?? assert.fail(subject);
}

function elementText(world: VerbsWorld, element: AsyncEvent['element']): string {
  if (element === undefined) return 'nothing';
  if (typeof element === 'number') return `port ${element}`;
  const qp = [...world.qps.values()].find((candidate) => candidate.qp === element);
  if (qp !== undefined) return `QP ${world.qps.nameOf(qp)}`;
  if (world.srqs.includes(element)) return `SRQ ${world.srqs.nameOf(element)}`;
  return `CQ ${world.cqs.nameOf(element)}`;
}
