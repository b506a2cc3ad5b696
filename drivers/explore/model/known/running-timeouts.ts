import type { Qp } from '../../../sim/qp/qp';

/** QPs for which the time of an answer may still be running from before they were reset: those that had sent a request. */
export class RunningTimeouts {
  readonly #sent = new Set<Qp>();
  readonly #reset = new Set<Qp>();

  /** A request is on its way. */
  start(qp: Qp): void {
    this.#sent.add(qp);
  }

  reset(qp: Qp): void {
    if (this.#sent.delete(qp)) this.#reset.add(qp);
  }

  /** Whether such a time may end before a request has been tried. */
  mayEndAt(qp: Qp): boolean {
    return this.#reset.has(qp);
  }

  /** A request has been tried: whether such a time may have ended meanwhile. */
  endsAt(qp: Qp): boolean {
    return this.#reset.delete(qp);
  }
}
