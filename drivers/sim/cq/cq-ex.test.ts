import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HarnessError, type Cq, type CqInitAttrEx, wcReaderMethods } from '../../contract';
import {
  bench,
  type Bench,
  bringUp,
  bringUpSteps,
  eventTypes,
  modifyQp,
  receive,
  refusedWith,
  sendWr,
  usualCap,
} from '../fixtures/bench';

const allMembers = [
  'IBV_WC_EX_WITH_BYTE_LEN',
  'IBV_WC_EX_WITH_IMM',
  'IBV_WC_EX_WITH_QP_NUM',
  'IBV_WC_EX_WITH_SRC_QP',
  'IBV_WC_EX_WITH_SLID',
  'IBV_WC_EX_WITH_SL',
  'IBV_WC_EX_WITH_DLID_PATH_BITS',
  'IBV_WC_EX_WITH_COMPLETION_TIMESTAMP',
];

const plain = { cqe: 4, cqContext: 0n, channel: null, compVector: 0, compMask: [], flags: [] };

type ExBench = Bench & { readonly cq: Cq };

/** A bench whose server receives on an extended CQ. */
async function exBench(attr: Partial<CqInitAttrEx> = {}): Promise<ExBench> {
  const b = await bench();
  const cq = await b.driver.createCqEx(b.context, { ...plain, wcFlags: allMembers, ...attr });
  const init = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, cap: usualCap, sqSigAll: false, srq: null } as const;
  const server = await b.driver.createQp(b.pd, init);
  await modifyQp(b.driver, b.client, { qpState: 'IBV_QPS_RESET' });
  await bringUp(b.driver, b.client, bringUpSteps('IBV_QPT_RC', server.qpNum));
  await bringUp(b.driver, server, bringUpSteps('IBV_QPT_RC', b.client.qpNum));
  return { ...b, cq, server };
}

/** Sends messages whose immediates are their receives' numbers. */
async function send(b: ExBench, ...numbers: number[]): Promise<void> {
  for (const number of numbers) await receive(b, 64, BigInt(number));
  const wrs = numbers.map((immData) => sendWr(b, { opcode: 'IBV_WR_SEND_WITH_IMM', immData }));
  await b.driver.postSend(b.client, wrs);
  await b.driver.settle();
}

const misuse = (error: unknown): boolean => error instanceof HarnessError;

describe('an extended CQ', () => {
  it('is iterated from the oldest completion on', async () => {
    const b = await exBench();
    await send(b, 7, 8);
    await b.driver.startPoll(b.cq);
    assert.deepEqual(await b.driver.readCqEx(b.cq), { wrId: 7n, status: 'IBV_WC_SUCCESS' });
    await b.driver.nextPoll(b.cq);
    assert.equal((await b.driver.readCqEx(b.cq)).wrId, 8n);
    await assert.rejects(b.driver.nextPoll(b.cq), refusedWith('ENOENT'));
    await b.driver.endPoll(b.cq);
    await assert.rejects(b.driver.startPoll(b.cq), refusedWith('ENOENT'));
    await send(b, 9);
    await b.driver.startPoll(b.cq);
    assert.equal((await b.driver.readCqEx(b.cq)).wrId, 9n);
    await b.driver.endPoll(b.cq);
  });

  it('gives each member that was asked for', async () => {
    const b = await exBench();
    await send(b, 0x0a0b);
    await b.driver.startPoll(b.cq);
    const members = {
      opcode: 'IBV_WC_RECV',
      vendor_err: 0,
      byte_len: 16,
      imm_data: 0x0a0b,
      invalidated_rkey: 0x0b0a_0000,
      qp_num: b.server.qpNum,
      src_qp: b.client.qpNum,
      wc_flags: ['IBV_WC_WITH_IMM'],
      slid: 0,
      sl: 0,
      dlid_path_bits: 0,
    } as const;
    for (const [reader, value] of Object.entries(members)) {
      assert.deepEqual(await b.driver[wcReaderMethods[reader as keyof typeof members]](b.cq), value, reader);
    }
  });

  it('stamps completions with growing times', async () => {
    const b = await exBench();
    await send(b, 1, 2);
    await b.driver.startPoll(b.cq);
    const first = await b.driver.wcReadCompletionTs(b.cq);
    await b.driver.nextPoll(b.cq);
    const second = await b.driver.wcReadCompletionTs(b.cq);
    assert.ok(first > 0n && second > first);
  });

  it('can be polled with ibv_poll_cq() and destroyed with ibv_destroy_cq()', async () => {
    const b = await exBench();
    await send(b, 3);
    assert.equal((await b.driver.pollCq(b.cq, 0)).length, 0);
    assert.equal((await b.driver.pollCq(b.cq, 4)).length, 1);
    await b.driver.destroyQp(b.server);
    await b.driver.destroyCq(b.cq);
  });

  it('has no reader for a member that was not asked for', async () => {
    const b = await exBench({ wcFlags: [] });
    await send(b, 3);
    await b.driver.startPoll(b.cq);
    assert.equal(await b.driver.wcReadOpcode(b.cq), 'IBV_WC_RECV');
    await assert.rejects(b.driver.wcReadByteLen(b.cq), /was not asked for/);
  });

  it('has no completion to read outside of a batch', async () => {
    const b = await exBench();
    await send(b, 1);
    await assert.rejects(b.driver.readCqEx(b.cq), misuse);
  });

  const refused: readonly [string, Partial<CqInitAttrEx>, string][] = [
    ['too many entries', { cqe: 65537 }, 'EINVAL'],
    ['a vector too high', { compVector: 99 }, 'EINVAL'],
  ];
  for (const [what, attr, errno] of refused) {
    it(`is refused with ${what}`, async () => {
      await assert.rejects(exBench(attr), refusedWith(errno));
    });
  }

  for (const compMask of [[], ['IBV_CQ_INIT_ATTR_MASK_FLAGS']]) {
    const ignored = compMask.length > 0;
    it(`${ignored ? 'loses the oldest completion' : 'fails'} on overrun with comp_mask [${compMask.join()}]`, async () => {
      const b = await exBench({ cqe: 2, compMask, flags: ['IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN'] });
      await send(b, 1, 2, 3);
      assert.deepEqual(await eventTypes(b), ignored ? [] : ['IBV_EVENT_CQ_ERR']);
      if (!ignored) return;
      assert.deepEqual(
        (await b.driver.pollCq(b.cq, 4)).map(({ wrId }) => wrId),
        [2n, 3n],
      );
    });
  }
});
