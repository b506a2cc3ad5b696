import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qpAttrBits, type QpAttr, type QpState } from '../../contract';
import {
  bench,
  bringUpSteps,
  modifyQp,
  receive,
  refusedWith,
  sendWr,
  sge,
  statuses,
  usualCap,
} from '../fixtures/bench';
import { attributesNeeded } from './attributes-of-states';

const reset = { qpState: 'IBV_QPS_RESET' } as const;

describe('a QP', () => {
  const ways: readonly (readonly [QpState, QpState, boolean])[] = [
    ['IBV_QPS_INIT', 'IBV_QPS_RTS', false],
    ['IBV_QPS_RTS', 'IBV_QPS_SQD', true],
    ['IBV_QPS_RTS', 'IBV_QPS_INIT', false],
    ['IBV_QPS_ERR', 'IBV_QPS_SQD', false],
    ['IBV_QPS_ERR', 'IBV_QPS_RTS', false],
    ['IBV_QPS_ERR', 'IBV_QPS_RESET', true],
  ];
  for (const [from, to, isWay] of ways) {
    it(`${isWay ? 'goes' : 'does not go'} from ${from} to ${to}`, async () => {
      const { driver, client } = await bench();
      const [toInit, , toRts] = bringUpSteps('IBV_QPT_RC', 0);
      assert.ok(toInit && toRts);
      if (from === 'IBV_QPS_INIT') for (const attr of [reset, toInit]) await modifyQp(driver, client, attr);
      else if (from !== 'IBV_QPS_RTS') await modifyQp(driver, client, { qpState: from });
      const going = modifyQp(driver, client, { ...toRts, qpState: to });
      if (isWay) await going;
      else await assert.rejects(going, refusedWith('EINVAL'));
    });
  }

  it('has no work any more after IBV_QPS_RESET, of which nothing completes', async () => {
    const { driver, client, clientCq } = await bench();
    await driver.postRecv(client, [{ wrId: 1n, sgList: [] }]);
    const [toInit] = bringUpSteps('IBV_QPT_RC', 0);
    assert.ok(toInit);
    for (const attr of [reset, toInit, { qpState: 'IBV_QPS_ERR' } as const]) await modifyQp(driver, client, attr);
    await driver.settle();
    assert.deepEqual(await driver.pollCq(clientCq, 4), []);
  });

  it('takes no sends before IBV_QPS_RTS', async () => {
    const b = await bench();
    await b.driver.postSend(b.client, [sendWr(b)]);
    for (const attr of [reset, ...bringUpSteps('IBV_QPT_RC', b.server.qpNum).slice(0, 2)]) {
      await modifyQp(b.driver, b.client, attr);
      await assert.rejects(b.driver.postSend(b.client, [sendWr(b)]), refusedWith('EINVAL'));
    }
  });

  for (const qpType of ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'] as const) {
    it(`of type ${qpType} goes nowhere, and keeps what it has, without an attribute that it needs there`, async () => {
      const { driver, client, server } = await bench({ qpType });
      await modifyQp(driver, client, reset);
      let from: QpState = 'IBV_QPS_RESET';
      for (const attr of bringUpSteps(qpType, server.qpNum)) {
        const to: QpState = attr.qpState ?? from;
        for (const needed of attributesNeeded(qpType, from, to)) {
          const members = Object.entries(attr).filter(([name]) => qpAttrBits[name as keyof QpAttr] !== needed);
          const other = needed === 'IBV_QP_PKEY_INDEX' ? { qkey: 7 } : { pkeyIndex: 3 };
          const before = await driver.queryQp(client, ['IBV_QP_STATE']);
          const lacking = { ...Object.fromEntries(members), ...other };
          await assert.rejects(modifyQp(driver, client, lacking), refusedWith('EINVAL'));
          assert.deepEqual(await driver.queryQp(client, ['IBV_QP_STATE']), before);
        }
        await modifyQp(driver, client, attr);
        from = to;
      }
    });
  }

  it('says what it was made with and what was set, and in which state it is', async () => {
    const { driver, client, server } = await bench();
    const { attr, initAttr } = await driver.queryQp(client, ['IBV_QP_STATE']);
    assert.deepEqual(
      [attr.qpState, attr.destQpNum, attr.sqDraining, attr.rnrRetry],
      ['IBV_QPS_RTS', server.qpNum, false, 1],
    );
    assert.deepEqual(initAttr, { cap: client.cap, qpType: 'IBV_QPT_RC', sqSigAll: initAttr.sqSigAll });
    assert.deepEqual(attr.cap, client.cap);
    await modifyQp(driver, client, { qpState: 'IBV_QPS_ERR' });
    assert.equal((await driver.queryQp(client, ['IBV_QP_STATE'])).attr.qpState, 'IBV_QPS_ERR');
  });

  it('is being drained while a send is on its way that has to end first', async () => {
    const b = await bench();
    await b.driver.postSend(b.client, [sendWr(b)]);
    await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_SQD' });
    const isDraining = async () => (await b.driver.queryQp(b.client, ['IBV_QP_STATE'])).attr.sqDraining;
    assert.equal(await isDraining(), true);
    await b.driver.postRecv(b.server, [{ wrId: 1n, sgList: [] }]);
    await b.driver.settle();
    assert.equal(await isDraining(), false);
  });
});

describe('the queues of a QP', () => {
  it('take of a list what stands before a send that is too large', async () => {
    const b = await bench();
    await receive(b);
    const pieces = [0, 8, 16].map((offset) => sge(b.clientMr, offset, 8));
    const inline = { sendFlags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] as const, sgList: [sge(b.clientMr, 0, 65)] };
    for (const large of [{ sgList: pieces }, inline]) {
      await receive(b);
      const wrs = [sendWr(b), sendWr(b, large), sendWr(b)];
      await assert.rejects(b.driver.postSend(b.client, wrs), refusedWith('ENOMEM'));
      assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
    }
  });

  it('take as many receives as they were asked to hold, and none that is too large', async () => {
    const { driver, client, clientMr, clientCq } = await bench({ client: { cap: { ...usualCap, maxRecvWr: 4 } } });
    const receives = Array.from({ length: 5 }, (_, index) => ({ wrId: BigInt(index), sgList: [] }));
    const large = { wrId: 7n, sgList: [0, 8, 16].map((offset) => sge(clientMr, offset, 8)) };
    await assert.rejects(driver.postRecv(client, [...receives.slice(0, 2), large]), refusedWith('ENOMEM'));
    await assert.rejects(driver.postRecv(client, receives), refusedWith('ENOMEM'));
    await modifyQp(driver, client, { qpState: 'IBV_QPS_ERR' });
    await driver.settle();
    const wrIds = (await driver.pollCq(clientCq, 8)).map(({ wrId }) => wrId);
    assert.deepEqual(wrIds, [0n, 1n, 0n, 1n]);
  });
});
