import type { Clock } from '../clock';

/** Gathers completions for one event, until they are enough or have waited long enough: ibv_modify_cq(3). */
export class Moderation {
  cqCount = 1;
  cqPeriodUs = 0;
  protected gathered = 0;
  /** Counts batches, so that the timer of an earlier one does nothing. */
  #batch = 0;

  constructor(readonly clock: Clock) {}

  /** Counts a completion that an event was asked for; `fire` makes the event, now or later. */
  gather(fire: () => void): void {
    this.gathered += 1;
    if (this.gathered === this.cqCount) {
      this.#fire(fire);
    } else if (this.gathered === 1) {
      const batch = this.#batch;
      this.clock.schedule(this.cqPeriodUs, () => {
        if (batch === this.#batch) this.#fire(fire);
      });
    }
  }

  /** What was gathered makes no event any more. */
  forget(): void {
    this.gathered = 0;
    this.#batch += 1;
  }

  #fire(fire: () => void): void {
    this.forget();
    fire();
  }
}
