import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ah, Wc } from '../../contract';
import { qkey } from '../fixtures/bench';
import { anyConditions } from '../fixtures/conditions';
import {
  completionsOf,
  pathMtu,
  pathTo,
  receiveAt,
  sendOf,
  twoDevices,
  type TwoDevices,
} from '../fixtures/two-devices';

/** Messages of a test; each consists of bytes with its own number. */
const messages = 12;
/** Bytes from one message in a region to the next. */
const stride = 2048;
const grhBytes = 40;

function isNumbered(bytes: Uint8Array, number: number): boolean {
  return bytes.every((byte) => byte === number);
}

/**
 * Sends messages of that size, and demands that each receive has one of them, whole.
 *
 * @returns the numbers of those that have arrived, in order
 */
async function arrivals(two: TwoDevices, size: number, headerBytes = 0, ah?: Ah): Promise<number[]> {
  const { left, right } = two;
  for (let index = 0; index < messages; index++) {
    await left.driver.writeMemory(left.mr.addr + BigInt(index * stride), Buffer.alloc(size, index + 1));
  }
  for (let index = 0; index < 2 * messages; index++) await receiveAt(two, BigInt(index), index * stride, stride);
  const ud = ah && { ah, remoteQpn: right.qp.qpNum, remoteQkey: qkey };
  const wrs = Array.from({ length: messages }, (_, index) => sendOf(two, BigInt(index), index * stride, size));
  await left.driver.postSend(
    left.qp,
    wrs.map((wr) => ({ ...wr, ...(ud && { ud }) })),
  );
  assert.deepEqual(
    (await completionsOf(left)).map(({ status }) => status),
    wrs.map(() => 'IBV_WC_SUCCESS'),
  );
  const received = await completionsOf(right);
  return Promise.all(received.map((wc) => numberOf(two, wc, size, headerBytes)));
}

async function numberOf({ right }: TwoDevices, wc: Wc, size: number, headerBytes: number): Promise<number> {
  assert.equal(wc.status, 'IBV_WC_SUCCESS');
  assert.equal(wc.byteLen, headerBytes + size);
  const bytes = await right.driver.readMemory(right.mr.addr + BigInt(Number(wc.wrId) * stride + headerBytes), size);
  const [number = 0] = bytes;
  assert.ok(isNumbered(bytes, number), 'a message has bytes of two');
  return number;
}

function ascending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

const sizes = fc.constantFrom(1, pathMtu, pathMtu + 1, 5 * pathMtu);

describe('a UC QP', () => {
  it('gets whole messages or none, whatever happens to their packets', async () => {
    await fc.assert(
      fc.asyncProperty(anyConditions, sizes, async (network, size) => {
        await arrivals(await twoDevices({ qpType: 'IBV_QPT_UC', network }), size);
      }),
      { numRuns: 60 },
    );
  });

  it('loses messages and keeps the others in order where packets are delayed and lost', async () => {
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), sizes, async (seed, size) => {
        const network = { seed, packetLossProbability: 0.2, oneWayDelayMeanUs: 20 };
        const numbers = await arrivals(await twoDevices({ qpType: 'IBV_QPT_UC', network }), size);
        assert.ok(ascending(numbers), `the order is ${numbers.join(' ')}`);
        lost += messages - numbers.length;
      }),
      { numRuns: 60 },
    );
    assert.ok(lost > 0);
  });

  it('loses nothing where packets are only delayed', async () => {
    const network = { seed: 1, oneWayDelayMeanUs: 20 };
    const numbers = await arrivals(await twoDevices({ qpType: 'IBV_QPT_UC', network }), 5 * pathMtu);
    assert.equal(numbers.length, messages);
  });
});

async function datagrams(network: Parameters<typeof twoDevices>[0], size: number): Promise<number[]> {
  const two = await twoDevices({ ...network, qpType: 'IBV_QPT_UD' });
  const { left, right } = two;
  const ah = await left.driver.createAh(left.pd, pathTo(right.driver));
  return arrivals(two, size, grhBytes, ah);
}

describe('a UD QP', () => {
  it('gets each datagram whole, as often as the network delivers it', async () => {
    await fc.assert(
      fc.asyncProperty(anyConditions, fc.constantFrom(1, pathMtu), async (network, size) => {
        const numbers = await datagrams({ network }, size);
        if (network.packetLossProbability > 0) return;
        const times = network.packetReplayProbability === 1 ? 2 : 1;
        assert.equal(new Set(numbers).size, messages);
        assert.ok(numbers.length >= times * messages);
      }),
      { numRuns: 60 },
    );
  });

  it('loses datagrams, and gets them twice or in another order, if the network does', async () => {
    const lossy = await datagrams({ network: { seed: 1, packetLossProbability: 0.5 } }, 16);
    assert.ok(lossy.length > 0 && lossy.length < messages && ascending(lossy));
    assert.equal((await datagrams({ network: { packetReplayProbability: 1 } }, 16)).length, 2 * messages);
    assert.ok(!ascending(await datagrams({ network: { seed: 1, packetReorderProbability: 0.5 } }, 16)));
  });
});

describe('a QP of a connection', () => {
  for (const peerType of ['IBV_QPT_RC', 'IBV_QPT_UC'] as const)
    it(`takes no datagram: ${peerType}`, async () => {
      const two = await twoDevices({ qpType: 'IBV_QPT_UD', peerType });
      const { left, right } = two;
      await receiveAt(two, 0n, 0, stride);
      const ah = await left.driver.createAh(left.pd, pathTo(right.driver));
      const ud = { ah, remoteQpn: right.qp.qpNum, remoteQkey: qkey };
      await left.driver.postSend(left.qp, [{ ...sendOf(two, 1n, 0, 16), ud }]);
      assert.deepEqual(
        (await completionsOf(left)).map(({ status }) => status),
        ['IBV_WC_SUCCESS'],
      );
      assert.deepEqual(await completionsOf(right), []);
    });
});
