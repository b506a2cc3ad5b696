import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SendWr } from '../../contract';
import { pattern } from '../fixtures/bench';
import { anyConditions } from '../fixtures/conditions';
import { completionsOf, pathMtu, receiveAt, sendOf, twoDevices, type TwoDevices } from '../fixtures/two-devices';

/** Bytes from one message in a region to the next. */
const stride = 2048;

const lengths = fc.array(fc.constantFrom(0, 1, pathMtu - 1, pathMtu, pathMtu + 1, 4 * pathMtu, 1500), {
  minLength: 1,
  maxLength: 8,
});
const psns = fc.constantFrom(0, 5, 0x7f_ff_ff, 0xff_ff_fd, 0xff_ff_ff);

const success = (_: unknown, index: number): [bigint, string] => [BigInt(index), 'IBV_WC_SUCCESS'];

/** Sends messages, each with other bytes, and demands that they arrive once, in order and whole. */
async function exchange(two: TwoDevices, sizes: readonly number[]): Promise<void> {
  const { left, right } = two;
  for (const [index, size] of sizes.entries()) {
    await receiveAt(two, BigInt(index), index * stride, stride);
    await left.driver.writeMemory(left.mr.addr + BigInt(index * stride), pattern(size, 7 * index));
  }
  await left.driver.postSend(
    left.qp,
    sizes.map((size, index) => sendOf(two, BigInt(index), index * stride, size)),
  );
  const sent = await completionsOf(left);
  const received = await completionsOf(right);
  assert.deepEqual(
    sent.map(({ wrId, status }) => [wrId, status]),
    sizes.map(success),
  );
  assert.deepEqual(
    received.map(({ wrId, status, byteLen }) => [wrId, status, byteLen]),
    sizes.map((size, index) => [...success(size, index), size]),
  );
  for (const [index, size] of sizes.entries()) {
    assert.deepEqual(
      await right.driver.readMemory(right.mr.addr + BigInt(index * stride), size),
      pattern(size, 7 * index),
    );
  }
}

describe('an RC QP on a network that delays, loses, replays and reorders', () => {
  it('delivers every message once, in order, with all its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyConditions, psns, lengths, async (network, psn, sizes) => {
        await exchange(await twoDevices({ network, psn }), sizes);
      }),
      { numRuns: 60 },
    );
  });

  it('numbers its packets on beyond 2^24', async () => {
    await exchange(await twoDevices({ psn: 0xff_ff_ff }), [4 * pathMtu, 3]);
    const network = { seed: 1, packetLossProbability: 0.3, packetReplayProbability: 0.3 };
    await exchange(await twoDevices({ network, psn: 0xff_ff_fe }), [4 * pathMtu, 3, 700]);
  });

  it('waits for a receive, and delivers when it is posted', async () => {
    await fc.assert(
      fc.asyncProperty(anyConditions, fc.integer({ min: 0, max: 200 }), async (network, pauseUs) => {
        const two = await twoDevices({ network });
        await two.left.driver.writeMemory(two.left.mr.addr + BigInt(0), pattern(600));
        await two.left.driver.postSend(two.left.qp, [sendOf(two, 1n, 0, 600)]);
        await two.simulator.pause(pauseUs / 1000);
        await receiveAt(two, 2n, 0, stride);
        assert.deepEqual(
          (await completionsOf(two.left)).map(({ status }) => status),
          ['IBV_WC_SUCCESS'],
        );
        assert.deepEqual(await two.right.driver.readMemory(two.right.mr.addr + BigInt(0), 600), pattern(600));
      }),
      { numRuns: 60 },
    );
  });

  it('carries out every operation once', async () => {
    await fc.assert(
      fc.asyncProperty(anyConditions, psns, async (network, psn) => {
        await carryOutEach(await twoDevices({ network, psn }));
      }),
      { numRuns: 60 },
    );
  });
});

/** Bytes of an atomic operation. */
const atomicBytes = 8;
/** Where the right end keeps the number that is counted up. */
const counterAt = 0x8000;
/** Where the right end takes what is written, and the left end what is read. */
const writtenAt = 0x4000;
const additions = 5;
const readBytes = 700;

/** Counts a number up, writes before each step and reads it back after; a step that is done twice shows in what it brings back. */
async function carryOutEach(two: TwoDevices): Promise<void> {
  const { left, right } = two;
  await left.driver.writeMemory(left.mr.addr + BigInt(0), pattern(readBytes));
  const wrs = Array.from({ length: additions }, (_, step) => stepsOf(two, step)).flat();
  await left.driver.postSend(left.qp, wrs);
  const completions = await completionsOf(left);
  assert.deepEqual(
    completions.map(({ wrId, status }) => [wrId, status]),
    wrs.map(({ wrId }) => [wrId, 'IBV_WC_SUCCESS']),
  );
  for (let step = 0; step < additions; step++) {
    const before = await left.driver.readMemory(left.mr.addr + BigInt(1024 + step * atomicBytes), atomicBytes);
    assert.equal(Buffer.from(before).readBigUInt64LE(), BigInt(step));
    const readBack = await left.driver.readMemory(left.mr.addr + BigInt(writtenAt + step * 1024), readBytes);
    assert.deepEqual(readBack, pattern(readBytes));
  }
  const counter = await right.driver.readMemory(right.mr.addr + BigInt(counterAt), atomicBytes);
  assert.equal(Buffer.from(counter).readBigUInt64LE(), BigInt(additions));
}

function stepsOf({ left, right }: TwoDevices, step: number): SendWr[] {
  const sge = (offset: number, length: number) => ({ addr: left.mr.addr + BigInt(offset), length, lkey: left.mr.lkey });
  const remote = (offset: number) => ({ remoteAddr: right.mr.addr + BigInt(offset), rkey: right.mr.rkey });
  const add = { ...remote(counterAt), compareAdd: 1n, swap: 0n };
  const wrs: Omit<SendWr, 'wrId' | 'sendFlags'>[] = [
    { opcode: 'IBV_WR_RDMA_WRITE', sgList: [sge(0, readBytes)], rdma: remote(step * 1024) },
    { opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', sgList: [sge(1024 + step * atomicBytes, atomicBytes)], atomic: add },
    { opcode: 'IBV_WR_RDMA_READ', sgList: [sge(writtenAt + step * 1024, readBytes)], rdma: remote(step * 1024) },
  ];
  return wrs.map((wr, index) => ({ ...wr, wrId: BigInt(step * wrs.length + index), sendFlags: [] }));
}
