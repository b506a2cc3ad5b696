import assert from 'node:assert/strict';
import { Given, Then } from '@cucumber/cucumber';
import type { AccessFlag } from '../drivers/contract';
import { pollUntil } from './completions';
import type { Content } from './content';
import { bindWindow } from './memory-windows';
import type { VerbsWorld } from './world';

Given(
  'memory {string} of {int} bytes with {access}',
  async function (this: VerbsWorld, name: string, bytes: number, access: AccessFlag[]) {
    const registered = this.driver.regMr(await this.pd(), bytes, access);
    this.memories.add(name, await this.keep('memory', registered, (mr) => this.driver.deregMr(mr)));
  },
);

Given('{content} is written to memory {string}', async function (this: VerbsWorld, content: Content, name: string) {
  await this.driver.writeMemory(this.memories.get(name), 0, content.bytes);
});

Given(
  'memory window {string} onto memory {string}, bound by QP {string} with {access}',
  async function (this: VerbsWorld, name: string, memory: string, owner: string, access: AccessFlag[]) {
    await bindWindow(this, { name, memory, owner, access });
    const [bound] = await pollUntil(this, this.qps.get(owner).sendCq, 1);
    assert.equal(bound?.status, 'IBV_WC_SUCCESS', `status of binding memory window "${name}"`);
  },
);

Then(
  'memory {string} begins with {content}',
  async function (this: VerbsWorld, name: string, { bytes, encoding }: Content) {
    const found = await this.driver.readMemory(this.memories.get(name), 0, bytes.length);
    assert.equal(found.toString(encoding), bytes.toString(encoding), `content of memory "${name}"`);
  },
);
