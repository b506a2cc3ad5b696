import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { HarnessError, type Cq } from '../drivers/contract';
import { pollAsFarAsPossible, pollUntil } from './completions';
import { takeEvent } from './events';
import { send, senderTo } from './messages';
import { PendingCall } from './pending-call';
import { happens } from './waits';
import type { VerbsWorld } from './world';

/** Entries of a CQ where the scenario does not care. */
const roomyCqe = 16;

Given('a CQ {string} on completion channel {string}', async function (this: VerbsWorld, name: string, channel: string) {
  const created = this.driver.createCq(await this.context(), { cqe: roomyCqe }, await this.channel(channel));
  this.cqs.add(name, await this.create(created, (cq) => this.driver.destroyCq(cq)));
});

Given('a CQ {string} of {int} entries', async function (this: VerbsWorld, name: string, cqe: number) {
  const created = this.driver.createCq(await this.context(), { cqe });
  this.cqs.add(name, await this.create(created, (cq) => this.driver.destroyCq(cq)));
});

Given('CQ {string} is armed for {scope}', async function (this: VerbsWorld, cq: string, solicitedOnly: number) {
  await this.driver.reqNotifyCq(this.cqs.get(cq), solicitedOnly);
});

/** The event shows that the CQE is in the CQ, without polling it. */
Given(
  '{int} event(s) of CQ {string} for (a )(an ){solicitation} message(s) has/have been taken from completion channel {string}',
  async function (this: VerbsWorld, count: number, name: string, solicited: boolean, channel: string) {
    const cq = this.cqs.get(name);
    for (let taken = 0; taken < count; taken++) {
      await this.driver.reqNotifyCq(cq, 0);
      await send(this, senderTo(this, cq), solicited);
      await takeEvent(this, this.channels.get(channel), cq);
    }
  },
);

When('{int} event(s) of CQ {string} is/are acknowledged', async function (this: VerbsWorld, count: number, cq: string) {
  await this.owed.acknowledge(this.cqs.get(cq), count);
});

Given('CQ {string} has been emptied of {int} CQE(s)', async function (this: VerbsWorld, cq: string, count: number) {
  await pollUntil(this, this.cqs.get(cq), count);
});

Given('CQ {string} has been emptied as far as it can be polled', async function (this: VerbsWorld, cq: string) {
  await pollAsFarAsPossible(this, this.cqs.get(cq));
});

When('destroying CQ {string} begins', beginDestroying);

function beginDestroying(this: VerbsWorld, name: string): void {
  const cq = this.cqs.get(name);
  this.forget(cq);
  this.destroying.set(cq, new PendingCall(this.driver.destroyCq(cq)));
}

Given('destroying CQ {string} has begun and is blocked', async function (this: VerbsWorld, name: string) {
  beginDestroying.call(this, name);
  await expectBlocked.call(this, name);
});

Then('destroying CQ {string} is blocked', expectBlocked);

async function expectBlocked(this: VerbsWorld, name: string): Promise<void> {
  await this.driver.settle();
  const destruction = destructionOf(this, this.cqs.get(name));
  if (destruction.returned) destruction.result(); // a refusal, or the loss of the DUT, speaks for itself
  assert.equal(destruction.returned ? 'returned' : 'blocked', 'blocked', 'ibv_destroy_cq() while acks are owed');
}

Then('destroying CQ {string} succeeds', async function (this: VerbsWorld, name: string) {
  const destruction = destructionOf(this, this.cqs.get(name));
  const returned = await happens(this.driver, () => destruction.returned);
  const subject = `ibv_destroy_cq() within ${this.driver.limits.eventMs} ms while no ack is owed`;
  assert.equal(returned ? 'returned' : 'blocked', 'returned', subject);
  destruction.result();
});

Then(
  'CQ {string} gains {int} CQE(s) with status {status}',
  async function (this: VerbsWorld, cq: string, count: number, status: string) {
    await expectCompletions(this, this.cqs.get(cq), count, status);
  },
);

Then(
  'CQ {string} gains as many CQEs as it has entries, with status {status}',
  async function (this: VerbsWorld, name: string, status: string) {
    const cq = this.cqs.get(name);
    await expectCompletions(this, cq, cq.cqe, status);
  },
);

Then('CQ {string} reports no completion of that message', async function (this: VerbsWorld, cq: string) {
  await this.driver.settle();
  const last = this.triedWrId;
  const reported = (await pollAsFarAsPossible(this, this.cqs.get(cq))).filter(({ wrId }) => wrId === last);
  assert.deepEqual(reported, [], `completions of work that was posted after CQ "${cq}" had overrun`);
});

async function expectCompletions(world: VerbsWorld, cq: Cq, count: number, status: string): Promise<void> {
  const statuses = (await pollUntil(world, cq, count)).map((completion) => completion.status);
  assert.deepEqual(statuses, Array<string>(count).fill(status), `status of the CQEs of CQ ${world.cqs.nameOf(cq)}`);
  assert.deepEqual(
    await world.driver.pollCq(cq, 1),
    [],
    `CQEs of CQ ${world.cqs.nameOf(cq)} beyond the ${count} expected`,
  );
}

function destructionOf(world: VerbsWorld, cq: Cq): PendingCall {
  const destruction = world.destroying.get(cq);
  if (destruction === undefined) throw new HarnessError(`destroying CQ ${world.cqs.nameOf(cq)} has not begun`);
  return destruction;
}
