import { Given, Then, When, type DataTable } from '@cucumber/cucumber';
import { check, checkEqual, HarnessError, type Cq } from '../../drivers/contract';
import { flagsOf } from '../world/cells';
import { completionRows } from './completion-table';
import { createCq, createCqOf, type CqKind } from './cq-attributes';
import { expectCurrentCqe, openFilledBatch, openIfFilled } from './lazy-completions';
import { readerOf, wcRead } from './wc-read';
import type { VerbsWorld } from '../world/world';

/** Entries of a CQ where the scenario does not care. */
const roomyCqe = 16;

Given(
  'an extended CQ {string} (is created )on completion channel {string} that provides {string}',
  async function (this: VerbsWorld, name: string, channel: string, wcFlags: string) {
    const attr = { cqe: roomyCqe, wcFlags: flagsOf(wcFlags) };
    this.cqs.add(name, await createCq(this, 'an extended CQ', attr, channel));
  },
);

/** A refusal to create a CQ counts against its rule where the step is a When. Rows: cqe, cq_context, channel, comp_vector (a number, or by num_comp_vectors), wc_flags, comp_mask, flags (with `, if the device can do so` where it may refuse them). */
Given(
  '{cq-kind} {string} (is created )with:',
  async function (this: VerbsWorld, kind: CqKind, name: string, table: DataTable) {
    this.cqs.add(name, await createCqOf(this, kind, table));
  },
);

/** Waits until there is a CQE to open it at. */
Given('a batch of CQ {string} is open(ed)', async function (this: VerbsWorld, cq: string) {
  await openFilledBatch(this, this.cqs.get(cq));
});

When('the batch of CQ {string} is closed', async function (this: VerbsWorld, cq: string) {
  await this.batches.close(this.cqs.get(cq));
});

/** One row. Columns as for `gains these CQEs`; each is read by its own reader. */
Then('the current CQE of CQ {string} is:', async function (this: VerbsWorld, cq: string, table: DataTable) {
  const [row, ...more] = completionRows(table);
  if (row === undefined || more.length > 0) throw new HarnessError('the current CQE is one row');
  await expectCurrentCqe(this, this.cqs.get(cq), row);
});

/** Reads each by the readers alone, and claims that there is no further one only after `settle`; columns as above. */
Then('CQ {string} gives these CQEs, one per batch:', async function (this: VerbsWorld, name: string, table: DataTable) {
  const cq = this.cqs.get(name);
  for (const row of completionRows(table)) {
    await inBatch(this, cq, () => expectCurrentCqe(this, cq, row));
  }
  await this.driver.settle();
  const isFilled = await openIfFilled(this, cq);
  check(!isFilled, { subject: `CQEs of CQ "${name}" beyond those expected`, expected: 'no CQE', observed: 'a CQE' });
});

/** Reads all of them in one batch, which it does not try to move on from the last; columns as above. */
Then('one batch of CQ {string} gives these CQEs:', async function (this: VerbsWorld, name: string, table: DataTable) {
  const cq = this.cqs.get(name);
  await inBatch(this, cq, async () => {
    for (const [index, row] of completionRows(table).entries()) {
      if (index > 0) await this.driver.nextPoll(cq);
      await expectCurrentCqe(this, cq, row);
    }
  });
});

Then(
  '{verb} reads one value, however often, of the current CQE of CQ {string}',
  async function (this: VerbsWorld, verb: string, name: string) {
    const reader = readerOf(verb);
    const cq = this.cqs.get(name);
    const first = await wcRead(this.driver, cq, reader);
    const again = [await wcRead(this.driver, cq, reader), await wcRead(this.driver, cq, reader)];
    const subject = `what ${verb}() read of CQ "${name}" the second and the third time`;
    checkEqual({ subject, expected: [first, first], observed: again });
  },
);

Then(
  'CQ {string} gives {int} CQEs, each with a later time stamp',
  async function (this: VerbsWorld, name: string, count: number) {
    const cq = this.cqs.get(name);
    const readStamp = (): Promise<bigint> => inBatch(this, cq, () => this.driver.wcReadCompletionTs(cq));
    const { completionTimestampMask: mask } = await this.driver.queryDeviceEx(await this.context());
    let last = await readStamp();
    for (let given = 1; given < count; given++) {
      const stamp = await readStamp();
      const subject = `time stamp of CQE ${given + 1} of CQ "${name}", of which the bits ${hexText(mask)} count`;
      check(isLater(stamp, last, mask), { subject, expected: { moreThan: last }, observed: stamp });
      last = stamp;
    }
  },
);

/** Time stamps begin anew after the highest that their bits allow: what is less than half of that ahead is later. */
function isLater(stamp: bigint, before: bigint, mask: bigint): boolean {
  const ahead = (stamp - before) & mask;
  return ahead > 0n && ahead <= mask / 2n;
}

const hexText = (mask: bigint): string => `0x${mask.toString(16)}`;

async function inBatch<T>(world: VerbsWorld, cq: Cq, read: () => Promise<T>): Promise<T> {
  await openFilledBatch(world, cq);
  const value = await read();
  await world.batches.close(cq);
  return value;
}
