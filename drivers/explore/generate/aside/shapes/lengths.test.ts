import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { Answer, Message } from '../../../../sim/qp/message';
import type { Qp } from '../../../../sim/qp/qp';
import { isWrite } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import { carryAllLengths } from './lengths';

const isFoundHere = (parts: () => Partial<Parts>): Promise<boolean> => isFound(parts, carryAllLengths, 60);

/** The same bytes, of which those from one place to another are 0. */
function blank(bytes: Uint8Array, from: number, end: number): Uint8Array {
  return new Uint8Array(bytes).fill(0, Math.max(from, 0), end);
}

/** A device whose QPs take other bytes than those that were sent. */
const taking = (otherwise: (payload: Uint8Array, mtu: number) => Uint8Array) => (): Partial<Parts> => ({
  Responder: class extends soundParts.Responder {
    override receive(message: Message): Answer {
      return super.receive({ ...message, payload: otherwise(message.payload, this.qp.mtu) });
    }
  },
});

/** A device whose QPs answer reads with other bytes than those that are there. */
const answering = (otherwise: (data: Uint8Array, mtu: number) => Uint8Array) => (): Partial<Parts> => ({
  Responder: class extends soundParts.Responder {
    override receive(message: Message): Answer {
      const answer = super.receive(message);
      const { opcode } = message.wr;
      if (answer.kind !== 'ack' || opcode !== 'IBV_WR_RDMA_READ') return answer;
      return { kind: 'ack', data: otherwise(answer.data, this.qp.mtu) };
    }
  },
});

/** The last packet does not get through, where it carries so many bytes more than a whole number of packets. */
const losingEnds =
  (rest: number) =>
  (bytes: Uint8Array, mtu: number): Uint8Array => {
    const isMeant = bytes.length > mtu && bytes.length % mtu === (rest + mtu) % mtu;
    return isMeant ? blank(bytes, bytes.length - Math.max(rest, 1), bytes.length) : bytes;
  };

/** The second packet and the third change places. */
function mixingPackets(bytes: Uint8Array, mtu: number): Uint8Array {
  if (bytes.length < 3 * mtu) return bytes;
  const [second, third] = [bytes.slice(mtu, 2 * mtu), bytes.slice(2 * mtu, 3 * mtu)];
  const mixed = new Uint8Array(bytes);
  mixed.set(third, mtu);
  mixed.set(second, 2 * mtu);
  return mixed;
}

/** A device that does something to the messages that it has taken. */
const taken = (then: (qp: Qp, message: Message) => void) => (): Partial<Parts> => ({
  Responder: class extends soundParts.Responder {
    override receive(message: Message): Answer {
      const answer = super.receive(message);
      if (answer.kind === 'ack') then(this.qp, message);
      return answer;
    }
  },
});

describe('messages that end where packets do', () => {
  for (const rest of [-1, 0, 1]) {
    it(`arrive whole: ${rest}`, async () => {
      assert.ok(await isFoundHere(taking(losingEnds(rest))));
    });
    it(`are read whole: ${rest}`, async () => {
      assert.ok(await isFoundHere(answering(losingEnds(rest))));
    });
  }

  it('keep the order of their packets', async () => {
    assert.ok(await isFoundHere(taking(mixingPackets)));
    assert.ok(await isFoundHere(answering(mixingPackets)));
  });

  it('leave the byte behind them alone', async () => {
    const writing = taken((qp, { wr, payload }) => {
      const [end, isWhole] = [BigInt(payload.length), payload.length > 0 && payload.length % qp.mtu === 0];
      if (isWrite(wr) && isWhole) qp.device.memory.at((wr.rdma?.remoteAddr ?? 0n) + end, 1).fill(0xee);
    });
    assert.ok(await isFoundHere(writing));
  });

  it('leave the next message alone', async () => {
    const remembering = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        #wasWhole = false;

        override receive(message: Message): Answer {
          const { payload } = message;
          const spoilt = this.#wasWhole ? { ...message, payload: blank(payload, 0, 1) } : message;
          this.#wasWhole = payload.length > 0 && payload.length % this.qp.mtu === 0;
          return super.receive(spoilt);
        }
      },
    });
    assert.ok(await isFoundHere(remembering));
  });
});

it('numbers of packets begin at 0 again within a message', async () => {
  const wrapping = (): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      override arrive(...[packet]: Parameters<Qp['arrive']>): void {
        const isSpoilt = packet.kind === 'request' && packet.psn === 0 && packet.segment !== 'only';
        super.arrive(isSpoilt ? { ...packet, payload: blank(packet.payload, 0, 8) } : packet);
      }
    },
  });
  assert.ok(await isFoundHere(wrapping));
});

it('what waits for a receive arrives whole', async () => {
  const forgetful = (): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      #hasRefused = false;

      override receive(message: Message): Answer {
        const { payload } = message;
        const isSpoilt = this.#hasRefused && payload.length > this.qp.mtu;
        const answer = super.receive(isSpoilt ? { ...message, payload: blank(payload, 0, 1) } : message);
        this.#hasRefused = answer.kind === 'rnr';
        return answer;
      }
    },
  });
  assert.ok(await isFoundHere(forgetful));
});

it('a datagram may fill its packet', async () => {
  const dropping = (): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      protected override ignores(message: Message): boolean {
        return super.ignores(message) || (this.qp.isUd && message.payload.length >= this.qp.mtu);
      }
    },
  });
  assert.ok(await isFoundHere(dropping));
});

describe('lengths that take more than 16 bits', () => {
  it('are reported', async () => {
    const short = (): Partial<Parts> => ({
      Completions: class extends soundParts.Completions {
        protected override receivedBytes(message: Message): number {
          return super.receivedBytes(message) & 0xffff;
        }
      },
    });
    assert.ok(await isFoundHere(short));
  });

  it('arrive', async () => {
    const half = taking((payload) => (payload.length > 0xffff ? blank(payload, 0xffff, payload.length) : payload));
    assert.ok(await isFoundHere(half));
  });
});
