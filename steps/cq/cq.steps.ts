import { Given, Then, When, type DataTable } from '@cucumber/cucumber';
import { check, checkEqual, HarnessError, VerbsError, type Cq, type Wc } from '../../drivers/contract';
import { completionData, completionRows, expectCompletionRows } from './completion-table';
import { pollAsFarAsPossible, pollUntil } from './completions';
import { entriesOf } from './cq-attributes';
import { takeEvent } from '../channel/events';
import { send, senderTo } from '../qp/messages';
import type { Call, VerbsWorld } from '../world/world';

/** Entries of a CQ where the scenario does not care. */
const roomyCqe = 16;

Given('a CQ {string}', async function (this: VerbsWorld, name: string) {
  this.cqs.add(name, await this.newCq({ cqe: roomyCqe }));
});

Given('a CQ {string} on completion channel {string}', async function (this: VerbsWorld, name: string, channel: string) {
  this.cqs.add(name, await this.newCq({ cqe: roomyCqe }, await this.channel(channel)));
});

Given('a CQ {string} of {int} entry/entries', async function (this: VerbsWorld, name: string, cqe: number) {
  this.cqs.add(name, await this.newCq({ cqe }));
});

Given(
  'a CQ {string} of {int} entry/entries on completion channel {string}',
  async function (this: VerbsWorld, name: string, cqe: number, channel: string) {
    this.cqs.add(name, await this.newCq({ cqe }, await this.channel(channel)));
  },
);

Given('CQ {string} is armed for {scope}', async function (this: VerbsWorld, cq: string, solicitedOnly: number) {
  await this.driver.reqNotifyCq(this.cqs.get(cq), solicitedOnly);
});

/**
 * The event shows that the CQE is in the CQ, without polling it; but not where it may be of a CQE that was there before.
 */
Given(
  '{int} event(s) of CQ {string} for (a )(an ){solicitation} message(s) has/have been taken from completion channel {string}',
  async function (this: VerbsWorld, count: number, name: string, solicited: boolean, channel: string) {
    const cq = this.cqs.get(name);
    for (let taken = 0; taken < count; taken++) {
      await this.driver.reqNotifyCq(cq, 0);
      await send(this, senderTo(this, cq), solicited);
      await takeEvent(this, this.channels.get(channel), cq);
    }
    if (!this.driver.dut.capabilities.includes('arm-ignores-backlog')) await this.driver.settle();
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

Then(
  'CQ {string} gains {int} CQE(s) with status {status}',
  async function (this: VerbsWorld, cq: string, count: number, status: string) {
    await expectCompletions(this, this.cqs.get(cq), count, status);
  },
);

/** For work that a device may check when it is posted or when it is done. */
Then(
  '{call} is refused, or CQ {string} gains {int} CQE(s) with status {status}',
  async function (this: VerbsWorld, call: Call, name: string, count: number, status: string) {
    if (!(await isPostRefused(this, call))) return expectCompletions(this, this.cqs.get(name), count, status);
    await this.driver.settle();
    return expectEmpty(this, this.cqs.get(name));
  },
);

/** For a rule that does not depend on what went wrong. */
Then('CQ {string} gains {int} failed CQE(s)', async function (this: VerbsWorld, name: string, count: number) {
  const completions = await pollUntil(this, this.cqs.get(name), count);
  const successful = completions.filter(({ status }) => status === 'IBV_WC_SUCCESS');
  const observed = successful.map(completionData);
  checkEqual({ subject: `CQEs of CQ "${name}" with status IBV_WC_SUCCESS`, expected: [], observed });
  await expectEmpty(this, this.cqs.get(name));
});

Then(
  'CQ {string} gains as many CQEs as it has entries, with status {status}',
  async function (this: VerbsWorld, name: string, status: string) {
    const cq = this.cqs.get(name);
    await expectCompletions(this, cq, await entriesOf(this, cq), status);
  },
);

/** For work that the scenario posted last. */
Then(
  'CQ {string} gains as many CQEs as it has entries, in the order of posting',
  async function (this: VerbsWorld, name: string) {
    const cq = this.cqs.get(name);
    const gained = (await pollUntil(this, cq, cq.cqe)).map(({ wrId }) => wrId);
    checkEqual({ subject: `wr_id of the CQEs of CQ "${name}"`, expected: this.lastWrIds(cq.cqe), observed: gained });
    await expectEmpty(this, cq);
  },
);

/** For work that the scenario posted last; columns as below. */
Then(
  'CQ {string} gains {int} CQEs in the order of posting, each of which is:',
  async function (this: VerbsWorld, name: string, count: number, table: DataTable) {
    const cq = this.cqs.get(name);
    const [row = {}, ...more] = completionRows(table);
    if (more.length > 0) throw new HarnessError('what each CQE is stands in one row');
    const gained = await pollUntil(this, cq, count);
    const observed = gained.map(({ wrId }) => wrId);
    checkEqual({ subject: `wr_id of the CQEs of CQ "${name}"`, expected: this.lastWrIds(count), observed });
    expectCompletionRows(
      this,
      cq,
      Array.from(gained, () => row),
      gained,
    );
    await expectEmpty(this, cq);
  },
);

/** Columns: members of struct ibv_wc, and flags that are `set` or `clear`; see completion-table.ts. */
Then('CQ {string} gains these CQEs:', async function (this: VerbsWorld, name: string, table: DataTable) {
  const cq = this.cqs.get(name);
  const rows = completionRows(table);
  expectCompletionRows(this, cq, rows, await pollUntil(this, cq, rows.length));
  await expectEmpty(this, cq);
});

/** One call, which does not wait. */
Then(
  'polling CQ {string} for {int} entry/entries gives {int} CQE(s)',
  async function (this: VerbsWorld, cq: string, numEntries: number, count: number) {
    await pollOnce(this, this.cqs.get(cq), numEntries, count);
  },
);

/** One call, which does not wait; columns as above. */
Then(
  'polling CQ {string} for {int} entry/entries gives these CQEs:',
  async function (this: VerbsWorld, name: string, numEntries: number, table: DataTable) {
    const cq = this.cqs.get(name);
    const rows = completionRows(table);
    expectCompletionRows(this, cq, rows, await pollOnce(this, cq, numEntries, rows.length));
  },
);

Then('CQ {string} is empty', async function (this: VerbsWorld, cq: string) {
  await this.driver.settle();
  await expectEmpty(this, this.cqs.get(cq));
});

Then('CQ {string} has at least {int} entry/entries', async function (this: VerbsWorld, name: string, cqe: number) {
  const members = await this.driver.readCq(this.cqs.get(name));
  const subject = `entries of CQ "${name}"`;
  check(members.cqe >= cqe, { subject, expected: { atLeast: cqe }, observed: members.cqe });
});

Then('the user context of CQ {string} is {number}', async function (this: VerbsWorld, name: string, cqContext: bigint) {
  const members = await this.driver.readCq(this.cqs.get(name));
  checkEqual({ subject: `cq_context of CQ "${name}"`, expected: cqContext, observed: members.cqContext });
});

Then('CQ {string} reports no completion of that message', async function (this: VerbsWorld, cq: string) {
  await this.driver.settle();
  const last = this.triedWrId;
  const reported = (await pollAsFarAsPossible(this, this.cqs.get(cq))).filter(({ wrId }) => wrId === last);
  const subject = `CQEs of work that was posted after CQ "${cq}" had overrun`;
  checkEqual({ subject, expected: [], observed: reported.map(completionData) });
});

/** What a call makes before it posts, a memory window for one, is no work that a device may refuse. */
async function isPostRefused(world: VerbsWorld, call: Call): Promise<boolean> {
  try {
    await call.start(world);
    return false;
  } catch (error) {
    if (error instanceof VerbsError && error.verb === 'ibv_post_send') return true;
    throw error;
  }
}

async function expectCompletions(world: VerbsWorld, cq: Cq, count: number, status: string): Promise<void> {
  const observed = (await pollUntil(world, cq, count)).map((completion) => completion.status);
  const expected = Array<string>(count).fill(status);
  checkEqual({ subject: `status of the CQEs of CQ ${world.cqs.nameOf(cq)}`, expected, observed });
  await expectEmpty(world, cq);
}

/** One poll, which must give that many CQEs and write nothing past the end of the array that it was given. */
async function pollOnce(world: VerbsWorld, cq: Cq, numEntries: number, count: number): Promise<readonly Wc[]> {
  const completions = await world.driver.pollCq(cq, numEntries);
  const subject = `CQEs that one poll of CQ ${world.cqs.nameOf(cq)} for ${numEntries} gave`;
  checkEqual({ subject, expected: count, observed: completions.length });
  const overflowed = world.driver.trace().at(-1)?.outputs.overflowed;
  if (typeof overflowed !== 'boolean') throw new HarnessError('the driver does not guard the array of ibv_poll_cq()');
  const past = 'memory past the end of the array of ibv_poll_cq()';
  check(!overflowed, { subject: past, expected: 'untouched', observed: 'written' });
  return completions;
}

async function expectEmpty(world: VerbsWorld, cq: Cq): Promise<void> {
  const more = await world.driver.pollCq(cq, 1);
  const subject = `CQEs of CQ ${world.cqs.nameOf(cq)} beyond those expected`;
  checkEqual({ subject, expected: [], observed: more.map(completionData) });
}
