import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  asyncEvents,
  bench,
  type Bench,
  bringUp,
  bringUpSteps,
  completions,
  createCq,
  eventTypes,
  isReadable,
  modifyQp,
  receive,
  refusedWith,
  sendWr,
  statuses,
} from '../fixtures/bench';

/** Leaves one IBV_EVENT_SQ_DRAINED of the client. */
async function drain({ driver, client }: Bench): Promise<void> {
  await modifyQp(driver, client, { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true });
}

async function isPending(driver: Bench['driver'], call: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void call.finally(() => (settled = true));
  await driver.settle();
  return !settled;
}

describe('asynchronous events', () => {
  it('IBV_EVENT_COMM_EST follows a message to a QP in IBV_QPS_RTR', async () => {
    const b = await bench({ serverState: 'IBV_QPS_RTR' });
    await receive(b);
    await b.driver.postSend(b.client, [sendWr(b)]);
    const events = await asyncEvents(b);
    assert.deepEqual(
      events.map(({ eventType, element }) => [eventType, element]),
      [['IBV_EVENT_COMM_EST', b.server]],
    );
  });

  it('IBV_EVENT_COMM_EST does not follow the messages after the first', async () => {
    const b = await bench({ serverState: 'IBV_QPS_RTR' });
    for (let sent = 0; sent < 3; sent++) {
      await receive(b);
      await b.driver.postSend(b.client, [sendWr(b)]);
    }
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_COMM_EST']);
  });

  it('IBV_EVENT_COMM_EST does not follow a message to a QP in IBV_QPS_RTS', async () => {
    const b = await bench();
    await receive(b);
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await eventTypes(b), []);
  });

  it('IBV_EVENT_SQ_DRAINED comes at once if nothing is on its way', async () => {
    const b = await bench();
    await drain(b);
    const [event] = await asyncEvents(b);
    assert.equal(event?.eventType, 'IBV_EVENT_SQ_DRAINED');
    assert.equal(event.element, b.client);
  });

  it('IBV_EVENT_SQ_DRAINED waits for what is on its way, and later sends wait for IBV_QPS_RTS', async () => {
    const b = await bench({ rts: { rnrRetry: 7 } });
    await b.driver.postSend(b.client, [sendWr(b), sendWr(b)]);
    await b.driver.settle();
    await drain(b);
    assert.deepEqual(await eventTypes(b), []);
    for (const wrId of [1n, 2n]) await receive(b, 64, wrId);
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_SQ_DRAINED']);
    assert.equal((await completions(b, b.clientCq)).length, 1);
    await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RTS' });
    assert.equal((await completions(b, b.clientCq)).length, 1);
  });

  it('IBV_EVENT_SQ_DRAINED comes only if it is asked for', async () => {
    const b = await bench();
    await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_SQD' });
    assert.deepEqual(await eventTypes(b), []);
  });

  it('IBV_EVENT_SQ_DRAINED does not come if the send that was on its way fails', async () => {
    const b = await bench({ rts: { rnrRetry: 7 } });
    await b.driver.postSend(b.client, [sendWr(b)]);
    await b.driver.settle();
    await drain(b);
    await b.driver.destroyQp(b.server);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_RETRY_EXC_ERR']);
    assert.deepEqual(await eventTypes(b), []);
  });

  it('IBV_EVENT_CQ_ERR follows an overrun', async () => {
    const b = await bench();
    const cq = await createCq(b.driver, b.context, 1);
    const server = await b.driver.createQp(b.pd, {
      ...{ qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, sqSigAll: false, srq: null },
      cap: { maxSendWr: 1, maxRecvWr: 2, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 },
    });
    await bringUp(b.driver, server, bringUpSteps('IBV_QPT_RC', b.client.qpNum).slice(0, 1));
    for (const wrId of [1n, 2n]) await receive({ ...b, server }, 64, wrId);
    await modifyQp(b.driver, server, { qpState: 'IBV_QPS_ERR' });
    const [event] = await asyncEvents(b);
    assert.equal(event?.eventType, 'IBV_EVENT_CQ_ERR');
    assert.equal(event.element, cq);
  });

  it('of the port name it, and come to every context', async () => {
    const b = await bench();
    const other = await b.driver.openDevice(b.driver.dut.hcaId);
    await b.driver.setPortUp(false);
    assert.equal((await b.driver.queryPort(b.context, 1)).state, 'IBV_PORT_DOWN');
    await receive(b);
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_RETRY_EXC_ERR']);
    await b.driver.setPortUp(true);
    assert.equal((await b.driver.queryPort(b.context, 1)).state, 'IBV_PORT_ACTIVE');
    for (const context of [b.context, other]) {
      const events = await asyncEvents({ driver: b.driver, context });
      assert.deepEqual(
        events.map(({ eventType, element }) => [eventType, element]),
        [
          ['IBV_EVENT_PORT_ERR', 1],
          ['IBV_EVENT_PORT_ACTIVE', 1],
        ],
      );
    }
  });

  it('a message gets through if the link comes back in time', async () => {
    const b = await bench();
    await b.driver.setPortUp(false);
    await receive(b);
    await b.driver.postSend(b.client, [sendWr(b)]);
    await b.driver.pause(1);
    await b.driver.setPortUp(true);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
  });

  it('that were taken hold up the end of their QP until they are acknowledged', async () => {
    const b = await bench();
    await drain(b);
    const event = await b.driver.getAsyncEvent(b.context);
    const destroyed = b.driver.destroyQp(b.client);
    assert.ok(await isPending(b.driver, destroyed));
    await b.driver.ackAsyncEvent(event);
    await destroyed;
  });

  it('that nobody took vanish with their QP', async () => {
    const b = await bench();
    await drain(b);
    await b.driver.destroyQp(b.client);
    assert.deepEqual(await eventTypes(b), []);
  });

  it('each go to one of those who wait', async () => {
    const b = await bench();
    const gets = [1, 2].map(() => b.driver.getAsyncEvent(b.context));
    await drain(b);
    const event = await Promise.race(gets);
    assert.equal(event.element, b.client);
    assert.ok(await isPending(b.driver, Promise.all(gets)));
    await b.driver.setPortUp(false);
    assert.deepEqual(
      (await Promise.all(gets)).map(({ eventType }) => eventType),
      ['IBV_EVENT_SQ_DRAINED', 'IBV_EVENT_PORT_ERR'],
    );
  });

  it('are not waited for in non-blocking mode', async () => {
    const b = await bench();
    const flags = await b.driver.getFileStatusFlags(b.context);
    await b.driver.setFileStatusFlags(b.context, [...flags, 'O_NONBLOCK', 'O_APPEND']);
    assert.deepEqual(await b.driver.getFileStatusFlags(b.context), ['O_NONBLOCK', 'O_APPEND']);
    await assert.rejects(b.driver.getAsyncEvent(b.context), refusedWith('EAGAIN'));
    await drain(b);
    assert.equal((await b.driver.getAsyncEvent(b.context)).eventType, 'IBV_EVENT_SQ_DRAINED');
    await b.driver.setFileStatusFlags(b.context, []);
    assert.ok(await isPending(b.driver, b.driver.getAsyncEvent(b.context)));
    await b.driver.end();
  });

  it('wake a poll that waits, whose time is up otherwise', async () => {
    const b = await bench();
    const polled = isReadable(b.driver, b.context, -1);
    await drain(b);
    assert.equal(await polled, true);
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_SQ_DRAINED']);
    const before = b.driver.nowMs();
    assert.equal(await isReadable(b.driver, b.context, 1000), false);
    assert.ok(b.driver.nowMs() >= before + 1000);
  });
});
