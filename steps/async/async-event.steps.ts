import { Given, Then, When } from '@cucumber/cucumber';
import { check, checkEqual, HarnessError } from '../../drivers/contract';
import { asyncEventsOf, awaitAsyncEvent, forgetUnasked, takeAsyncEvents, type Element } from '../channel/events';
import { eventMsOf } from '../world/deadlines';
import type { ObjectRef } from '../world/object-ref';
import type { UnwantedEvent } from '../world/parameter-types';
import type { VerbsWorld } from '../world/world';

/** Each such step stands for one event; as a Given it says that the event has been taken and not acknowledged. */
Then(
  'the device (has )raise(s)(d) {async-event} for {subject}',
  async function (this: VerbsWorld, eventType: string, subject: ObjectRef | 'its port') {
    const element = subject === 'its port' ? this.driver.dut.port.portNum : this.object(subject);
    await expectAsyncEvent(this, eventType, element);
  },
);

/** With "except for" it says nothing of whether the event is raised for that object. */
Then('the device raises no {unwanted-event}', async function (this: VerbsWorld, { eventType, butFor }: UnwantedEvent) {
  const own = butFor && elementText(this, this.object(butFor));
  const named = (await elementsNamed(this, eventType)).filter((text) => text !== own);
  const besides = own === undefined ? '' : ` besides ${own}`;
  const subject = `what the ${eventType} events name${besides}, after everything has settled`;
  checkEqual({ subject, expected: [], observed: named });
});

/** Takes and acknowledges what the device has raised of itself so far. */
Given('the asynchronous event queue has been emptied', async function (this: VerbsWorld) {
  await this.driver.settle();
  await takeAsyncEvents(this);
  await this.owed.acknowledgeAmong(this.here.asyncEvents);
  forgetUnasked(this);
});

When('the {async-event} is acknowledged', async function (this: VerbsWorld, eventType: string) {
  const event = this.owed.asyncEvents.find((owed) => owed.eventType === eventType);
  if (event === undefined) throw new HarnessError(`no ${eventType} is owed an ack`);
  await this.owed.acknowledgeAsync(event);
});

/** For a scenario with several events of the type. */
When(
  'the {async-event} for {object} is acknowledged',
  async function (this: VerbsWorld, eventType: string, ref: ObjectRef) {
    const element = this.object(ref);
    const event = this.owed.asyncEvents.find((owed) => owed.eventType === eventType && owed.element === element);
    if (event === undefined) throw new HarnessError(`no ${eventType} for ${ref.name} is owed an ack`);
    await this.owed.acknowledgeAsync(event);
  },
);

/** A link that a scenario takes down is brought up by the clean-up, however the scenario ends. */
Given('the link of the port is {link-change}', async function (this: VerbsWorld, up: boolean) {
  await this.context();
  const changed = this.driver.setPortUp(up);
  if (up) await changed;
  else await this.undoLater(changed, () => this.driver.setPortUp(true));
});

Then('the port is {port-activity}', async function (this: VerbsWorld, expected: string) {
  const { state } = await this.driver.queryPort(await this.context(), this.driver.dut.port.portNum);
  const observed = state === 'IBV_PORT_ACTIVE' ? state : 'not IBV_PORT_ACTIVE';
  check(expected === observed, { subject: 'state of the port that ibv_query_port() gives', expected, observed: state });
});

async function expectAsyncEvent(world: VerbsWorld, eventType: string, element: Element): Promise<void> {
  if (await awaitAsyncEvent(world, eventType, element)) return;
  const observed = asyncEventsOf(world, eventType).map((event) => elementText(world, event.element));
  const expected = [elementText(world, element)];
  checkEqual({
    subject: `what the ${eventType} events name`,
    expected,
    observed,
    withinMs: eventMsOf(world),
  });
}

/** What the events of a type name that no step has asked for, once everything has settled. */
async function elementsNamed(world: VerbsWorld, eventType: string): Promise<string[]> {
  await world.driver.settle();
  await takeAsyncEvents(world);
  return asyncEventsOf(world, eventType).map(({ element }) => elementText(world, element));
}

function elementText(world: VerbsWorld, element: Element | null): string {
  if (element === null) return 'nothing';
  if (typeof element === 'number') return `port ${element}`;
  const qp = [...world.qps.values()].find((candidate) => candidate.qp === element);
  if (qp !== undefined) return `QP ${world.qps.nameOf(qp)}`;
  if (world.srqs.includes(element)) return `SRQ ${world.srqs.nameOf(element)}`;
  return `CQ ${world.cqs.nameOf(element)}`;
}
