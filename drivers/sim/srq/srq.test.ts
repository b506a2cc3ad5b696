import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Srq } from '../../contract';
import {
  asyncEvents,
  bench,
  type Bench,
  bringUp,
  bringUpSteps,
  completions,
  eventTypes,
  modifyQp,
  sendWr,
  sge,
  statuses,
  usualCap,
} from '../fixtures/bench';

const attr = { maxWr: 4, maxSge: 1, srqLimit: 0 };

/** A bench whose server takes its receives from an SRQ. */
async function srqBench(): Promise<Bench & { readonly srq: Srq }> {
  const b = await bench();
  await b.driver.destroyQp(b.server);
  const srq = await b.driver.createSrq(b.pd, { attr });
  const server = await b.driver.createQp(b.pd, {
    ...{ qpType: 'IBV_QPT_RC', sendCq: b.serverCq, recvCq: b.serverCq, sqSigAll: false },
    cap: usualCap,
    srq,
  });
  await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RESET' });
  await bringUp(b.driver, b.client, bringUpSteps('IBV_QPT_RC', server.qpNum));
  await bringUp(b.driver, server, bringUpSteps('IBV_QPT_RC', b.client.qpNum));
  return { ...b, server, srq };
}

async function postTo({ driver, serverMr, srq }: Bench & { readonly srq: Srq }, count: number): Promise<void> {
  const wrs = Array.from({ length: count }, (_, index) => ({ wrId: BigInt(index), sgList: [sge(serverMr, 0, 64)] }));
  await driver.postSrqRecv(srq, wrs);
}

describe('an SRQ', () => {
  it('gives its receives to the QPs that use it', async () => {
    const b = await srqBench();
    await postTo(b, 2);
    await b.driver.postSend(b.client, [sendWr(b), sendWr(b)]);
    const received = await completions(b, b.serverCq);
    assert.deepEqual(
      received.map(({ wrId, status, qpNum }) => [wrId, status, qpNum]),
      [0n, 1n].map((wrId) => [wrId, 'IBV_WC_SUCCESS', b.server.qpNum]),
    );
  });

  it('raises one event when it falls below its limit', async () => {
    const b = await srqBench();
    await postTo(b, 4);
    await b.driver.modifySrq(b.srq, { srqLimit: 3 }, ['IBV_SRQ_LIMIT']);
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await eventTypes(b), []);
    await b.driver.postSend(b.client, [sendWr(b), sendWr(b)]);
    const events = await asyncEvents(b);
    assert.deepEqual(
      events.map(({ eventType, element }) => [eventType, element]),
      [['IBV_EVENT_SRQ_LIMIT_REACHED', b.srq]],
    );
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await eventTypes(b), []);
  });

  it('has no limit from its creation', async () => {
    const b = await srqBench();
    const srq = await b.driver.createSrq(b.pd, { attr: { ...attr, srqLimit: 3 } });
    const { maxWr, maxSge } = srq;
    assert.deepEqual(await b.driver.querySrq(srq), { maxWr, maxSge, srqLimit: 0 });
  });

  it('says its sizes, and its limit as long as it is armed', async () => {
    const b = await srqBench();
    await postTo(b, 2);
    await b.driver.modifySrq(b.srq, { srqLimit: 2 }, ['IBV_SRQ_LIMIT']);
    const { maxWr, maxSge } = b.srq;
    assert.deepEqual(await b.driver.querySrq(b.srq), { maxWr, maxSge, srqLimit: 2 });
    await b.driver.postSend(b.client, [sendWr(b)]);
    await b.driver.settle();
    assert.deepEqual(await b.driver.querySrq(b.srq), { maxWr, maxSge, srqLimit: 0 });
  });

  it('raises none when a message finds no receive', async () => {
    const b = await srqBench();
    await b.driver.modifySrq(b.srq, { srqLimit: 3 }, ['IBV_SRQ_LIMIT']);
    const rdma = { remoteAddr: b.serverMr.addr, rkey: b.serverMr.rkey };
    await b.driver.postSend(b.client, [{ ...sendWr(b), opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', immData: 1, rdma }]);
    assert.deepEqual(await eventTypes(b), []);
  });

  it('keeps its receives when a QP fails, which reports its last WQE', async () => {
    const b = await srqBench();
    await postTo(b, 1);
    await modifyQp(b.driver, b.server, { qpState: 'IBV_QPS_ERR' });
    const [event] = await asyncEvents(b);
    assert.equal(event?.eventType, 'IBV_EVENT_QP_LAST_WQE_REACHED');
    assert.equal(event.element, b.server);
    assert.deepEqual(await statuses(b, b.serverCq), []);
  });

  it('hears of the last WQE of a QP once, however often that is moved to the error state or changed there', async () => {
    const b = await srqBench();
    for (const attr of [{ qpState: 'IBV_QPS_ERR' }, { qpState: 'IBV_QPS_ERR' }, { qpAccessFlags: [] }] as const)
      await modifyQp(b.driver, b.server, attr);
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_QP_LAST_WQE_REACHED']);
  });

  it('is not destroyed while a QP uses it', async () => {
    const b = await srqBench();
    await assert.rejects(b.driver.destroySrq(b.srq), { errno: 'EBUSY' });
    await b.driver.destroyQp(b.server);
    await b.driver.destroySrq(b.srq);
  });

  it('wakes a sender that waits without limit', async () => {
    const b = await srqBench();
    await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RESET' });
    await bringUp(b.driver, b.client, bringUpSteps('IBV_QPT_RC', b.server.qpNum, { rts: { rnrRetry: 7 } }));
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), []);
    await postTo(b, 1);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
  });
});
