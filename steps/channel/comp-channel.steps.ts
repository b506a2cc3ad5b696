import { Given, Then } from '@cucumber/cucumber';
import { check, checkEqual, kinds, type CompChannel, type Context } from '../../drivers/contract';
import type { EventSource } from './event-source';
import { expectNoEvent, expectReadable, takeEvent } from './events';
import type { ObjectRef } from '../world/object-ref';
import type { VerbsWorld } from '../world/world';

Given('completion channel {string}', async function (this: VerbsWorld, name: string) {
  await this.channel(name);
});

Given('{event-source} is {blocking}', async function (this: VerbsWorld, source: EventSource, blocking: boolean) {
  await setBlocking(this, await source(this), blocking);
});

/** On the asynchronous event queue the one that is meant may come after one of the port: all that comes has to be there. */
Given('an event waits on {event-source}', async function (this: VerbsWorld, source: EventSource) {
  const readable = await source(this);
  await expectReadable(this, readable);
  if (!this.channels.includes(readable)) await this.driver.settle();
});

Given(
  'the event of CQ {string} on completion channel {string} is {taking}',
  async function (this: VerbsWorld, cq: string, channel: string, { andAcknowledged }: { andAcknowledged: boolean }) {
    await takeEvent(this, this.channels.get(channel), this.cqs.get(cq));
    if (andAcknowledged) await this.owed.acknowledge(this.cqs.get(cq), 1);
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
    checkEqual({ subject: 'user context of the completion event', expected: cqContext, observed: event.cqContext });
  },
);

Then('completion channel {string} delivers no event', async function (this: VerbsWorld, channel: string) {
  await expectNoEvent(this, this.channels.get(channel));
});

/** What F_GETFL gave before the scenario changed anything is in its trace. */
Then(
  'completion channel {string} has the file status flags that it had at first, and O_NONBLOCK',
  async function (this: VerbsWorld, name: string) {
    const flags = await this.driver.getFileStatusFlags(this.channels.get(name));
    const first = this.driver.trace().find(({ verb, args }) => verb === 'fcntl' && args.cmd === 'F_GETFL');
    const expected = [...new Set([first?.outputs.flags, 'O_NONBLOCK'].flat())].sort();
    const subject = `file status flags of completion channel "${name}"`;
    checkEqual({ subject, expected, observed: [...flags].sort() });
  },
);

/** For the kinds of objects whose struct names its context. */
Then('{object} belongs to the device context', async function (this: VerbsWorld, { kind, name }: ObjectRef) {
  const members =
    kind === 'cq'
      ? await this.driver.readCq(this.cqs.get(name))
      : await this.driver.readCompChannel(this.channels.get(name));
  const { handle } = await this.context();
  const subject = `context of ${kinds[kind].words} "${name}"`;
  checkEqual({ subject, expected: handle, observed: members.context?.handle ?? null });
});

/** Each is looked at twice. */
Then(
  'completion channels {string} and {string} each have a file descriptor of their own, and keep it',
  async function (this: VerbsWorld, one: string, other: string) {
    const observed: number[] = [];
    for (const name of [one, other, one, other]) {
      observed.push((await this.driver.readCompChannel(this.channels.get(name))).fd);
    }
    const subject = `file descriptors of completion channels "${one}" and "${other}", and both again`;
    const [first, second] = observed;
    checkEqual({ subject, expected: [first, second, first, second], observed });
    check(first !== second, { subject, expected: 'two', observed });
  },
);

/** Ends with the scenario. */
Given(
  'the process may open no more files than it has open with completion channel {string}',
  async function (this: VerbsWorld, name: string) {
    const { fd } = await this.driver.readCompChannel(this.channels.get(name));
    await this.undoLater(this.driver.limitOpenFiles(fd + 1), () => this.driver.limitOpenFiles(null));
  },
);

/** As the man pages' examples do it: the other flags in force are kept. */
async function setBlocking(world: VerbsWorld, source: CompChannel | Context, blocking: boolean): Promise<void> {
  const flags = await world.driver.getFileStatusFlags(source);
  const others = flags.filter((flag) => flag !== 'O_NONBLOCK');
  await world.driver.setFileStatusFlags(source, blocking ? others : [...others, 'O_NONBLOCK']);
}
