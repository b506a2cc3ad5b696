import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ah, SendWr } from '../../contract';
import {
  bench,
  completions,
  pathToSelf,
  pattern,
  qkey,
  receive,
  sendWr,
  sge,
  statuses,
  type Bench,
} from '../fixtures/bench';

const grhBytes = 40;

async function udBench(): Promise<Bench & { readonly ah: Ah }> {
  const b = await bench({ qpType: 'IBV_QPT_UD' });
  return { ...b, ah: await b.driver.createAh(b.pd, pathToSelf) };
}

function datagram(b: Bench & { readonly ah: Ah }, changes: Partial<SendWr> = {}): SendWr {
  return sendWr(b, { ud: { ah: b.ah, remoteQpn: b.server.qpNum, remoteQkey: qkey }, ...changes });
}

describe('a UD QP', () => {
  it('receives a GRH of 40 bytes before the payload', async () => {
    const b = await udBench();
    await b.driver.writeMemory(b.clientMr.addr, pattern(16));
    await receive(b);
    await b.driver.postSend(b.client, [datagram(b, { opcode: 'IBV_WR_SEND_WITH_IMM', immData: 9 })]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
    const [wc] = await completions(b, b.serverCq);
    assert.equal(wc?.byteLen, grhBytes + 16);
    assert.equal(wc.srcQp, b.client.qpNum);
    assert.equal(wc.immData, 9);
    assert.deepEqual(wc.wcFlags, ['IBV_WC_GRH', 'IBV_WC_WITH_IMM']);
    assert.deepEqual(await b.driver.readMemory(b.serverMr.addr + BigInt(grhBytes), 16), pattern(16));
  });

  const dropped: readonly [string, (b: Bench & { readonly ah: Ah }) => SendWr][] = [
    ['with another Q_Key', (b) => datagram(b, { ud: { ah: b.ah, remoteQpn: b.server.qpNum, remoteQkey: qkey + 1 } })],
    ['for a QP that does not exist', (b) => datagram(b, { ud: { ah: b.ah, remoteQpn: 0xffff, remoteQkey: qkey } })],
    ['that is too long for its receive', (b) => datagram(b, { sgList: [sge(b.clientMr, 0, 65)] })],
  ];
  for (const [what, wr] of dropped) {
    it(`drops a message ${what}, and its sender hears nothing of it`, async () => {
      const b = await udBench();
      await receive(b, grhBytes + 64);
      await b.driver.postSend(b.client, [wr(b)]);
      assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
      assert.deepEqual(await statuses(b, b.serverCq), []);
    });
  }

  it('drops a message that finds no receive', async () => {
    const b = await udBench();
    await b.driver.postSend(b.client, [datagram(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
    await receive(b);
    assert.deepEqual(await statuses(b, b.serverCq), []);
  });
});
