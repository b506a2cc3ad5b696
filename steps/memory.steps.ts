import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import type { AccessFlag } from '../drivers/contract';
import { pollUntil } from './completions';
import type { Content } from './content';
import type { ConnectedQp, VerbsWorld } from './world';

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
    const qp = this.qps.get(owner);
    await bind(this, qp, name, memory, access);
    const [bound] = await pollUntil(this, qp.sendCq, 1);
    assert.equal(bound?.status, 'IBV_WC_SUCCESS', `status of binding memory window "${name}"`);
  },
);

When(
  'QP {string} binds memory window {string} onto memory {string} with {access}',
  async function (this: VerbsWorld, owner: string, name: string, memory: string, access: AccessFlag[]) {
    await bind(this, this.qps.get(owner), name, memory, access);
  },
);

Then(
  'memory {string} begins with {content}',
  async function (this: VerbsWorld, name: string, { bytes, encoding }: Content) {
    const found = await this.driver.readMemory(this.memories.get(name), 0, bytes.length);
    assert.equal(found.toString(encoding), bytes.toString(encoding), `content of memory "${name}"`);
  },
);

/** Posts the binding of a new type 2 window over all of the memory. */
async function bind(
  world: VerbsWorld,
  { qp }: ConnectedQp,
  name: string,
  memory: string,
  access: readonly AccessFlag[],
): Promise<void> {
  const mr = world.memories.get(memory);
  const allocated = world.driver.allocMw(await world.pd());
  const mw = await world.keep('window', allocated, (window) => world.driver.deallocMw(window));
  const rkey = nextRkey(mw.rkey);
  const bindMw = { mw, rkey, mr, addr: mr.addr, length: mr.length, access };
  const wr = { wrId: world.nextWrId(), sgList: [], sendFlags: ['IBV_SEND_SIGNALED'], bindMw } as const;
  await world.driver.postSend(qp, [{ ...wr, opcode: 'IBV_WR_BIND_MW' }]);
  world.windows.add(name, { mw, rkey, mr });
}

/** The low byte of an R_Key is the owner's to choose: ibv_inc_rkey(3). */
function nextRkey(rkey: number): number {
  return ((rkey & 0xffffff00) | ((rkey + 1) & 0xff)) >>> 0;
}
