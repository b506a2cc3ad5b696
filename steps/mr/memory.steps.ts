import { Given, Then, When } from '@cucumber/cucumber';
import { checkEqual, type AccessFlag, type Pd } from '../../drivers/contract';
import { pollUntil } from '../cq/completions';
import { contentData, firstDifference, type Content } from './content';
import { registerMemory } from './registered';
import { bindWindow, type WantedWindow } from '../mw/memory-windows';
import type { VerbsWorld } from '../world/world';

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
  await this.driver.writeMemory(this.memories.get(name).addr, content.bytes);
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

/** What is posted later may name the window nevertheless. */
When('memory window {string} is deallocated', async function (this: VerbsWorld, name: string) {
  await this.deallocate(name);
});

Then('memory {string} begins with {content}', async function (this: VerbsWorld, name: string, content: Content) {
  await expectContent(this, name, 0, content);
});

Then(
  'memory {string} holds {content} from byte {int} on',
  async function (this: VerbsWorld, name: string, content: Content, offset: number) {
    await expectContent(this, name, offset, content);
  },
);

async function expectContent(world: VerbsWorld, name: string, offset: number, content: Content): Promise<void> {
  const bytes = await world.driver.readMemory(world.memories.get(name).addr + BigInt(offset), content.bytes.length);
  const subject = `content of memory "${name}" from byte ${offset} on`;
  if (content.encoding === 'pattern') {
    checkEqual({
      subject: `first difference in the ${subject}`,
      expected: 'none',
      observed: firstDifference(content.bytes, bytes),
    });
  } else checkEqual({ subject, expected: contentData(content), observed: contentData({ ...content, bytes }) });
}

async function register(world: VerbsWorld, name: string, pd: Pd, bytes: number, access: AccessFlag[]): Promise<void> {
  world.memories.add(name, await registerMemory(world, pd, bytes, access));
}

async function bindAndPoll(world: VerbsWorld, wanted: WantedWindow): Promise<void> {
  await bindWindow(world, wanted);
  const [bound] = await pollUntil(world, world.qps.get(wanted.owner).sendCq, 1);
  const subject = `status of binding memory window "${wanted.name}"`;
  checkEqual({ subject, expected: 'IBV_WC_SUCCESS', observed: bound?.status });
}
