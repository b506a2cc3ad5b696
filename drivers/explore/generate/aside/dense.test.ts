import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Program } from '../../../programs/program';
import { SimBackend } from '../../../sim/backend';
import { soundParts, type Parts } from '../../../sim/device/device';
import { simulatedDut } from '../../../sim/device/dut';
import type { Message } from '../../../sim/qp/message';
import type { Srq } from '../../../sim/srq/srq';
import { Explorer } from '../../explorer';
import { makesSense } from '../../sound';
import { Chance } from '../chance';
import type { Move } from '../moves/move';
import { openDevice } from '../objects';
import { ProgramIsOver, Walk } from '../walk';
import { endUnheard, keepQueues } from './busy';
import { useOverAndOver } from './dense';

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
  for (const make of [useOverAndOver, keepQueues, endUnheard])
    it(`makes sense: ${make.name}`, async () => {
      const seeds = [...Array.from({ length: 20 }, (_, at) => at + 1), 105, 171];
      for (const seed of seeds) assert.ok(await makesSense(await programOf(make, seed)), `seed ${seed}`);
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
    assert.ok(await isFound(remembering, useOverAndOver, 80));
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
