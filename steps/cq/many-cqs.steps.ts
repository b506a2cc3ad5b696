import { Given, Then, When } from '@cucumber/cucumber';
import { checkEqual, HarnessError } from '../../drivers/contract';
import { expectNoEvent, expectReadable, takeEvent } from '../channel/events';
import { postReceives, recvWrs, send, senderTo } from '../qp/messages';
import { createPair } from '../qp/qp-pairs';
import type { VerbsWorld } from '../world/world';
import { pollUntil } from './completions';

/** Entries of a CQ into which a message or two come. */
const smallCqe = 4;

/** Each is the receive CQ of an RC QP of its own, with one receive. */
Given(
  'receive CQs {string} to {string} on completion channel {string}',
  async function (this: VerbsWorld, first: string, last: string, channel: string) {
    for (const name of namesOf(first, last)) await addReceiveCq(this, name, channel, 0);
  },
);

Given(
  'CQs {string} to {string} are armed for {scope}',
  async function (this: VerbsWorld, first: string, last: string, solicitedOnly: number) {
    for (const name of namesOf(first, last)) await this.driver.reqNotifyCq(this.cqs.get(name), solicitedOnly);
  },
);

When(
  'an unsolicited message comes in for each of CQs {string} to {string}',
  async function (this: VerbsWorld, first: string, last: string) {
    for (const name of namesOf(first, last)) await send(this, senderTo(this, this.cqs.get(name)), false);
  },
);

/** In any order: the pages promise none between CQs. */
Then(
  'completion channel {string} delivers one event for each of CQs {string} to {string}, and no more',
  async function (this: VerbsWorld, channelName: string, first: string, last: string) {
    const channel = this.channels.get(channelName);
    const names = namesOf(first, last);
    const observed: string[] = [];
    while (observed.length < names.length) {
      await expectReadable(this, channel, `, after those of ${observed.length} of ${names.length} CQs`);
      const { cq } = await this.owed.takeCqEvent(channel);
      observed.push(this.cqs.nameOf(cq));
      await this.owed.acknowledge(cq, 1);
    }
    const expected = names.map((name) => this.cqs.nameOf(this.cqs.get(name)));
    checkEqual({
      subject: 'the CQs that the completion events name',
      expected: expected.sort(),
      observed: observed.sort(),
    });
    await expectNoEvent(this, channel);
  },
);

Then(
  'a CQ on each completion vector delivers the event of a message to completion channel {string}',
  async function (this: VerbsWorld, channel: string) {
    const { numCompVectors } = await this.context();
    for (let vector = 0; vector < numCompVectors; vector++) {
      const name = `CQ of vector ${vector}`;
      const cq = await addReceiveCq(this, name, channel, vector);
      await this.driver.reqNotifyCq(cq, 0);
      await send(this, senderTo(this, cq), false);
      await takeEvent(this, await this.channel(channel), cq);
      await this.owed.acknowledge(cq, 1);
      for (const end of endsOf(name)) await this.destroy({ kind: 'qp', name: end });
      await this.destroy({ kind: 'cq', name });
    }
  },
);

/** Its CQs are polled as well, so that they need not hold all of it. */
Given(
  'QP {string} has received {int} unsolicited messages, each with an event taken from completion channel {string}',
  async function (this: VerbsWorld, name: string, count: number, channelName: string) {
    const { recvCq } = this.qps.get(name);
    const sender = senderTo(this, recvCq);
    const channel = this.channels.get(channelName);
    for (let received = 0; received < count; received++) {
      await postReceives(this, { kind: 'qp', name }, await recvWrs(this, { kind: 'qp', name }, 1));
      await this.driver.reqNotifyCq(recvCq, 0);
      await send(this, sender, false);
      await takeEvent(this, channel, recvCq);
      for (const cq of [recvCq, sender.sendCq]) await pollUntil(this, cq, 1);
    }
  },
);

async function addReceiveCq(world: VerbsWorld, name: string, channel: string, compVector: number) {
  const cq = world.cqs.add(name, await world.newCq({ cqe: smallCqe, compVector }, await world.channel(channel)));
  const [sender, receiver] = endsOf(name);
  await createPair(world, [
    { name: sender, qpType: 'IBV_QPT_RC' },
    { name: receiver, qpType: 'IBV_QPT_RC', recvCq: cq },
  ]);
  const to = { kind: 'qp', name: receiver } as const;
  await postReceives(world, to, await recvWrs(world, to, 1));
  return cq;
}

/** The names of the QPs that are made for a CQ. */
function endsOf(cq: string): readonly [string, string] {
  return [`sender to ${cq}`, `receiver of ${cq}`];
}

/** `cq_1` to `cq_3` are `cq_1`, `cq_2` and `cq_3`. */
function namesOf(first: string, last: string): string[] {
  const [, stem = '', from] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const [, sameStem, to] = /^(.*?)(\d+)$/.exec(last) ?? [];
  if (from === undefined || stem !== sameStem) throw new HarnessError(`"${first}" to "${last}" counts nothing`);
  const length = Number(to) - Number(from) + 1;
  return Array.from({ length }, (_, index) => `${stem}${Number(from) + index}`);
}
