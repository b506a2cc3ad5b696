import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompChannel, Cq } from '../../contract';
import {
  bench,
  type Bench,
  bringUp,
  bringUpSteps,
  eventTypes,
  isReadable,
  modifyQp,
  newDriver,
  receive,
  refusedWith,
  sendWr,
  usualCap,
} from '../fixtures/bench';

type CqBench = Bench & { readonly cq: Cq; readonly channel: CompChannel };

/** A bench whose server receives on a CQ of its own with a channel. */
async function cqBench(cqe = 4): Promise<CqBench> {
  const b = await bench();
  const channel = await b.driver.createCompChannel(b.context);
  const cq = await b.driver.createCq(b.context, cqe, 5n, channel, 0);
  const init = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, cap: usualCap, sqSigAll: false, srq: null } as const;
  const server = await b.driver.createQp(b.pd, init);
  await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RESET' });
  await bringUp(b.driver, b.client, bringUpSteps('IBV_QPT_RC', server.qpNum));
  await bringUp(b.driver, server, bringUpSteps('IBV_QPT_RC', b.client.qpNum));
  return { ...b, cq, channel, server };
}

async function send(b: CqBench, count: number): Promise<void> {
  for (let wrId = 0n; wrId < count; wrId++) await receive(b, 64, wrId);
  await b.driver.postSend(
    b.client,
    Array.from({ length: count }, () => sendWr(b)),
  );
}

describe('resizing a CQ', () => {
  it('keeps its backlog and makes room', async () => {
    const b = await cqBench(2);
    await send(b, 2);
    await b.driver.settle();
    await b.driver.resizeCq(b.cq, 4);
    assert.equal((await b.driver.readCq(b.cq)).cqe, 4);
    await send(b, 2);
    assert.deepEqual(await eventTypes(b), []);
    assert.equal((await b.driver.pollCq(b.cq, 8)).length, 4);
  });

  it('is refused below the backlog', async () => {
    const b = await cqBench(4);
    await send(b, 3);
    await b.driver.settle();
    await assert.rejects(b.driver.resizeCq(b.cq, 2), refusedWith('EINVAL'));
    assert.equal((await b.driver.readCq(b.cq)).cqe, 4);
    await b.driver.resizeCq(b.cq, 3);
    await send(b, 1);
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_CQ_ERR']);
  });

  it('is refused to fewer than no entries and to more than the device has', async () => {
    const b = await cqBench();
    const { maxCqe } = await b.driver.queryDevice(b.context);
    for (const cqe of [-1, maxCqe + 1]) {
      await assert.rejects(b.driver.resizeCq(b.cq, cqe), refusedWith('EINVAL'));
    }
    await b.driver.resizeCq(b.cq, maxCqe);
  });
});

describe('event moderation of a CQ', () => {
  const attrMask = ['IBV_CQ_ATTR_MODERATE'];

  it('gathers completions until they are enough', async () => {
    const b = await cqBench();
    await b.driver.modifyCq(b.cq, { attrMask, moderate: { cqCount: 3, cqPeriod: 60_000 } });
    await b.driver.reqNotifyCq(b.cq, 0);
    await send(b, 2);
    await b.driver.pause(1);
    assert.equal(await isReadable(b.driver, b.channel, 0), false);
    await send(b, 1);
    await b.driver.pause(1);
    assert.equal(await isReadable(b.driver, b.channel, 0), true);
  });

  it('waits no longer than its period', async () => {
    const b = await cqBench();
    await b.driver.modifyCq(b.cq, { attrMask, moderate: { cqCount: 3, cqPeriod: 10_000 } });
    await b.driver.reqNotifyCq(b.cq, 0);
    await send(b, 1);
    await b.driver.pause(9);
    assert.equal(await isReadable(b.driver, b.channel, 0), false);
    await b.driver.pause(2);
    assert.equal(await isReadable(b.driver, b.channel, 0), true);
    await b.driver.getCqEvent(b.channel);
    await b.driver.settle();
    assert.equal(await isReadable(b.driver, b.channel, 0), false);
  });

  it('changes only what the mask names', async () => {
    const b = await cqBench();
    await b.driver.modifyCq(b.cq, { attrMask: [], moderate: { cqCount: 3, cqPeriod: 10_000 } });
    await b.driver.reqNotifyCq(b.cq, 0);
    await send(b, 1);
    await b.driver.pause(1);
    assert.equal(await isReadable(b.driver, b.channel, 0), true);
  });
});

describe('members', () => {
  it('of a CQ and of a channel name what they belong to', async () => {
    const b = await cqBench(4);
    const { context, channel } = b;
    assert.deepEqual(await b.driver.readCq(b.cq), { context, channel, cqContext: 5n, cqe: 4 });
    assert.equal((await b.driver.readCq(b.clientCq)).channel, null);
    const channels = [b.channel, await b.driver.createCompChannel(b.context)];
    const members = await Promise.all(channels.map((channel) => b.driver.readCompChannel(channel)));
    assert.equal(members[0]?.context, context);
    assert.notEqual(members[0].fd, members[1]?.fd);
  });
});

describe('file descriptors', () => {
  it('run out below the limit of the process', async () => {
    const driver = await newDriver();
    const context = await driver.openDevice(driver.dut.hcaId);
    const channel = await driver.createCompChannel(context);
    await driver.limitOpenFiles(0);
    await assert.rejects(driver.createCompChannel(context), refusedWith('EMFILE'));
    await assert.rejects(driver.openDevice(driver.dut.hcaId), refusedWith('EMFILE'));
    await driver.limitOpenFiles(null);
    const { fd } = await driver.readCompChannel(channel);
    await driver.destroyCompChannel(channel);
    assert.equal((await driver.readCompChannel(await driver.createCompChannel(context))).fd, fd);
  });
});
