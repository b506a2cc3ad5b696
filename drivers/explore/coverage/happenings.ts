import type { RecvWr } from '../../contract';
import type { AsyncEvent } from '../../sim/async/async-events';
import type { WcStatus } from '../../sim/cq/completions';
import type { Cq, Cqe } from '../../sim/cq/cq';
import type { Parts } from '../../sim/device/device';
import { Mr, type RemoteAccess } from '../../sim/mr/memory';
import type { Message } from '../../sim/qp/message';
import type { Qp } from '../../sim/qp/qp';
import type { SendRequest } from '../../sim/qp/work-request';
import type { SeeCell } from './cell';
import { insideCq, limitOf, rightsOf, shortType } from './inside';
import { nameOfState, stateOfCq, stateOfFile, stateOfSrq, type Beside } from './states';

/** The classes in which something happens without a call: completions, events, access of a peer to memory. */
export function happenings(base: Parts, beside: Beside, see: SeeCell): Partial<Parts> {
  return {
    Cq: cqs(base, see),
    CompChannel: channels(base, beside, see),
    AsyncEvents: asyncEvents(base, beside, see),
    Srq: srqs(base, see),
    MemoryTable: memoryTables(base, see),
    Qp: qps(base, see),
    Requester: requesters(base),
  };
}

function cqs(base: Parts, see: SeeCell): Parts['Cq'] {
  return class extends base.Cq {
    #isAdding = false;
    #hasFired = false;

    override add(cqe: Cqe): void {
      // What takes the place of the oldest is added while it is added.
      if (this.#isAdding) {
        super.add(cqe);
        return;
      }
      const { overrun: wasOverrun, cqes } = insideCq(this);
      const before = { state: stateOfCq(this), isFull: cqes.length >= this.capacity };
      this.#isAdding = true;
      this.#hasFired = false;
      super.add(cqe);
      this.#isAdding = false;
      const outcome = wasOverrun ? 'is lost' : this.overrun ? 'overruns' : this.#outcome(before.isFull);
      see({ kind: 'CQ', state: before.state, operation: `a CQE comes, ${classOf(cqe)}`, outcome });
    }

    #outcome(wasFull: boolean): string {
      const event = this.#hasFired ? (this.channel === undefined ? 'no channel' : 'event') : 'no event';
      return wasFull ? `replaces the oldest, ${event}` : event;
    }

    protected override fire(): void {
      if (this.#isAdding) this.#hasFired = true;
      else see({ kind: 'CQ', state: stateOfCq(this), operation: 'a period of moderation ends', outcome: 'event' });
      super.fire();
    }
  };
}

function classOf({ wc, solicitedEvent }: Cqe): string {
  return wc.status !== 'IBV_WC_SUCCESS' ? 'failed' : solicitedEvent ? 'solicited' : 'not solicited';
}

function channels(base: Parts, beside: Beside, see: SeeCell): Parts['CompChannel'] {
  return class extends base.CompChannel {
    override add(cq: Cq): void {
      const state = stateOfFile(this, beside);
      see({ kind: 'completion channel', state, operation: 'an event comes', outcome: comes(state) });
      super.add(cq);
    }
  };
}

const comes = (state: string): string => (state.includes('a get waits') ? 'for the get' : 'stays');

function asyncEvents(base: Parts, beside: Beside, see: SeeCell): Parts['AsyncEvents'] {
  return class extends base.AsyncEvents {
    override add(event: AsyncEvent): void {
      const state = stateOfFile(this, beside);
      const outcome = this.forgotten.has(event.element) ? 'its object has ended' : comes(state);
      see({ kind: 'context', state, operation: `${event.eventType} comes`, outcome });
      super.add(event);
    }
  };
}

function srqs(base: Parts, see: SeeCell): Parts['Srq'] {
  return class extends base.Srq {
    override take(): RecvWr | undefined {
      const state = stateOfSrq(this);
      const before = limitOf(this);
      const wr = super.take();
      const taken = wr === undefined ? 'there is none' : 'done';
      const outcome = before > 0 && limitOf(this) === 0 ? `${taken}, IBV_EVENT_SRQ_LIMIT_REACHED` : taken;
      see({ kind: 'SRQ', state, operation: 'a message takes a receive', outcome });
      return wr;
    }
  };
}

function memoryTables(base: Parts, see: SeeCell): Parts['MemoryTable'] {
  return class extends base.MemoryTable {
    override remote(qp: Qp, rkey: number, addr: bigint, length: number, access: RemoteAccess): Uint8Array | undefined {
      const found = this.mrs.get(rkey);
      const bytes = super.remote(qp, rkey, addr, length, access);
      const state = found instanceof Mr ? `region ${rightsOf(found)}` : this.#window(qp, rkey);
      const operation = `${access.replace('IBV_ACCESS_REMOTE_', '').toLowerCase()} by a peer`;
      see({ kind: 'memory', state, operation, outcome: bytes === undefined ? 'refused' : 'done' });
      return bytes;
    }

    #window(qp: Qp, rkey: number): string {
      return this.boundWindow(qp, rkey) === undefined ? 'no such R_Key' : 'window, bound';
    }
  };
}

interface SeeingQp {
  seeSend(wr: SendRequest, outcome: string): void;
}

function qps(base: Parts, see: SeeCell): Parts['Qp'] {
  return class extends base.Qp implements SeeingQp {
    readonly #postedIn = new WeakMap<SendRequest, string>();

    override postSend(wrs: readonly SendRequest[]): void {
      for (const wr of wrs) this.#postedIn.set(wr, nameOfState(this));
      super.postSend(wrs);
    }

    override completeSend(wr: SendRequest, status: WcStatus, byteLen = 0): void {
      this.seeSend(wr, status);
      super.completeSend(wr, status, byteLen);
    }

    seeSend(wr: SendRequest, outcome: string): void {
      const state = `${shortType(this.init.qpType)}, posted in ${this.#postedIn.get(wr) ?? ''}`;
      for (const operation of kindsOf(wr, this.init.sqSigAll)) see({ kind: 'work request', state, operation, outcome });
    }

    override completeReceive(wr: RecvWr, message: Message): void {
      this.#seeReceive(message.wr.opcode);
      super.completeReceive(wr, message);
    }

    override failReceive(wr: RecvWr, status: WcStatus): void {
      this.#seeReceive(status);
      super.failReceive(wr, status);
    }

    #seeReceive(outcome: string): void {
      const { qpType, srq } = this.init;
      const state = `${shortType(qpType)}, ${srq === undefined ? 'its own queue' : 'SRQ'}`;
      see({ kind: 'work request', state, operation: 'a receive', outcome });
    }
  };
}

/** What a send WR is, once by its opcode and once by each of its flags. */
function kindsOf({ opcode, sendFlags }: SendRequest, sqSigAll: boolean): string[] {
  const isSignaled = sqSigAll || sendFlags.includes('IBV_SEND_SIGNALED');
  const flags = sendFlags.filter((flag) => flag !== 'IBV_SEND_SIGNALED');
  return [`${opcode}, ${isSignaled ? 'signaled' : 'not signaled'}`, ...flags.map((flag) => `a send with ${flag}`)];
}

function requesters(base: Parts): Parts['Requester'] {
  return class extends base.Requester {
    protected override makesCqe(wr: SendRequest, status: WcStatus): boolean {
      const makes = super.makesCqe(wr, status);
      if (!makes) (this.qp as unknown as SeeingQp).seeSend(wr, 'no CQE');
      return makes;
    }
  };
}
