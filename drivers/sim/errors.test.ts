import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Qp, SendWr } from '../contract';
import {
  at,
  bench,
  bringUp,
  bringUpSteps,
  completions,
  eventTypes,
  receive,
  refusedWith,
  sendWr,
  sge,
  statuses,
  type Bench,
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
const add = { opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD' } as const;
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
      const { lkey, addr } = await b.driver.regMr(b.pd, 16, []);
      await receive(b);
      await b.driver.postSend(b.client, [
        sendWr(b, { opcode: 'IBV_WR_RDMA_READ', rdma: at(b.serverMr, 0), sgList: [{ addr, lkey, length: 16 }] }),
      ]);
    },
    client: 'IBV_WC_LOC_PROT_ERR',
    server: untouched,
  },
  {
    name: 'an atomic operation on fewer than 8 bytes',
    wr: ({ clientMr, serverMr }) => ({
      ...add,
      sgList: [sge(clientMr, 0, 4)],
      atomic: { ...at(serverMr, 0), compareAdd: 1n, swap: 0n },
    }),
    client: 'IBV_WC_LOC_LEN_ERR',
    server: untouched,
  },
  {
    name: 'an RDMA read of a QP that may have none under way',
    wanted: { rts: { maxRdAtomic: 0 } },
    wr: ({ serverMr }) => ({ opcode: 'IBV_WR_RDMA_READ', rdma: at(serverMr, 0) }),
    client: 'IBV_WC_LOC_QP_OP_ERR',
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
    name: 'an RDMA write that the QP of the peer does not allow',
    wanted: { access: ['IBV_ACCESS_REMOTE_READ'] },
    wr: ({ serverMr }) => ({ ...write, rdma: at(serverMr, 0) }),
    client: 'IBV_WC_REM_INV_REQ_ERR',
    server: flushed,
    events: ['IBV_EVENT_QP_REQ_ERR'],
  },
  {
    name: 'an atomic operation on an odd address',
    wr: ({ clientMr, serverMr }) => ({
      ...add,
      sgList: [sge(clientMr, 0, 8)],
      atomic: { ...at(serverMr, 4), compareAdd: 1n, swap: 0n },
    }),
    client: 'IBV_WC_REM_INV_REQ_ERR',
    server: flushed,
    events: ['IBV_EVENT_QP_REQ_ERR'],
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
  {
    name: 'a message on a path that leads elsewhere',
    wanted: {
      rtr: { ahAttr: { dlid: 0, dgid: `fe80${':0000'.repeat(7)}`, sgidIndex: 0, hopLimit: 1, portNum: 1 } },
    },
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
      assert.equal(await b.driver.queryQpState(b.client), 'IBV_QPS_ERR');
      assert.deepEqual(await statuses(b, b.serverCq), server);
      assert.deepEqual(await eventTypes(b), events);
    });
  }

  it('flush what was posted before and is posted later', async () => {
    const b = await bench();
    await receive(b);
    await b.driver.modifyQp(b.server, { qpState: 'IBV_QPS_ERR' });
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

describe('posting to a QP that takes nothing', () => {
  it('is refused at the first WR', async () => {
    const { driver, client, ...b } = await bench();
    await driver.modifyQp(client, { qpState: 'IBV_QPS_RESET' });
    const wr = sendWr({ driver, client, ...b });
    for (const post of [driver.postSend(client, [wr, wr]), driver.postRecv(client, [{ wrId: 1n, sgList: [] }])]) {
      await assert.rejects(post, refusedWith('EINVAL'));
      assert.equal(driver.trace().at(-1)?.outputs.badWr, 0);
    }
  });
});

describe('attributes of QPs', () => {
  const wrong: readonly [string, (peer: Qp) => object][] = [
    ['a port that does not exist', () => ({ qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum: 2, qpAccessFlags: [] })],
    ['an attribute that the change of state does not take', () => ({ ...init, sqPsn: 0 })],
    ['a state that cannot follow', (peer) => bringUpSteps('IBV_QPT_RC', peer.qpNum)[1] ?? {}],
  ];
  const init = { qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum: 1, qpAccessFlags: [] };
  for (const [what, attr] of wrong) {
    it(`are refused as a whole for ${what}`, async () => {
      const { driver, client, server } = await bench();
      await driver.modifyQp(client, { qpState: 'IBV_QPS_RESET' });
      await assert.rejects(driver.modifyQp(client, attr(server)), refusedWith('EINVAL'));
      assert.equal(await driver.queryQpState(client), 'IBV_QPS_RESET');
      await bringUp(driver, client, bringUpSteps('IBV_QPT_RC', server.qpNum));
    });
  }
});
