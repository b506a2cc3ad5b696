import { CompChannel } from './comp-channel';
import { Cq, type Cqe, type NotifyRequest } from './cq';
import { AsyncEvent } from './async-events';
import { soundParts, type Parts } from './device';

/** A planted departure of the simulator from one rule: the scenarios of that rule have to notice it. */
export interface Fault {
  /** Clause ids of the rules that it breaks. */
  readonly rules: readonly string[];
  /** What goes wrong. */
  readonly effect: string;
  readonly parts: Partial<Parts>;
}

class StaysArmed extends Cq {
  protected override spendRequest(): void {
    // The request outlives its event.
  }
}

class AckArms extends Cq {
  override acknowledge(nevents: number): void {
    super.acknowledge(nevents);
    this.notify('any');
  }
}

class PollArms extends Cq {
  override poll(numEntries: number): Cqe[] {
    const cqes = super.poll(numEntries);
    if (cqes.length > 0) this.notify('any');
    return cqes;
  }
}

class ArmsOnce extends Cq {
  #armed = false;

  override notify(scope: NotifyRequest): void {
    if (this.#armed && this.request === undefined) return;
    this.#armed = true;
    super.notify(scope);
  }
}

class NeedsAckToArm extends Cq {
  override notify(scope: NotifyRequest): void {
    if (this.compEvents.none) super.notify(scope);
  }
}

class BacklogNotifies extends Cq {
  override notify(scope: NotifyRequest): void {
    super.notify(scope);
    if (this.cqes.length === 0) return;
    this.spendRequest();
    this.channel?.add(this);
  }
}

class BanksRequests extends Cq {
  #banked = 0;

  override notify(scope: NotifyRequest): void {
    if (this.request !== undefined) this.#banked += 1;
    super.notify(scope);
  }

  protected override spendRequest(): void {
    if (this.#banked === 0) super.spendRequest();
    else this.#banked -= 1;
  }
}

class RepeatDisarms extends Cq {
  override notify(scope: NotifyRequest): void {
    if (this.request === scope) this.request = undefined;
    else super.notify(scope);
  }
}

class UnsolicitedSpends extends Cq {
  override add(cqe: Cqe): void {
    super.add(cqe);
    this.request = undefined;
  }
}

class SolicitedBitLost extends Cq {
  protected override isSolicited(cqe: Cqe): boolean {
    return cqe.wc.status !== 'IBV_WC_SUCCESS';
  }
}

class EveryReceiveSolicited extends Cq {
  protected override isSolicited(): boolean {
    return true;
  }
}

class FirstRequestWins extends Cq {
  protected override combine(pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
    return pending ?? asked;
  }
}

class LastRequestWins extends Cq {
  protected override combine(_pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
    return asked;
  }
}

class MixedRequestsFireApart extends Cq {
  #both = false;

  override notify(scope: NotifyRequest): void {
    this.#both ||= this.request !== undefined && this.request !== scope;
    super.notify(scope);
  }

  protected override spendRequest(): void {
    this.request = this.#both ? 'solicited' : undefined;
    this.#both = false;
  }
}

class DestroyDoesNotWait extends Cq {
  override get destroyable(): boolean {
    return true;
  }
}

class AnyAckReleases extends Cq {
  #acked = false;

  override acknowledge(nevents: number): void {
    super.acknowledge(nevents);
    this.#acked = true;
  }

  override get destroyable(): boolean {
    return this.#acked || super.destroyable;
  }
}

class DestroyMissesTheAck extends Cq {
  #looked = false;

  override get destroyable(): boolean {
    if (!this.#looked) {
      this.#looked = true;
      return super.destroyable;
    }
    return false;
  }
}

class AckCallCountsOnce extends Cq {
  override acknowledge(): void {
    super.acknowledge(1);
  }
}

class UntakenEventIsOwed extends CompChannel {
  override add(cq: Cq): void {
    super.add(cq);
    cq.countTaken();
  }
}

class EmptyGetIsOwed extends CompChannel {
  override take(): Cq | undefined {
    if (!this.readable) for (const cq of this.cqs) cq.countTaken();
    return super.take();
  }
}

class OverrunIsSilent extends Cq {
  protected override fail(): void {
    this.overrun = true;
  }
}

class OverrunNamesAnother extends Cq {
  static readonly #all: Cq[] = [];

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    OverrunNamesAnother.#all.push(this);
  }

  protected override fail(): void {
    this.overrun = true;
    const other = OverrunNamesAnother.#all.filter((cq) => cq !== this).at(-1) ?? this;
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', other));
  }
}

class OverrunOneEarly extends Cq {
  override add(cqe: Cqe): void {
    super.add(cqe);
    if (this.cqes.length === this.capacity && !this.overrun) this.fail();
  }
}

class OverrunIsForgotten extends Cq {
  protected override fail(): void {
    super.fail();
    this.overrun = false;
  }
}

const req = 'ibv_req_notify_cq';
const get = 'ibv_get_cq_event';
const poll = 'ibv_poll_cq';

/** The planted faults by name. */
export const faults: Readonly<Record<string, Fault>> = {
  'stays-armed': {
    rules: [`${req}.one-shot`],
    effect: 'a request is not spent by its event',
    parts: { Cq: StaysArmed },
  },
  'ack-arms': { rules: [`${req}.silent-until-rearmed`], effect: 'an ack arms the CQ', parts: { Cq: AckArms } },
  'poll-arms': { rules: [`${req}.silent-until-rearmed`], effect: 'a poll arms the CQ', parts: { Cq: PollArms } },
  'arms-once': { rules: [`${req}.rearm-restores`], effect: 'a CQ can be armed only once', parts: { Cq: ArmsOnce } },
  'needs-ack-to-arm': {
    rules: [`${req}.rearm-restores`],
    effect: 'a CQ with an unacknowledged event cannot be armed',
    parts: { Cq: NeedsAckToArm },
  },
  'backlog-notifies': {
    rules: [`${req}.existing-cqe-ignored`],
    effect: 'arming a CQ that is not empty adds an event',
    parts: { Cq: BacklogNotifies },
  },
  'banks-requests': {
    rules: [`${req}.repeat-next-noop`],
    effect: 'each repeated request buys an event',
    parts: { Cq: BanksRequests },
  },
  'repeat-disarms': {
    rules: [`${req}.repeat-next-noop`],
    effect: 'the second equal request takes the first one back',
    parts: { Cq: RepeatDisarms },
  },
  'unsolicited-spends': {
    rules: [`${req}.nonzero-survives-unsolicited`],
    effect: 'any CQE spends a request for solicited CQEs',
    parts: { Cq: UnsolicitedSpends },
  },
  'solicited-bit-lost': {
    rules: [`${req}.solicited-recv-send`],
    effect: 'no successful receive is solicited',
    parts: { Cq: SolicitedBitLost },
  },
  'every-receive-solicited': {
    rules: [`${req}.unsolicited-recv-success`, `${req}.nonzero-survives-unsolicited`],
    effect: 'every receive is solicited',
    parts: { Cq: EveryReceiveSolicited },
  },
  'first-request-wins': {
    rules: [`${req}.solicited-then-next`, `${req}.mixed-single-event`],
    effect: 'a pending request cannot be changed',
    parts: { Cq: FirstRequestWins },
  },
  'last-request-wins': {
    rules: [`${req}.next-then-solicited`, `${req}.mixed-single-event`],
    effect: 'the last request replaces the pending one',
    parts: { Cq: LastRequestWins },
  },
  'mixed-requests-fire-apart': {
    rules: [`${req}.mixed-single-event`],
    effect: 'requests of both kinds are answered one by one',
    parts: { Cq: MixedRequestsFireApart },
  },
  'destroy-does-not-wait': {
    rules: [`${get}.destroy-waits-for-acks`],
    effect: 'destroying a CQ does not wait for acks',
    parts: { Cq: DestroyDoesNotWait },
  },
  'any-ack-releases': {
    rules: [`${get}.destroy-waits-for-acks`],
    effect: 'the first ack is taken for all',
    parts: { Cq: AnyAckReleases },
  },
  'destroy-misses-the-ack': {
    rules: [`${get}.destroy-resumes-on-ack`],
    effect: 'an ack does not wake the destroy that waits',
    parts: { Cq: DestroyMissesTheAck },
  },
  'ack-call-counts-once': {
    rules: [`${get}.acks-match-gets`],
    effect: 'an ack of several events counts as one',
    parts: { Cq: AckCallCountsOnce },
  },
  'untaken-event-is-owed': {
    rules: [`${get}.acks-match-gets`],
    effect: 'an event is owed an ack before it is taken',
    parts: { CompChannel: UntakenEventIsOwed },
  },
  'empty-get-is-owed': {
    rules: [`${get}.acks-match-gets`],
    effect: 'a get that fails is owed an ack',
    parts: { CompChannel: EmptyGetIsOwed },
  },
  'overrun-is-silent': {
    rules: [`${poll}.overrun-async-event`],
    effect: 'an overrun raises no event',
    parts: { Cq: OverrunIsSilent },
  },
  'overrun-names-another': {
    rules: [`${poll}.overrun-async-event`],
    effect: 'the event of an overrun names another CQ',
    parts: { Cq: OverrunNamesAnother },
  },
  'overrun-one-early': {
    rules: [`${poll}.overrun-async-event`],
    effect: 'a CQ that is just full counts as overrun',
    parts: { Cq: OverrunOneEarly },
  },
  'overrun-is-forgotten': {
    rules: [`${poll}.overrun-cq-unusable`],
    effect: 'a CQ works on after an overrun',
    parts: { Cq: OverrunIsForgotten },
  },
};

/** The classes of the simulator with a fault among them. */
export function partsWith(fault: Fault): Parts {
  return { ...soundParts, ...fault.parts };
}
