import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../sim/device/device';
import type { Answer, Message } from '../../../sim/qp/message';
import type { SendRequest } from '../../../sim/qp/work-request';
import type { Srq } from '../../../sim/srq/srq';
import { isFound, programOf } from '../../fixtures/alone';
import { makesSense } from '../../sound';
import { qkey } from '../objects';
import { endUnheard, keepQueues } from './lives/busy';
import { useOverAndOver } from './dense';
import { sendSolicited, sendWhatIsRead } from './kinds';
import { throughTheRegion } from './memory/keys';
import { liveTwice, useUpQueues } from './lives/lives';

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

  it('goes on after a list that was refused', async () => {
    const offended = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #isOffended = false;
        #refuses = false;

        override postSend(...posted: Parameters<typeof soundParts.Qp.prototype.postSend>): void {
          if (!this.#isOffended) super.postSend(...posted);
          this.#isOffended ||= this.#refuses;
        }

        override firstTooLarge(...asked: Parameters<typeof soundParts.Qp.prototype.firstTooLarge>): number {
          const first = super.firstTooLarge(...asked);
          this.#refuses = first >= 0;
          return first;
        }
      },
    });
    assert.ok(await isFound(offended, useOverAndOver, 60));
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

describe('an SRQ that is destroyed in vain', () => {
  it('has what it held', async () => {
    const hasty = (): Partial<Parts> => ({
      Srq: class extends soundParts.Srq {
        override beginDestroy(): void {
          this.wrs.splice(0);
          super.beginDestroy();
        }
      },
    });
    assert.ok(await isFound(hasty, keepQueues, 20));
  });
});

describe('a QP that lives twice', () => {
  it('begins at the PSN of each life', async () => {
    const remembering = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #first: number | undefined;

        override modify(attr: Parameters<typeof soundParts.Qp.prototype.modify>[0]): void {
          this.#first ??= attr.rqPsn;
          super.modify(attr.rqPsn === undefined || this.#first === undefined ? attr : { ...attr, rqPsn: this.#first });
        }
      },
    });
    assert.ok(await isFound(remembering, liveTwice, 20));
  });
});

describe('a region that others may only read', () => {
  it('need not be written by its owner either', async () => {
    const strict = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        override remote(
          ...[qp, rkey, ...others]: Parameters<typeof soundParts.MemoryTable.prototype.remote>
        ): ReturnType<typeof soundParts.MemoryTable.prototype.remote> {
          const mr = this.mrs.get(rkey);
          if (mr !== undefined && !mr.access.has('IBV_ACCESS_LOCAL_WRITE')) return undefined;
          return super.remote(qp, rkey, ...others);
        }
      },
    });
    assert.ok(await isFound(strict, throughTheRegion, 60));
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

it('the payload of a datagram goes on where its header ends, though that is in the midst of an entry', async () => {
  const rounding = (): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      override receive(message: Message): Answer {
        const { sgList = [] } = this.qp.receives.first ?? {};
        const answer = super.receive(message);
        const [first, second] = sgList;
        if (!this.qp.isUd || answer.kind !== 'ack' || !first || !second || first.length >= message.grh.length)
          return answer;
        const payload = message.payload.subarray(0, second.length);
        this.qp.device.memory.at(second.addr, payload.length).set(payload);
        return answer;
      }
    },
  });
  assert.ok(await isFound(rounding, sendSolicited, 100));
});
