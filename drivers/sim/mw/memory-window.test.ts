import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mw, SendWr, Wc } from '../../contract';
import {
  type Bench,
  bench,
  completions,
  eventTypes,
  pattern,
  receive,
  refusedWith,
  register,
  sendWr,
  statuses,
} from '../fixtures/bench';

type WindowBench = Bench & { readonly mw: Mw; readonly rkey: number };

const windowOffset = 1024;
const windowBytes = 64;

/** The window with the consumer's part of its R_Key changed. */
async function windowBench(): Promise<WindowBench> {
  const b = await bench();
  const mw = await b.driver.allocMw(b.pd, 'IBV_MW_TYPE_2');
  return { ...b, mw, rkey: mw.rkey + 1 };
}

function bindWr(b: WindowBench, changes: Partial<NonNullable<SendWr['bindMw']>> = {}): SendWr {
  const { mw, rkey, serverMr: mr } = b;
  const access = ['IBV_ACCESS_REMOTE_WRITE'] as const;
  const bindMw = { mw, rkey, mr, addr: mr.addr + BigInt(windowOffset), length: windowBytes, access, ...changes };
  return sendWr(b, { opcode: 'IBV_WR_BIND_MW', sgList: [], bindMw });
}

async function bind(b: WindowBench): Promise<Wc | undefined> {
  await b.driver.postSend(b.server, [bindWr(b)]);
  return (await completions(b, b.serverCq))[0];
}

/** The client writes through the window. */
async function write(b: WindowBench, offset = 0): Promise<string[]> {
  const remoteAddr = b.serverMr.addr + BigInt(windowOffset + offset);
  await b.driver.postSend(b.client, [sendWr(b, { opcode: 'IBV_WR_RDMA_WRITE', rdma: { remoteAddr, rkey: b.rkey } })]);
  return statuses(b, b.clientCq);
}

describe('a type 2 memory window', () => {
  it('opens a part of a region under its new R_Key', async () => {
    const b = await windowBench();
    const wc = await bind(b);
    assert.equal(wc?.status, 'IBV_WC_SUCCESS');
    assert.equal(wc.opcode, 'IBV_WC_BIND_MW');
    await b.driver.writeMemory(b.clientMr.addr, pattern(16));
    assert.deepEqual(await write(b, 48), ['IBV_WC_SUCCESS']);
    assert.deepEqual(await b.driver.readMemory(b.serverMr.addr + BigInt(windowOffset + 48), 16), pattern(16));
  });

  it('opens no more than that part', async () => {
    const b = await windowBench();
    await bind(b);
    assert.deepEqual(await write(b, 49), ['IBV_WC_REM_ACCESS_ERR']);
    assert.deepEqual(await eventTypes(b), ['IBV_EVENT_QP_ACCESS_ERR']);
  });

  it('opens nothing as long as it is not bound', async () => {
    assert.deepEqual(await write(await windowBench()), ['IBV_WC_REM_ACCESS_ERR']);
  });

  it('cannot be bound to a region without IBV_ACCESS_MW_BIND', async () => {
    const b = await windowBench();
    await b.driver.postSend(b.server, [
      bindWr(b, { mr: await register(b.driver, b.pd, 4096, ['IBV_ACCESS_LOCAL_WRITE']) }),
    ]);
    assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_MW_BIND_ERR']);
  });

  for (const right of ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC'] as const) {
    it(`gives ${right} to no region that is not locally writable`, async () => {
      const b = await windowBench();
      const mr = await register(b.driver, b.pd, 4096, ['IBV_ACCESS_MW_BIND']);
      await b.driver.postSend(b.server, [bindWr(b, { mr, addr: mr.addr, access: [right] })]);
      assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_MW_BIND_ERR']);
    });
  }

  it('gives IBV_ACCESS_REMOTE_READ to such a region', async () => {
    const b = await windowBench();
    const mr = await register(b.driver, b.pd, 4096, ['IBV_ACCESS_MW_BIND']);
    await b.driver.postSend(b.server, [bindWr(b, { mr, addr: mr.addr, access: ['IBV_ACCESS_REMOTE_READ'] })]);
    assert.deepEqual(await statuses(b, b.serverCq), ['IBV_WC_SUCCESS']);
  });

  it('is closed by IBV_WR_SEND_WITH_INV, and its receiver learns of it', async () => {
    const b = await windowBench();
    await bind(b);
    await receive(b);
    await b.driver.postSend(b.client, [sendWr(b, { opcode: 'IBV_WR_SEND_WITH_INV', invalidateRkey: b.rkey })]);
    const [wc] = await completions(b, b.serverCq);
    assert.equal(wc?.opcode, 'IBV_WC_RECV');
    assert.deepEqual(wc.wcFlags, ['IBV_WC_WITH_INV']);
    assert.equal(wc.invalidatedRkey, b.rkey);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(wc.immData);
    assert.equal(bytes.readUInt32LE(), b.rkey);
    assert.deepEqual(await statuses(b, b.clientCq), ['IBV_WC_SUCCESS']);
    assert.deepEqual(await write(b), ['IBV_WC_REM_ACCESS_ERR']);
  });

  it('is closed by IBV_WR_LOCAL_INV', async () => {
    const b = await windowBench();
    await bind(b);
    const invalidate = sendWr(b, { opcode: 'IBV_WR_LOCAL_INV', sgList: [], invalidateRkey: b.rkey });
    await b.driver.postSend(b.server, [invalidate]);
    const [wc] = await completions(b, b.serverCq);
    assert.equal(wc?.opcode, 'IBV_WC_LOCAL_INV');
    assert.equal(wc.status, 'IBV_WC_SUCCESS');
    assert.deepEqual(await write(b), ['IBV_WC_REM_ACCESS_ERR']);
  });

  it('keeps its region from being deregistered while it is bound', async () => {
    const b = await windowBench();
    await bind(b);
    await assert.rejects(b.driver.deregMr(b.serverMr), refusedWith('EBUSY'));
    await b.driver.deallocMw(b.mw);
    await b.driver.deregMr(b.serverMr);
  });

  it('keeps no region once its QP has ended', async () => {
    const b = await windowBench();
    await bind(b);
    await b.driver.destroyQp(b.server);
    await b.driver.deregMr(b.serverMr);
  });
});
