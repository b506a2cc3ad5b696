import { Given, When } from '@cucumber/cucumber';
import type { VerbsWorld } from '../world/world';

/** Receives that an SRQ has room for where the scenario does not care. */
const roomyWr = 64;

Given('an SRQ {string}', async function (this: VerbsWorld, name: string) {
  const attr = { maxWr: roomyWr, maxSge: 1, srqLimit: 0 };
  const created = this.driver.createSrq(await this.pd(), { attr });
  this.srqs.add(name, await this.keep('srq', created));
});

When('the limit of SRQ {string} is set to {int}', async function (this: VerbsWorld, name: string, srqLimit: number) {
  await this.driver.modifySrq(this.srqs.get(name), { srqLimit }, ['IBV_SRQ_LIMIT']);
});
