import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { VerbsError, type Cq, type Qp } from '../drivers/contract';
import { pollUntil } from './completions';
import { connect } from './connection';
import { takeAsyncEvents, takenAsyncEvent } from './events';
import { receive, send } from './messages';
import type { VerbsWorld } from './world';

/** Work requests that fit into a QP beyond what overruns the CQ of the scenario. */
const spareWr = 16;

/** Messages that overrun a CQ: providers keep no more than as many hidden entries again, and one. */
const overrunMessagesMax = (cq: Cq): number => 2 * (cq.cqe + 1);

Given(
  'connected RC QPs {string} and {string}, where {string} receives on CQ {string}',
  async function (this: VerbsWorld, one: string, other: string, receiver: string, cq: string) {
    await createPair(this, one, other, { recvOf: receiver, cq: this.cqs.get(cq) });
  },
);

Given(
  'connected RC QPs {string} and {string}, where {string} sends on CQ {string}',
  async function (this: VerbsWorld, one: string, other: string, sender: string, cq: string) {
    await createPair(this, one, other, { sendOf: sender, cq: this.cqs.get(cq) });
  },
);

Given('{int} receives posted on QP {string}', async function (this: VerbsWorld, count: number, qp: string) {
  await times(count, () => receive(this, this.qps.get(qp)));
});

Given(
  'as many receives posted on QP {string} as it takes to overrun CQ {string}',
  async function (this: VerbsWorld, qp: string, cq: string) {
    await times(overrunMessagesMax(this.cqs.get(cq)) + 1, () => receive(this, this.qps.get(qp)));
  },
);

Given('QPs {string} and {string} are destroyed', async function (this: VerbsWorld, one: string, other: string) {
  for (const name of [one, other]) {
    const { qp } = this.qps.get(name);
    this.forget(qp);
    this.qps.delete(name);
    await this.driver.destroyQp(qp);
  }
});

When(
  'QP {string} (has )sen(ds)(t) {int} {solicitation} message(s)',
  async function (this: VerbsWorld, qp: string, count: number, solicited: boolean) {
    await times(count, () => send(this, this.qps.get(qp), solicited));
  },
);

When(
  'QP {string} (has )sen(ds)(t) as many messages as CQ {string} has entries',
  async function (this: VerbsWorld, qp: string, cq: string) {
    await times(this.cqs.get(cq).cqe, () => send(this, this.qps.get(qp), false));
  },
);

/** Which CQ the event names is for a Then to judge. */
When(
  'QP {string} (has )sen(ds)(t) messages until CQ {string} has/had no room for their CQEs',
  async function (this: VerbsWorld, qp: string, name: string) {
    const cq = this.cqs.get(name);
    await times(cq.cqe, () => send(this, this.qps.get(qp), false));
    for (let sent = cq.cqe; sent < overrunMessagesMax(cq); sent++) {
      await send(this, this.qps.get(qp), false);
      await this.driver.settle();
      await takeAsyncEvents(this);
      if (takenAsyncEvent(this, 'IBV_EVENT_CQ_ERR') !== undefined) return;
    }
  },
);

When('QP {string} tries to send 1 more message', async function (this: VerbsWorld, qp: string) {
  this.triedWrId = this.nextWrId();
  await send(this, this.qps.get(qp), false, this.triedWrId).catch((error: unknown) => {
    if (!(error instanceof VerbsError)) throw error;
  });
});

/** Receiving them shows that they were sent, and leaves the CQ of the sender alone. */
Then(
  'QP {string} receives as many messages as CQ {string} has entries',
  async function (this: VerbsWorld, receiver: string, cq: string) {
    const received = await pollUntil(this, this.qps.get(receiver).recvCq, this.cqs.get(cq).cqe);
    const failed = received.filter(({ status }) => status !== 'IBV_WC_SUCCESS');
    assert.deepEqual(failed, [], `failed receives of QP "${receiver}"`);
  },
);

/** The one CQ that the scenario names, and the QP that uses it; the other completions go to a CQ without a name. */
interface NamedEnd {
  readonly sendOf?: string;
  readonly recvOf?: string;
  readonly cq: Cq;
}

async function createPair(world: VerbsWorld, one: string, other: string, end: NamedEnd): Promise<void> {
  const { driver } = world;
  const workRequests = overrunMessagesMax(end.cq) + spareWr;
  const unnamed = await world.create(driver.createCq(await world.context(), { cqe: 2 * workRequests }), (cq) =>
    driver.destroyCq(cq),
  );
  const cqsOf = (name: string): { sendCq: Cq; recvCq: Cq } => ({
    sendCq: end.sendOf === name ? end.cq : unnamed,
    recvCq: end.recvOf === name ? end.cq : unnamed,
  });
  const first = await createQp(world, cqsOf(one), workRequests);
  const second = await createQp(world, cqsOf(other), workRequests);
  await connect(driver, first, second);
  world.qps.add(one, { qp: first, peer: second, ...cqsOf(one) });
  world.qps.add(other, { qp: second, peer: first, ...cqsOf(other) });
}

async function createQp(world: VerbsWorld, cqs: { sendCq: Cq; recvCq: Cq }, workRequests: number): Promise<Qp> {
  const cap = { maxSendWr: workRequests, maxRecvWr: workRequests, maxSendSge: 1, maxRecvSge: 1 };
  const created = world.driver.createQp(await world.pd(), { qpType: 'IBV_QPT_RC', ...cqs, cap, sqSigAll: false });
  return world.create(created, (qp) => world.driver.destroyQp(qp));
}

async function times(count: number, action: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await action();
}
