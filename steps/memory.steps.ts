import assert from 'node:assert/strict';
import { Given, Then } from '@cucumber/cucumber';
import type { AccessFlag, Pd } from '../drivers/contract';
import { pollUntil } from './completions';
import type { Content } from './content';
import { bindWindow, type WantedWindow } from './memory-windows';
import type { VerbsWorld } from './world';

Given(
  'memory {string} of {int} bytes with {access}',
  async function (this: VerbsWorld, name: string, bytes: number, access: AccessFlag[]) {
    await register(this, name, await this.pd(), bytes, access);
  },
);

Given(
  'memory {string} of {int} bytes in another PD, with {access}',
  async function (this: VerbsWorld, name: string, bytes: number, access: AccessFlag[]) {
    await register(this, name, await this.newPd(await this.context()), bytes, access);
  },
);

/** What is posted later may name the memory nevertheless. */
Given('memory {string} is deregistered', async function (this: VerbsWorld, name: string) {
  await this.deregister(name);
});

Given('{content} is written to memory {string}', async function (this: VerbsWorld, content: Content, name: string) {
  await this.driver.writeMemory(this.memories.get(name), 0, content.bytes);
});

Given(
  'memory window {string} onto memory {string}, bound by QP {string} with {access}',
  async function (this: VerbsWorld, name: string, memory: string, owner: string, access: AccessFlag[]) {
    await bindAndPoll(this, { name, memory, owner, access });
  },
);

Given(
  'memory window {string} onto {int} bytes of memory {string} from byte {int} on, bound by QP {string} with {access}',
  async function (
    this: VerbsWorld,
    name: string,
    length: number,
    memory: string,
    offset: number,
    owner: string,
    access: AccessFlag[],
  ) {
    await bindAndPoll(this, { name, memory, part: { offset, length }, owner, access });
  },
);

Then(
  'memory {string} begins with {content}',
  async function (this: VerbsWorld, name: string, { bytes, encoding }: Content) {
    const found = await this.driver.readMemory(this.memories.get(name), 0, bytes.length);
    assert.equal(found.toString(encoding), bytes.toString(encoding), `content of memory "${name}"`);
  },
);

async function register(world: VerbsWorld, name: string, pd: Pd, bytes: number, access: AccessFlag[]): Promise<void> {
  const registered = world.driver.regMr(pd, bytes, access);
  world.memories.add(name, await world.keep('memory', registered, (mr) => world.driver.deregMr(mr)));
}

async function bindAndPoll(world: VerbsWorld, wanted: WantedWindow): Promise<void> {
  await bindWindow(world, wanted);
  const [bound] = await pollUntil(world, world.qps.get(wanted.owner).sendCq, 1);
  assert.equal(bound?.status, 'IBV_WC_SUCCESS', `status of binding memory window "${wanted.name}"`);
}
