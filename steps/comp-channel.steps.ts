import assert from 'node:assert/strict';
import { Given, Then } from '@cucumber/cucumber';
import { VerbsError } from '../drivers/contract';
import { expectNoEvent, expectReadable, takeEvent } from './events';
import type { VerbsWorld } from './world';

Given('completion channel {string} is non-blocking', async function (this: VerbsWorld, channel: string) {
  await this.driver.setNonblocking(this.channels.get(channel));
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

Then('completion channel {string} delivers no event', async function (this: VerbsWorld, channel: string) {
  await expectNoEvent(this, this.channels.get(channel));
});

Then(
  'taking an event from completion channel {string} fails with {errno}',
  async function (this: VerbsWorld, channel: string, errno: string) {
    await assert.rejects(
      this.owed.takeCqEvent(this.channels.get(channel)),
      (error) => {
        if (!(error instanceof VerbsError)) throw error;
        assert.equal(error.errno, errno, `errno of ${error.verb}()`);
        return true;
      },
      `ibv_get_cq_event() succeeded instead of failing with ${errno}`,
    );
  },
);
