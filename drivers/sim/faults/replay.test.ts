import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Driver } from '../../contract';
import { CompChannel } from '../channel/comp-channel';
import { modifyQp, usualCap } from '../fixtures/bench';
import { soundParts, type Parts } from '../device/device';
import type { History, HistoryEvent } from './history';
import { Prover } from './prover';
import { divergence, type Divergence } from './replay';
import { succeedingWith } from './returning';

/** What a scenario asks of sound devices, and what comes of it. */
async function historyOf(scenario: (driver: Driver) => Promise<void>): Promise<History> {
  const events: HistoryEvent[] = [];
  const driver = new Prover(soundParts, (event) => events.push(event));
  await driver.begin();
  await scenario(driver);
  await driver.end();
  return events;
}

function under(parts: Partial<Parts>, history: History): Promise<Divergence | undefined> {
  return divergence({ ...soundParts, ...parts }, history);
}

async function createAndDestroy(driver: Driver): Promise<void> {
  const context = await driver.openDevice(driver.dut.hcaId);
  const channel = await driver.createCompChannel(context);
  const cq = await driver.createCq(context, 4, 7n, channel, 0);
  await Promise.all([driver.reqNotifyCq(cq, 0), driver.pollCq(cq, 1)]);
  await driver.destroyCq(cq);
  await driver.destroyCompChannel(channel);
  await driver.closeDevice(context);
}

/** An asynchronous event is waited for while time passes, and comes when the port goes down. */
async function waitForEvent(driver: Driver): Promise<void> {
  const context = await driver.openDevice(driver.dut.hcaId);
  const event = driver.getAsyncEvent(context);
  await driver.pause(20);
  await driver.pause(20);
  await driver.setPortUp(false);
  await driver.ackAsyncEvent(await event);
}

/** A receive is flushed after the channel was made, and has the time of that. */
async function readTimeStamp(driver: Driver): Promise<void> {
  const context = await driver.openDevice(driver.dut.hcaId);
  const channel = await driver.createCompChannel(context);
  const wcFlags = ['IBV_WC_EX_WITH_COMPLETION_TIMESTAMP'] as const;
  const size = { cqe: 4, cqContext: 0n, compVector: 0 };
  const cq = await driver.createCqEx(context, { ...size, channel, wcFlags, compMask: [], flags: [] });
  const queues = { sendCq: cq, recvCq: cq, srq: null, sqSigAll: false };
  const qp = await driver.createQp(await driver.allocPd(context), { ...queues, qpType: 'IBV_QPT_RC', cap: usualCap });
  await modifyQp(driver, qp, { qpState: 'IBV_QPS_ERR' });
  await driver.postRecv(qp, [{ wrId: 1n, sgList: [] }]);
  await driver.settle();
  await driver.startPoll(cq);
  await driver.wcReadCompletionTs(cq);
  await driver.endPoll(cq);
}

describe('a scenario that is made again from its history', () => {
  for (const scenario of [createAndDestroy, waitForEvent]) {
    it(`runs as before on sound devices: ${scenario.name}`, async () => {
      assert.equal(await under({}, await historyOf(scenario)), undefined);
    });
  }

  it('goes astray in the first call that gives something else', async () => {
    const found = await under(
      succeedingWith(['ibv_destroy_cq'], () => ({ returned: 1 })),
      await historyOf(createAndDestroy),
    );
    assert.deepEqual(found, {
      at: 'ibv_destroy_cq',
      before: '{"returned":0,"outputs":{},"errno":0}',
      now: '{"returned":1,"outputs":{},"errno":0}',
    });
  });

  it('goes astray where a call throws', async () => {
    class Throws extends CompChannel {
      override forget(): void {
        throw new Error('no such binding');
      }
    }
    const found = await under({ CompChannel: Throws }, await historyOf(createAndDestroy));
    assert.equal(found?.at, 'ibv_destroy_cq');
    assert.match(found.now ?? '', /no such binding/);
  });

  it('goes astray where a call does not wait that waited', async () => {
    class Eager extends soundParts.Device {
      override open(): ReturnType<InstanceType<Parts['Device']>['open']> {
        const context = super.open();
        this.portChanged('IBV_EVENT_PORT_ERR');
        return context;
      }
    }
    const found = await under({ Device: Eager }, await historyOf(waitForEvent));
    assert.equal(found?.at, 'ibv_get_async_event');
    assert.equal(found.before, undefined);
  });

  it('goes astray where a call that returned waits for ever', async () => {
    class Deaf extends soundParts.Device {
      override portChanged(): void {
        return undefined;
      }
    }
    const found = await under({ Device: Deaf }, await historyOf(waitForEvent));
    assert.equal(found?.at, 'ibv_get_async_event');
    assert.equal(found.now, undefined);
  });

  it('goes astray in time alone where that is all that differs', async () => {
    class Slow extends soundParts.Device {
      override createCompChannel(...args: Parameters<InstanceType<Parts['Device']>['createCompChannel']>): CompChannel {
        this.clock.advance(5);
        return super.createCompChannel(...args);
      }
    }
    for (const scenario of [createAndDestroy, readTimeStamp]) {
      assert.deepEqual(await under({ Device: Slow }, await historyOf(scenario)), { at: 'the clock' }, scenario.name);
    }
  });
});
