import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SendWr, Wc } from '../../contract';
import {
  at,
  bench,
  type Bench,
  bringUp,
  bringUpSteps,
  completions,
  createCq,
  isReadable,
  modifyQp,
  pattern,
  receive,
  sendWr,
  sge,
  statuses,
} from '../fixtures/bench';

const bytes = pattern(16);

interface Operation {
  readonly name: string;
  readonly wr: (bench: Bench) => Partial<SendWr>;
  /** Members of the completion at the sender. */
  readonly sent: Partial<Wc>;
  /** Members of the completion at the receiver, if the message takes a receive. */
  readonly received?: Partial<Wc>;
  /** Where in the server's region the bytes of the client end. */
  readonly writes?: number;
}

const imm = 0x01020304;

const operations: readonly Operation[] = [
  {
    name: 'IBV_WR_SEND',
    wr: () => ({}),
    sent: { opcode: 'IBV_WC_SEND', byteLen: 16 },
    received: { opcode: 'IBV_WC_RECV', byteLen: 16, wcFlags: [], immData: 0, invalidatedRkey: 0 },
    writes: 0,
  },
  {
    name: 'IBV_WR_SEND_WITH_IMM',
    wr: () => ({ opcode: 'IBV_WR_SEND_WITH_IMM', immData: imm }),
    sent: { opcode: 'IBV_WC_SEND', byteLen: 16 },
    received: {
      opcode: 'IBV_WC_RECV',
      byteLen: 16,
      wcFlags: ['IBV_WC_WITH_IMM'],
      immData: imm,
      invalidatedRkey: 0x04030201,
    },
    writes: 0,
  },
  {
    name: 'IBV_WR_RDMA_WRITE',
    wr: ({ serverMr }) => ({ opcode: 'IBV_WR_RDMA_WRITE', rdma: at(serverMr, 256) }),
    sent: { opcode: 'IBV_WC_RDMA_WRITE', byteLen: 16 },
    writes: 256,
  },
  {
    name: 'IBV_WR_RDMA_WRITE_WITH_IMM',
    wr: ({ serverMr }) => ({ opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', immData: imm, rdma: at(serverMr, 256) }),
    sent: { opcode: 'IBV_WC_RDMA_WRITE', byteLen: 16 },
    received: { opcode: 'IBV_WC_RECV_RDMA_WITH_IMM', byteLen: 16, wcFlags: ['IBV_WC_WITH_IMM'], immData: imm },
    writes: 256,
  },
];

function assertMembers(actual: Wc | undefined, expected: Partial<Wc>): void {
  assert.deepEqual({ ...actual, ...expected }, actual);
}

describe('operations of an RC QP', () => {
  for (const { name, wr, sent, received, writes = 0 } of operations) {
    it(`carries out ${name}`, async () => {
      const b = await bench();
      await b.driver.writeMemory(b.clientMr.addr, bytes);
      await receive(b);
      await b.driver.postSend(b.client, [sendWr(b, wr(b))]);
      const [atClient] = await completions(b, b.clientCq);
      assertMembers(atClient, { wrId: 1n, status: 'IBV_WC_SUCCESS', qpNum: b.client.qpNum, ...sent });
      const atServer = await completions(b, b.serverCq);
      if (received === undefined) assert.deepEqual(atServer, []);
      else assertMembers(atServer[0], { wrId: 2n, status: 'IBV_WC_SUCCESS', qpNum: b.server.qpNum, ...received });
      assert.deepEqual(await b.driver.readMemory(b.serverMr.addr + BigInt(writes), 16), bytes);
    });
  }

  it('reads remote memory', async () => {
    const b = await bench();
    await b.driver.writeMemory(b.serverMr.addr + 512n, bytes);
    const sgList = [sge(b.clientMr, 64, 6), sge(b.clientMr, 128, 10)];
    await b.driver.postSend(b.client, [sendWr(b, { opcode: 'IBV_WR_RDMA_READ', sgList, rdma: at(b.serverMr, 512) })]);
    const [read] = await completions(b, b.clientCq);
    assertMembers(read, { status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RDMA_READ', byteLen: 16 });
    assert.deepEqual(await b.driver.readMemory(b.clientMr.addr + 64n, 6), bytes.subarray(0, 6));
    assert.deepEqual(await b.driver.readMemory(b.clientMr.addr + 128n, 10), bytes.subarray(6));
  });

  const before = 0xffff_ffff_ffff_fffen;
  const atomics = [
    { opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', wcOpcode: 'IBV_WC_FETCH_ADD', compareAdd: 5n, swap: 0n, after: 3n },
    { opcode: 'IBV_WR_ATOMIC_CMP_AND_SWP', wcOpcode: 'IBV_WC_COMP_SWAP', compareAdd: before, swap: 7n, after: 7n },
    { opcode: 'IBV_WR_ATOMIC_CMP_AND_SWP', wcOpcode: 'IBV_WC_COMP_SWAP', compareAdd: 1n, swap: 7n, after: before },
  ] as const;
  for (const { opcode, wcOpcode, compareAdd, swap, after } of atomics) {
    it(`${opcode} with ${compareAdd} leaves ${after} and answers what was there`, async () => {
      const b = await bench();
      const value = Buffer.alloc(8);
      value.writeBigUInt64LE(before);
      await b.driver.writeMemory(b.serverMr.addr + 8n, value);
      const atomic = { ...at(b.serverMr, 8), compareAdd, swap };
      await b.driver.postSend(b.client, [sendWr(b, { opcode, sgList: [sge(b.clientMr, 0, 8)], atomic })]);
      const [changed] = await completions(b, b.clientCq);
      assertMembers(changed, { status: 'IBV_WC_SUCCESS', opcode: wcOpcode, byteLen: 8 });
      assert.equal(Buffer.from(await b.driver.readMemory(b.serverMr.addr + 8n, 8)).readBigUInt64LE(), after);
      assert.deepEqual(Buffer.from(await b.driver.readMemory(b.clientMr.addr, 8)), value);
    });
  }

  it('takes inline data at once, whatever their key', async () => {
    const b = await bench();
    await b.driver.writeMemory(b.clientMr.addr, bytes);
    await receive(b);
    const sgList = [{ ...sge(b.clientMr, 0, 16), lkey: 0 }];
    const inline = sendWr(b, { sgList, sendFlags: ['IBV_SEND_INLINE'] });
    await b.driver.postSend(b.client, [inline]);
    await b.driver.writeMemory(b.clientMr.addr, Buffer.alloc(16));
    assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_SUCCESS']);
    assert.deepEqual(await b.driver.readMemory(b.serverMr.addr, 16), bytes);
  });

  it('completes unsignaled sends in silence, unless the QP signals all', async () => {
    for (const sqSigAll of [false, true]) {
      const b = await bench({ client: { sqSigAll } });
      await receive(b);
      await b.driver.postSend(b.client, [sendWr(b, { sendFlags: [] })]);
      assert.deepEqual(await statuses(b, b.clientCq), sqSigAll ? ['IBV_WC_SUCCESS'] : []);
    }
  });

  for (const opcode of ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM', 'IBV_WR_RDMA_WRITE_WITH_IMM'] as const) {
    it(`makes a solicited completion of ${opcode} with the SE bit alone`, async () => {
      for (const solicited of [true, false]) {
        const b = await bench();
        const channel = await b.driver.createCompChannel(b.context);
        const recvCq = await createCq(b.driver, b.context, 4, channel);
        const server = await b.driver.createQp(b.pd, {
          ...{ qpType: 'IBV_QPT_RC', sendCq: recvCq, recvCq, sqSigAll: false, srq: null },
          cap: { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 },
        });
        const joined = { ...b, server };
        await connect(joined);
        await receive(joined);
        await b.driver.reqNotifyCq(recvCq, 1);
        const sendFlags = solicited ? (['IBV_SEND_SOLICITED'] as const) : [];
        await b.driver.postSend(b.client, [sendWr(b, { opcode, sendFlags, rdma: at(b.serverMr, 0) })]);
        await b.driver.settle();
        assert.equal(await isReadable(b.driver, channel, 0), solicited);
      }
    });
  }
});

describe('a QP', () => {
  const asks = [
    ['IBV_ACCESS_REMOTE_READ', 'IBV_WR_RDMA_READ'],
    ['IBV_ACCESS_REMOTE_WRITE', 'IBV_WR_RDMA_WRITE'],
  ] as const;
  for (const [right, opcode] of asks) {
    it(`lets its peer do nothing that takes ${right} without that right`, async () => {
      for (const [other] of asks) {
        const b = await bench();
        await modifyQp(b.driver, b.server, { qpAccessFlags: [other] });
        await b.driver.postSend(b.client, [sendWr(b, { opcode, rdma: at(b.serverMr, 0) })]);
        const expected = right === other ? 'IBV_WC_SUCCESS' : 'IBV_WC_REM_ACCESS_ERR';
        assert.deepEqual(await statuses(b, b.clientCq), [expected]);
      }
    });
  }
});

/** Connects the client to the server of the bench anew. */
async function connect({ driver, client, server }: Bench): Promise<void> {
  await modifyQp(driver, client, { qpState: 'IBV_QPS_RESET' });
  await bringUp(driver, client, bringUpSteps('IBV_QPT_RC', server.qpNum));
  await bringUp(driver, server, bringUpSteps('IBV_QPT_RC', client.qpNum));
}
