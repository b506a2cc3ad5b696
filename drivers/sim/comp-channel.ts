import { demand } from './refusal';
import type { Cq } from './cq';

/** A completion channel: ibv_create_comp_channel(3). */
export class CompChannel {
  /** CQs that are bound to the channel. */
  readonly cqs = new Set<Cq>();
  nonblocking = false;
  #events: Cq[] = [];

  add(cq: Cq): void {
    this.#events.push(cq);
  }

  /** Takes the oldest event; `undefined` when a get would have to wait for one. */
  take(): Cq | undefined {
    const cq = this.#events.shift();
    if (cq === undefined) {
      demand(!this.nonblocking, 'EAGAIN');
      return undefined;
    }
    cq.countTaken();
    return cq;
  }

  get readable(): boolean {
    return this.#events.length > 0;
  }

  /** Events that nobody took die with their CQ. */
  forget(cq: Cq): void {
    this.#events = this.#events.filter((event) => event !== cq);
    this.cqs.delete(cq);
  }

  destroy(): void {
    demand(this.cqs.size === 0, 'EBUSY');
  }
}
