import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { HarnessError, type AsyncEvent } from '../drivers/contract';
import { asyncEventsOf, awaitAsyncEvent, takeAsyncEvents, type Element } from './events';
import type { ObjectRef } from './object-ref';
import type { VerbsWorld } from './world';

/** Each such step stands for one event; as a Given it says that the event has been taken and not acknowledged. */
Then(
  'the device (has )raise(s)(d) {async-event} for {subject}',
  async function (this: VerbsWorld, eventType: string, subject: ObjectRef | 'its port') {
    const element = subject === 'its port' ? this.driver.dut.port.portNum : this.object(subject);
    await expectAsyncEvent(this, eventType, element);
  },
);

Then('the device raises no {async-event}', async function (this: VerbsWorld, eventType: string) {
  assert.deepEqual(
    await elementsNamed(this, eventType),
    [],
    `what the ${eventType} events name, after everything has settled`,
  );
});

/** Says nothing of whether the event is raised for that object. */
Then(
  'the device raises no {async-event} but for {object}',
  async function (this: VerbsWorld, eventType: string, ref: ObjectRef) {
    const own = elementText(this, this.object(ref));
    const others = (await elementsNamed(this, eventType)).filter((named) => named !== own);
    assert.deepEqual(others, [], `what the ${eventType} events name besides ${own}, after everything has settled`);
  },
);

When('the {async-event} is acknowledged', async function (this: VerbsWorld, eventType: string) {
  const event = this.owed.asyncEvents.find((owed) => owed.eventType === eventType);
  if (event === undefined) throw new HarnessError(`no ${eventType} is owed an ack`);
  await this.owed.acknowledgeAsync(event);
});

/** A link that a scenario takes down is brought up by the clean-up, however the scenario ends. */
Given('the link of the port is {link-change}', async function (this: VerbsWorld, up: boolean) {
  await this.context();
  const changed = this.driver.setPortUp(up).then(() => ({}));
  if (up) await changed;
  else await this.keep('environment', changed, () => this.driver.setPortUp(true));
});

async function expectAsyncEvent(world: VerbsWorld, eventType: string, element: Element): Promise<void> {
  if (await awaitAsyncEvent(world, eventType, element)) return;
  const observed = asyncEventsOf(world, eventType).map((event) => elementText(world, event.element));
  const subject = `what the ${eventType} events within ${world.driver.limits.eventMs} ms name`;
  assert.deepEqual(observed, [elementText(world, element)], subject);
}

/** What the events of a type name that no step has asked for, once everything has settled. */
async function elementsNamed(world: VerbsWorld, eventType: string): Promise<string[]> {
  await world.driver.settle();
  await takeAsyncEvents(world);
  return asyncEventsOf(world, eventType).map(({ element }) => elementText(world, element));
}

function elementText(world: VerbsWorld, element: AsyncEvent['element']): string {
  if (element === undefined) return 'nothing';
  if (typeof element === 'number') return `port ${element}`;
  const qp = [...world.qps.values()].find((candidate) => candidate.qp === element);
  if (qp !== undefined) return `QP ${world.qps.nameOf(qp)}`;
  if (world.srqs.includes(element)) return `SRQ ${world.srqs.nameOf(element)}`;
  return `CQ ${world.cqs.nameOf(element)}`;
}
