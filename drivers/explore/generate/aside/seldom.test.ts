import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Program } from '../../../programs/program';
import { SimBackend } from '../../../sim/backend';
import { soundParts, type Parts } from '../../../sim/device/device';
import { simulatedDut } from '../../../sim/device/dut';
import type { Message } from '../../../sim/qp/message';
import type { SendRequest } from '../../../sim/qp/work-request';
import type { Srq } from '../../../sim/srq/srq';
import { Explorer } from '../../explorer';
import { makesSense } from '../../sound';
import { Chance } from '../chance';
import type { Move } from '../moves/move';
import { openDevice, qkey } from '../objects';
import { ProgramIsOver, Walk } from '../walk';
import { endUnheard, keepQueues } from './busy';
import { useOverAndOver } from './dense';
import { sendWhatIsRead } from './kinds';
import { useUpQueues } from './lives';

/** A program that does nothing else. */
async function programOf(make: Move['make'], seed: number): Promise<Program> {
  const w = new Walk(
    new Chance(seed),
    { cqe: 4, receives: 4, batch: 4 },
    new Set(simulatedDut.capabilities),
    new Set(),
  );
  await w.begin();
  try {
    await openDevice(w);
    await make(w);
  } catch (error) {
    if (!(error instanceof ProgramIsOver)) throw error;
  }
  return { version: 1, seed: `${seed}`, ops: w.ops };
}

/** Whether one of so many such programs accuses a device. */
async function isFound(parts: () => Partial<Parts>, make: Move['make'], programs: number): Promise<boolean> {
  for (let seed = 1; seed <= programs; seed++) {
    const device = new SimBackend({ ...soundParts, ...parts() });
    const outcome = await new Explorer(device).examine(await programOf(make, seed));
    if (outcome.kind === 'finding') return true;
  }
  return false;
}

describe('a program of few objects', () => {
  it('reads nothing of a header where a datagram was before', async () => {
    assert.ok(await makesSense(await programOf(useOverAndOver, 2583)));
  });
});

describe('what uses a few objects over and over', () => {
  it('reads a place again that has changed meanwhile', async () => {
    const remembering = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        readonly #read = new Map<string, ReturnType<typeof soundParts.Responder.prototype.receive>>();

        override receive(message: Message): ReturnType<typeof soundParts.Responder.prototype.receive> {
          const { opcode, rdma, length } = message.wr;
          const answer = super.receive(message);
          if (opcode !== 'IBV_WR_RDMA_READ' || answer.kind !== 'ack') return answer;
          const place = `${rdma?.remoteAddr} ${length}`;
          const first = this.#read.get(place) ?? answer;
          this.#read.set(place, first);
          return first;
        }
      },
    });
    assert.ok(await isFound(remembering, useOverAndOver, 400));
  });

  it('sends to a QP of another Q_Key than it had at first', async () => {
    const remembering = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        protected override ignores({ wr }: Message): boolean {
          return this.qp.isUd && wr.qkey !== qkey;
        }
      },
    });
    assert.ok(await isFound(remembering, useOverAndOver, 400));
  });

  it('takes a key back by a message of several packets', async () => {
    const hasty = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        override receive(message: Message): ReturnType<typeof soundParts.Responder.prototype.receive> {
          const isLong = message.payload.length > 1024;
          return super.receive(isLong ? { ...message, wr: { ...message.wr, invalidateRkey: undefined } } : message);
        }
      },
    });
    assert.ok(await isFound(hasty, useOverAndOver, 200));
  });
});

describe('a queue that is used up several times', () => {
  it('is that of an SRQ as well', async () => {
    const losing = (): Partial<Parts> => ({
      Srq: class extends soundParts.Srq {
        #taken = 0;

        override take(): ReturnType<typeof soundParts.Srq.prototype.take> {
          this.#taken += 1;
          return this.#taken === 5 ? (super.take(), super.take()) : super.take();
        }
      },
    });
    assert.ok(await isFound(losing, useUpQueues, 20));
  });
});

describe('a fenced message', () => {
  it('waits for what its memory is read into', async () => {
    const early = (): Partial<Parts> => ({
      Requester: class extends soundParts.Requester {
        override post(wr: SendRequest): void {
          const isEarly = wr.sendFlags.includes('IBV_SEND_FENCE');
          super.post(isEarly ? { ...wr, sendFlags: [...wr.sendFlags, 'IBV_SEND_INLINE'] } : wr);
        }
      },
    });
    assert.ok(await isFound(early, sendWhatIsRead, 10));
  });
});

describe('what stays as long as it is used', () => {
  it('is an SRQ of QPs of any type', async () => {
    const forgetful = (): Partial<Parts> => ({
      Device: class extends soundParts.Device {
        override hasQpOf(srq: Srq): boolean {
          return [...this.qps.values()].some((qp) => qp.init.srq === srq && !qp.isUd);
        }
      },
    });
    assert.ok(await isFound(forgetful, keepQueues, 40));
  });
});

describe('a QP that ends before anybody hears of it', () => {
  it('takes all of its events with it', async () => {
    const loud = (): Partial<Parts> => ({
      AsyncEvents: class extends soundParts.AsyncEvents {
        override forget(element: Parameters<typeof soundParts.AsyncEvents.prototype.forget>[0]): void {
          const last = this.events.filter((event) => event.element === element).slice(1);
          super.forget(element);
          this.events = [...this.events, ...last];
        }
      },
    });
    assert.ok(await isFound(loud, endUnheard, 10));
  });
});
