import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { VerbsError, type Cq, type Driver, type Mr, type Pd, type Qp, type QpAttr, type Wc } from '../../contract';
import { createDriver } from '..';
import { createCq, modifyQp, pathToSelf, register } from '../fixtures/bench';

/** What connects an RC QP to its peer; tests change single members. */
function attributes(peer: number): readonly QpAttr[] {
  return [
    { qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum: 1, qpAccessFlags: [] },
    {
      qpState: 'IBV_QPS_RTR',
      pathMtu: 'IBV_MTU_1024',
      destQpNum: peer,
      rqPsn: 0,
      maxDestRdAtomic: 1,
      minRnrTimer: 12,
      ahAttr: pathToSelf,
    },
    { qpState: 'IBV_QPS_RTS', sqPsn: 0, timeout: 1, retryCnt: 1, rnrRetry: 1, maxRdAtomic: 1 },
  ];
}

describe('an RC pair of the simulator', () => {
  let driver: Driver;
  let pd: Pd;
  let mr: Mr;
  let cq: Cq;
  let client: Qp;
  let server: Qp;

  beforeEach(async () => {
    driver = await createDriver({ progress: () => undefined });
    await driver.begin();
    const context = await driver.openDevice(driver.dut.hcaId);
    pd = await driver.allocPd(context);
    mr = await register(driver, pd, 64, ['IBV_ACCESS_LOCAL_WRITE']);
    cq = await createCq(driver, context, 16);
    const cap = { maxSendWr: 2, maxRecvWr: 2, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
    const init = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, cap, sqSigAll: false, srq: null } as const;
    client = await driver.createQp(pd, init);
    server = await driver.createQp(pd, init);
  });

  async function bringUp(qp: Qp, peer: Qp): Promise<void> {
    for (const attr of attributes(peer.qpNum)) await modifyQp(driver, qp, attr);
  }

  async function send(length: number, lkey = mr.lkey): Promise<void> {
    const sgList = [{ addr: mr.addr, length, lkey }];
    await driver.postSend(client, [{ wrId: 1n, sgList, opcode: 'IBV_WR_SEND', sendFlags: [] }]);
  }

  async function receive(length: number): Promise<void> {
    await driver.postRecv(server, [{ wrId: 2n, sgList: [{ addr: mr.addr + 32n, length, lkey: mr.lkey }] }]);
  }

  async function statuses(): Promise<Record<string, string>> {
    await driver.settle();
    const completions: readonly Wc[] = await driver.pollCq(cq, 16);
    return Object.fromEntries(completions.map(({ wrId, status }) => [String(wrId), status]));
  }

  it('reports no successful send that is not signaled', async () => {
    await bringUp(client, server);
    await bringUp(server, client);
    await receive(16);
    await send(16);
    assert.deepEqual(await statuses(), { '2': 'IBV_WC_SUCCESS' });
  });

  it('ends in IBV_WC_RNR_RETRY_EXC_ERR when no receive is posted', async () => {
    await bringUp(client, server);
    await bringUp(server, client);
    await send(16);
    assert.deepEqual(await statuses(), { '1': 'IBV_WC_RNR_RETRY_EXC_ERR' });
  });

  it('ends in IBV_WC_RETRY_EXC_ERR when the peer does not answer', async () => {
    await bringUp(client, server);
    await send(16);
    assert.deepEqual(await statuses(), { '1': 'IBV_WC_RETRY_EXC_ERR' });
  });

  it('ends in a length error for a message that is too long for its receive', async () => {
    await bringUp(client, server);
    await bringUp(server, client);
    await receive(8);
    await send(16);
    assert.deepEqual(await statuses(), { '1': 'IBV_WC_REM_INV_REQ_ERR', '2': 'IBV_WC_LOC_LEN_ERR' });
  });

  it('ends in IBV_WC_LOC_PROT_ERR for memory that is not registered, and flushes what follows', async () => {
    await bringUp(client, server);
    await send(16, mr.lkey + 1);
    assert.deepEqual(await statuses(), { '1': 'IBV_WC_LOC_PROT_ERR' });
    await send(16);
    assert.deepEqual(await statuses(), { '1': 'IBV_WC_WR_FLUSH_ERR' });
  });

  it('refuses to destroy a CQ that is in use', async () => {
    await assert.rejects(
      driver.destroyCq(cq),
      (error: unknown) => error instanceof VerbsError && error.errno === 'EBUSY',
    );
  });
});
