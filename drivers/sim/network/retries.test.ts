import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completionsOf, receiveAt, sendOf, twoDevices, type Wanted } from '../fixtures/two-devices';

/** Microseconds of a timeout code. */
const timeoutUs = (code: number): number => 4.096 * 2 ** code;

async function statusesAfter(wanted: Wanted, spoil: (gids: [string, string]) => void = () => undefined) {
  const two = await twoDevices(wanted);
  const { left, right, simulator } = two;
  await receiveAt(two, 2n, 0, 64);
  spoil([left.driver.dut.port.gid, right.driver.dut.port.gid]);
  const startedMs = simulator.nowMs();
  await left.driver.postSend(left.qp, [sendOf(two, 1n, 0, 16)]);
  const statuses = (await completionsOf(left)).map(({ status }) => status);
  return { two, statuses, lastedUs: (simulator.nowMs() - startedMs) * 1000 };
}

describe('an RC send', () => {
  for (const retryCnt of [0, 1, 7]) {
    it(`ends in IBV_WC_RETRY_EXC_ERR after ${retryCnt + 1} tries without an answer`, async () => {
      const wanted = { network: { packetLossProbability: 1 }, rts: { retryCnt, timeout: 10 } };
      const { statuses, lastedUs } = await statusesAfter(wanted);
      assert.deepEqual(statuses, ['IBV_WC_RETRY_EXC_ERR']);
      const triesUs = (retryCnt + 1) * timeoutUs(10);
      assert.ok(lastedUs >= triesUs && lastedUs < triesUs + 20, `${lastedUs} us, not ${triesUs} us`);
    });
  }

  it('waits for ever with a timeout of 0', async () => {
    const { statuses } = await statusesAfter({ network: { packetLossProbability: 1 }, rts: { timeout: 0 } });
    assert.deepEqual(statuses, []);
  });

  it('ends in IBV_WC_RETRY_EXC_ERR where the network is cut, and gets through when it is healed in time', async () => {
    const two = await twoDevices({ rts: { retryCnt: 1, timeout: 10 } });
    const { left, right, simulator } = two;
    const { network } = simulator.testbed.scenario;
    await receiveAt(two, 2n, 0, 64);
    network.cut(left.driver.dut.port.gid, right.driver.dut.port.gid);
    await left.driver.postSend(left.qp, [sendOf(two, 1n, 0, 16)]);
    await simulator.pause(timeoutUs(10) / 2000);
    network.heal();
    assert.deepEqual(
      (await completionsOf(left)).map(({ status }) => status),
      ['IBV_WC_SUCCESS'],
    );
    network.cut(left.driver.dut.port.gid, right.driver.dut.port.gid);
    await left.driver.postSend(left.qp, [sendOf(two, 3n, 0, 16)]);
    assert.deepEqual(
      (await completionsOf(left)).map(({ status }) => status),
      ['IBV_WC_RETRY_EXC_ERR'],
    );
  });

  it('ends in IBV_WC_RNR_RETRY_EXC_ERR when it has waited so often as the peer asks for', async () => {
    const rnrRetry = 3;
    const two = await twoDevices({ rtr: { minRnrTimer: 12 }, rts: { rnrRetry } });
    const startedMs = two.simulator.nowMs();
    await two.left.driver.postSend(two.left.qp, [sendOf(two, 1n, 0, 16)]);
    const [wc] = await completionsOf(two.left);
    assert.equal(wc?.status, 'IBV_WC_RNR_RETRY_EXC_ERR');
    const waitsUs = rnrRetry * 640;
    const lastedUs = (two.simulator.nowMs() - startedMs) * 1000;
    assert.ok(lastedUs >= waitsUs && lastedUs < waitsUs + 20, `${lastedUs} us, not ${waitsUs} us`);
  });
});
