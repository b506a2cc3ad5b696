import { CompChannel } from '../comp-channel';
import { Cq } from '../cq';
import type { Fault } from '../faults';

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
  override beginGet(): void {
    if (!this.readable) for (const cq of this.cqs) cq.countTaken();
    super.beginGet();
  }
}

const page = 'ibv_get_cq_event';

/** Planted faults of the rules of ibv_get_cq_event(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'destroy-does-not-wait': {
    rules: [`${page}.destroy-waits-for-acks`],
    effect: 'destroying a CQ does not wait for acks',
    parts: { Cq: DestroyDoesNotWait },
  },
  'any-ack-releases': {
    rules: [`${page}.destroy-waits-for-acks`],
    effect: 'the first ack is taken for all',
    parts: { Cq: AnyAckReleases },
  },
  'destroy-misses-the-ack': {
    rules: [`${page}.destroy-resumes-on-ack`],
    effect: 'an ack does not wake the destroy that waits',
    parts: { Cq: DestroyMissesTheAck },
  },
  'ack-call-counts-once': {
    rules: [`${page}.acks-match-gets`],
    effect: 'an ack of several events counts as one',
    parts: { Cq: AckCallCountsOnce },
  },
  'untaken-event-is-owed': {
    rules: [`${page}.acks-match-gets`],
    effect: 'an event is owed an ack before it is taken',
    parts: { CompChannel: UntakenEventIsOwed },
  },
  'empty-get-is-owed': {
    rules: [`${page}.acks-match-gets`],
    effect: 'a get that fails is owed an ack',
    parts: { CompChannel: EmptyGetIsOwed },
  },
};
