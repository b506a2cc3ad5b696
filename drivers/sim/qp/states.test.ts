import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpState } from '../../contract';
import { bench, modifyQp, refusedWith, sendWr } from '../fixtures/bench';

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
      if (from === 'IBV_QPS_INIT') await modifyQp(driver, client, { qpState: 'IBV_QPS_RESET' });
      if (from !== 'IBV_QPS_RTS') await modifyQp(driver, client, { qpState: from });
      const going = modifyQp(driver, client, { qpState: to });
      if (isWay) await going;
      else await assert.rejects(going, refusedWith('EINVAL'));
    });
  }

  it('has no work any more after IBV_QPS_RESET, of which nothing completes', async () => {
    const { driver, client, clientCq } = await bench();
    await driver.postRecv(client, [{ wrId: 1n, sgList: [] }]);
    for (const qpState of ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_ERR'] as const) {
      await modifyQp(driver, client, { qpState });
    }
    await driver.settle();
    assert.deepEqual(await driver.pollCq(clientCq, 4), []);
  });

  it('takes no sends before IBV_QPS_RTS', async () => {
    const b = await bench();
    await b.driver.postSend(b.client, [sendWr(b)]);
    await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RESET' });
    for (const qpState of ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'] as const) {
      await modifyQp(b.driver, b.client, { qpState });
      await assert.rejects(b.driver.postSend(b.client, [sendWr(b)]), refusedWith('EINVAL'));
    }
  });

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
