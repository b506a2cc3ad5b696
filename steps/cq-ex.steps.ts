import { Given, When } from '@cucumber/cucumber';
import { flagsOf } from './cells';
import type { VerbsWorld } from './world';

/** Entries of a CQ where the scenario does not care. */
const roomyCqe = 16;

Given(
  'an extended CQ {string} on completion channel {string} that provides {string}',
  async function (this: VerbsWorld, name: string, channel: string, wcFlags: string) {
    const attr = { cqe: roomyCqe, wcFlags: flagsOf(wcFlags) };
    const created = this.driver.createCqEx(await this.context(), attr, await this.channel(channel));
    this.cqs.add(name, await this.keepCq(created));
  },
);

When('the batch of CQ {string} is closed', async function (this: VerbsWorld, name: string) {
  await this.driver.endPoll(this.cqs.get(name));
});
