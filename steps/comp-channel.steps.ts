import assert from 'node:assert/strict';
import { Given, Then } from '@cucumber/cucumber';
import type { CompChannel, Context } from '../drivers/contract';
import { expectNoEvent, expectReadable, takeEvent } from './events';
import type { VerbsWorld } from './world';

Given('completion channel {string}', async function (this: VerbsWorld, name: string) {
  await this.channel(name);
});

Given('completion channel {string} is non-blocking', async function (this: VerbsWorld, channel: string) {
  await setNonblocking(this, this.channels.get(channel));
});

Given('the asynchronous event queue is non-blocking', async function (this: VerbsWorld) {
  await setNonblocking(this, await this.context());
});

Given('an event waits on completion channel {string}', async function (this: VerbsWorld, channel: string) {
  await expectReadable(this, this.channels.get(channel));
});

Given(
  'the event of CQ {string} on completion channel {string} is taken',
  async function (this: VerbsWorld, cq: string, channel: string) {
    await takeEvent(this, this.channels.get(channel), this.cqs.get(cq));
  },
);

Given(
  'the event of CQ {string} on completion channel {string} is taken and acknowledged',
  async function (this: VerbsWorld, cq: string, channel: string) {
    await takeEvent(this, this.channels.get(channel), this.cqs.get(cq));
    await this.owed.acknowledge(this.cqs.get(cq), 1);
  },
);

Then(
  'completion channel {string} delivers {int} event(s) for CQ {string} and no more',
  async function (this: VerbsWorld, name: string, count: number, cqName: string) {
    const channel = this.channels.get(name);
    const cq = this.cqs.get(cqName);
    for (let taken = 0; taken < count; taken++) {
      await takeEvent(this, channel, cq);
      await this.owed.acknowledge(cq, 1);
    }
    await expectNoEvent(this, channel);
  },
);

Then(
  'completion channel {string} delivers an event for CQ {string} with user context {number}',
  async function (this: VerbsWorld, name: string, cqName: string, cqContext: bigint) {
    const cq = this.cqs.get(cqName);
    const event = await takeEvent(this, this.channels.get(name), cq);
    await this.owed.acknowledge(cq, 1);
    assert.equal(event.cqContext.toString(16), cqContext.toString(16), 'user context of the completion event');
  },
);

Then('completion channel {string} delivers no event', async function (this: VerbsWorld, channel: string) {
  await expectNoEvent(this, this.channels.get(channel));
});

/** As the man pages' examples do it: the flags in force are kept. */
async function setNonblocking(world: VerbsWorld, source: CompChannel | Context): Promise<void> {
  const flags = await world.driver.getFileStatusFlags(source);
  await world.driver.setFileStatusFlags(source, [...flags, 'O_NONBLOCK']);
}
