import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SendWr } from '../../contract';
import {
  asyncEvents,
  at,
  bench,
  completions,
  pattern,
  receive,
  sendWr,
  sge,
  statuses,
  type Bench,
} from '../fixtures/bench';

describe('a UC QP', () => {
  it('sends and writes', async () => {
    const b = await bench({ qpType: 'IBV_QPT_UC' });
    await b.driver.writeMemory(b.clientMr.addr, pattern(16));
    await receive(b);
    const write = sendWr(b, { opcode: 'IBV_WR_RDMA_WRITE', rdma: at(b.serverMr, 128) });
    await b.driver.postSend(b.client, [sendWr(b), write]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS', 'IBV_WC_SUCCESS']);
    const [wc] = await completions(b, b.serverCq);
    assert.equal(wc?.byteLen, 16);
    assert.deepEqual(wc.wcFlags, []);
    assert.deepEqual(await b.driver.readMemory(b.serverMr.addr, 16), pattern(16));
    assert.deepEqual(await b.driver.readMemory(b.serverMr.addr + 128n, 16), pattern(16));
  });

  const dropped: readonly [string, (b: Bench) => Partial<SendWr>][] = [
    ['a message that is too long for its receive', ({ clientMr }) => ({ sgList: [sge(clientMr, 0, 65)] })],
  ];
  for (const [what, wr] of dropped) {
    it(`drops ${what}, and both ends go on`, async () => {
      const b = await bench({ qpType: 'IBV_QPT_UC' });
      await receive(b);
      await b.driver.postSend(b.client, [sendWr(b, wr(b)), sendWr(b)]);
      assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS', 'IBV_WC_SUCCESS']);
      assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_SUCCESS']);
      assert.deepEqual(await asyncEvents(b), []);
    });
  }

  it('fails at an operation that is not one of its type, and at what stands behind it', async () => {
    const b = await bench({ qpType: 'IBV_QPT_UC' });
    const read = sendWr(b, { opcode: 'IBV_WR_RDMA_READ', rdma: at(b.serverMr, 128) });
    await b.driver.postSend(b.client, [read, sendWr(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_LOC_QP_OP_ERR', 'IBV_WC_WR_FLUSH_ERR']);
  });

  it('drops a message that finds no receive, or whose link is down', async () => {
    const b = await bench({ qpType: 'IBV_QPT_UC' });
    await b.driver.postSend(b.client, [sendWr(b)]);
    await b.driver.settle();
    await receive(b);
    await b.driver.setPortUp(false);
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS', 'IBV_WC_SUCCESS']);
    assert.deepEqual(await statuses(b, b.serverCq), []);
  });
});
