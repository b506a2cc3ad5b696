import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SendWr } from '../contract';
import {
  at,
  type Bench,
  bench,
  completions,
  eventTypes,
  modifyQp,
  receive,
  register,
  sendWr,
  sge,
  statuses,
  type Wanted,
} from './fixtures/bench';

interface Failure {
  readonly name: string;
  readonly wanted?: Wanted;
  readonly prepare?: (bench: Bench) => Promise<void>;
  readonly wr: (bench: Bench) => Partial<SendWr>;
  readonly client: string;
  /** Statuses at the server; a receive is posted there unless `prepare` did. */
  readonly server: readonly string[];
  readonly events?: readonly string[];
}

const write = { opcode: 'IBV_WR_RDMA_WRITE' } as const;
const flushed = ['IBV_WC_WR_FLUSH_ERR'];
const untouched: string[] = [];

const local: readonly Failure[] = [
  {
    name: 'a send of memory that its L_Key does not cover',
    wr: ({ clientMr }) => ({ sgList: [sge(clientMr, 4090, 16)] }),
    client: 'IBV_WC_LOC_PROT_ERR',
    server: untouched,
  },
  {
    name: 'an RDMA read into memory without local write access',
    wr: ({ serverMr }) => ({ opcode: 'IBV_WR_RDMA_READ', rdma: at(serverMr, 0) }),
    prepare: async (b) => {
      const { lkey, addr } = await register(b.driver, b.pd, 16, []);
      await receive(b);
      await b.driver.postSend(b.client, [
        sendWr(b, { opcode: 'IBV_WR_RDMA_READ', rdma: at(b.serverMr, 0), sgList: [{ addr, lkey, length: 16 }] }),
      ]);
    },
    client: 'IBV_WC_LOC_PROT_ERR',
    server: untouched,
  },
];

const remote: readonly Failure[] = [
  {
    name: 'a message that is too long for its receive',
    wr: ({ clientMr }) => ({ sgList: [sge(clientMr, 0, 65)] }),
    client: 'IBV_WC_REM_INV_REQ_ERR',
    server: ['IBV_WC_LOC_LEN_ERR'],
  },
  {
    name: 'a message whose receive names memory that may not be written',
    prepare: (b) => b.driver.postRecv(b.server, [{ wrId: 2n, sgList: [{ ...sge(b.serverMr, 0, 64), lkey: 0 }] }]),
    wr: () => ({}),
    client: 'IBV_WC_REM_OP_ERR',
    server: ['IBV_WC_LOC_PROT_ERR'],
  },
  {
    name: 'an RDMA write with a wrong R_Key',
    wr: ({ serverMr }) => ({ ...write, rdma: { ...at(serverMr, 0), rkey: 1 } }),
    client: 'IBV_WC_REM_ACCESS_ERR',
    server: flushed,
    events: ['IBV_EVENT_QP_ACCESS_ERR'],
  },
  {
    name: 'an RDMA write beyond the region',
    wr: ({ serverMr }) => ({ ...write, rdma: at(serverMr, 4081) }),
    client: 'IBV_WC_REM_ACCESS_ERR',
    server: flushed,
    events: ['IBV_EVENT_QP_ACCESS_ERR'],
  },
  {
    name: 'an RDMA write with immediate beyond the region',
    wr: ({ serverMr }) => ({ opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', rdma: at(serverMr, 4081) }),
    client: 'IBV_WC_REM_ACCESS_ERR',
    server: flushed,
    events: ['IBV_EVENT_QP_ACCESS_ERR'],
  },
  {
    name: 'a message that finds no receive',
    prepare: () => Promise.resolve(),
    wr: () => ({}),
    client: 'IBV_WC_RNR_RETRY_EXC_ERR',
    server: untouched,
  },
  {
    name: 'a message to a QP that does not listen',
    wanted: { serverState: 'IBV_QPS_INIT' },
    wr: () => ({}),
    client: 'IBV_WC_RETRY_EXC_ERR',
    server: untouched,
  },
];

describe('errors of RC QPs', () => {
  for (const { name, wanted, prepare = receive, wr, client, server, events = [] } of [...local, ...remote]) {
    it(`${name} ends in ${client}`, async () => {
      const b = await bench(wanted);
      await prepare(b);
      await b.driver.postSend(b.client, [sendWr(b, { sendFlags: [], ...wr(b) })]);
      const [failed] = await completions(b, b.clientCq);
      assert.equal(failed?.status, client);
      assert.equal(failed.wrId, 1n);
      assert.equal(failed.qpNum, b.client.qpNum);
      assert.notEqual(failed.vendorErr, 0);
      await b.driver.postSend(b.client, [sendWr(b)]);
      assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_WR_FLUSH_ERR']);
      assert.deepEqual(await statuses(b, b.serverCq), server);
      assert.deepEqual(await eventTypes(b), events);
    });
  }

  it('flush what was posted before and is posted later', async () => {
    const b = await bench();
    await receive(b);
    await modifyQp(b.driver, b.server, { qpState: 'IBV_QPS_ERR' });
    await receive(b, 8, 3n);
    assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_WR_FLUSH_ERR', 'IBV_WC_WR_FLUSH_ERR']);
    await b.driver.postSend(b.server, [sendWr(b)]);
    assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_WR_FLUSH_ERR']);
  });

  it('end a wait without limit for a receive when the peer goes away', async () => {
    const b = await bench({ rts: { rnrRetry: 7 } });
    await b.driver.postSend(b.client, [sendWr(b)]);
    assert.deepEqual(await statuses(b, b.clientCq), []);
    await b.driver.destroyQp(b.server);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_RETRY_EXC_ERR']);
  });

  it('let a message through that waited without limit for its receive', async () => {
    const b = await bench({ rts: { rnrRetry: 7 } });
    await b.driver.postSend(b.client, [sendWr(b)]);
    await b.driver.settle();
    await receive(b);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
  });
});
