import { Cq, type Cqe, type NotifyRequest } from '../cq';
import type { Fault } from '../faults';

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

const page = 'ibv_req_notify_cq';

/** Planted faults of the rules of ibv_req_notify_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'stays-armed': {
    rules: [`${page}.one-shot`],
    effect: 'a request is not spent by its event',
    parts: { Cq: StaysArmed },
  },
  'ack-arms': { rules: [`${page}.silent-until-rearmed`], effect: 'an ack arms the CQ', parts: { Cq: AckArms } },
  'poll-arms': { rules: [`${page}.silent-until-rearmed`], effect: 'a poll arms the CQ', parts: { Cq: PollArms } },
  'arms-once': { rules: [`${page}.rearm-restores`], effect: 'a CQ can be armed only once', parts: { Cq: ArmsOnce } },
  'needs-ack-to-arm': {
    rules: [`${page}.rearm-restores`],
    effect: 'a CQ with an unacknowledged event cannot be armed',
    parts: { Cq: NeedsAckToArm },
  },
  'backlog-notifies': {
    rules: [`${page}.existing-cqe-ignored`],
    effect: 'arming a CQ that is not empty adds an event',
    parts: { Cq: BacklogNotifies },
  },
  'banks-requests': {
    rules: [`${page}.repeat-next-noop`],
    effect: 'each repeated request buys an event',
    parts: { Cq: BanksRequests },
  },
  'repeat-disarms': {
    rules: [`${page}.repeat-next-noop`],
    effect: 'the second equal request takes the first one back',
    parts: { Cq: RepeatDisarms },
  },
  'unsolicited-spends': {
    rules: [`${page}.nonzero-survives-unsolicited`],
    effect: 'any CQE spends a request for solicited CQEs',
    parts: { Cq: UnsolicitedSpends },
  },
  'solicited-bit-lost': {
    rules: [`${page}.solicited-recv-send`],
    effect: 'no successful receive is solicited',
    parts: { Cq: SolicitedBitLost },
  },
  'every-receive-solicited': {
    rules: [`${page}.unsolicited-recv-success`, `${page}.nonzero-survives-unsolicited`],
    effect: 'every receive is solicited',
    parts: { Cq: EveryReceiveSolicited },
  },
  'first-request-wins': {
    rules: [`${page}.solicited-then-next`, `${page}.mixed-single-event`],
    effect: 'a pending request cannot be changed',
    parts: { Cq: FirstRequestWins },
  },
  'last-request-wins': {
    rules: [`${page}.next-then-solicited`, `${page}.mixed-single-event`],
    effect: 'the last request replaces the pending one',
    parts: { Cq: LastRequestWins },
  },
  'mixed-requests-fire-apart': {
    rules: [`${page}.mixed-single-event`],
    effect: 'requests of both kinds are answered one by one',
    parts: { Cq: MixedRequestsFireApart },
  },
};
