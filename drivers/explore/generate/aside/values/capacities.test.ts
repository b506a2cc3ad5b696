import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpCap, RecvWr, TraceStruct } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { Success } from '../../../../sim/return-values';
import type { SendRequest } from '../../../../sim/qp/work-request';
import type { VerbName } from '../../../../verbs';
import { isFound } from '../../../fixtures/alone';
import { makeOfAnySize } from './capacities';

/** A device whose queues hold less than was asked for. */
const holding = (less: (cap: QpCap) => Partial<QpCap>) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    override firstTooLarge(wrs: readonly SendRequest[], cap: QpCap): number {
      return super.firstTooLarge(wrs, { ...cap, ...less(cap) });
    }

    override firstWithoutPlace(wrs: readonly RecvWr[], cap: QpCap): number {
      return super.firstWithoutPlace(wrs, { ...cap, ...less(cap) });
    }
  },
});

/** A device that says that what it makes is smaller than it was asked to be. */
const telling = (verb: VerbName, otherwise: (outputs: TraceStruct) => TraceStruct) => (): Partial<Parts> => ({
  Verbs: class extends soundParts.Verbs {
    override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
      const made = super.call(name, args);
      if (name !== verb || made instanceof Promise) return made;
      return { ...made, outputs: { ...made.outputs, ...otherwise(made.outputs) } };
    }
  },
});

const sized = (name: keyof QpCap, size: number): readonly [string, () => Partial<Parts>] => [
  `${name} ${size}`,
  holding((cap) => (cap[name] === size ? { [name]: size - 1 } : {})),
];

const smaller: readonly (readonly [string, () => Partial<Parts>])[] = [
  sized('maxRecvWr', 1),
  sized('maxRecvWr', 2),
  sized('maxRecvWr', 5),
  sized('maxRecvWr', 64),
  sized('maxSendSge', 2),
  sized('maxSendSge', 3),
  sized('maxRecvSge', 2),
  sized('maxRecvSge', 3),
  sized('maxInlineData', 1),
  sized('maxInlineData', 32),
  sized('maxInlineData', 64),
];

describe('a QP that was asked for', () => {
  for (const [name, parts] of smaller)
    it(`${name} has no less`, async () => {
      assert.ok(await isFound(parts, makeOfAnySize, 60));
    });

  it('so many sends holds the last of them', async () => {
    for (const most of [1, 4, 63]) {
      const drops = (): Partial<Parts> => ({
        Qp: class extends soundParts.Qp {
          #posted = 0;

          override postSend(wrs: readonly SendRequest[]): void {
            const room = most - this.#posted;
            this.#posted += wrs.length;
            super.postSend(wrs.slice(0, Math.max(0, room)));
          }
        },
      });
      assert.ok(await isFound(drops, makeOfAnySize, 60), `${most}`);
    }
  });

  it('many sends comes back with no less', async () => {
    const tells = telling('ibv_create_qp', ({ cap }) => ({ cap: { ...(cap as TraceStruct), maxSendWr: 4 } }));
    assert.ok(await isFound(tells, makeOfAnySize, 60));
  });

  it('long lists gathers and scatters each entry', async () => {
    const loses = (): Partial<Parts> => ({
      Transmitter: class extends soundParts.Transmitter {
        protected override gathered(wr: SendRequest): Uint8Array | undefined {
          const bytes = super.gathered(wr);
          if (wr.sgList.length === 3) bytes?.set([0xff], bytes.length - 1);
          return bytes;
        }
      },
    });
    assert.ok(await isFound(loses, makeOfAnySize, 60));
  });

  it('much inline data sends each byte of it as it was', async () => {
    const misreads = (): Partial<Parts> => ({
      Transmitter: class extends soundParts.Transmitter {
        override attempt(...[wr, inline, conclude]: Parameters<(typeof soundParts.Transmitter.prototype)['attempt']>) {
          super.attempt(wr, inline?.length === 64 ? inline.fill(0, 60) : inline, conclude);
        }
      },
    });
    assert.ok(await isFound(misreads, makeOfAnySize, 60));
  });
});

describe('an SRQ that was asked for', () => {
  it('so many receives holds the last of them', async () => {
    const drops = (): Partial<Parts> => ({
      Srq: class extends soundParts.Srq {
        override post(wrs: readonly RecvWr[]): void {
          super.post(wrs.slice(0, Math.max(0, 4 - this.length)));
        }
      },
    });
    assert.ok(await isFound(drops, makeOfAnySize, 60));
  });

  it('some receives and entries comes back with no less', async () => {
    for (const name of ['maxWr', 'maxSge']) {
      const tells = telling('ibv_create_srq', (made) => ({ [name]: Math.min(Number(made[name]), 2) }));
      assert.ok(await isFound(tells, makeOfAnySize, 60), name);
    }
  });
});
