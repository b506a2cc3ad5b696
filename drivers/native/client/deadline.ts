import type { Starvation } from '../../support/starvation';

/** Parts of a deadline, after each of which it is looked at whether the machine of the host could run. */
const parts = 10;

/** A deadline lasts so many times as long at most, however little the machine could run. */
const timesMax = 10;

/** A time in which the machine of a host could run: what it lost to other processes of this one does not count. */
export class Deadline {
  readonly #partMs: number;
  #leftMs: number;
  #looksLeft = parts * timesMax;
  readonly #measure: (() => Starvation) | undefined;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Begins it.
   *
   * @param measure - begins to measure how long the machine of the host cannot run; without it, it always can
   */
  constructor(ms: number, measure: (() => Starvation) | undefined, onOver: () => void) {
    this.#partMs = ms / parts;
    this.#leftMs = ms;
    this.#measure = measure;
    this.#onOver = onOver;
    // Most calls return within the first part, for which nothing is measured.
    this.#wait(undefined);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #wait(starvation: Starvation | undefined): void {
    this.#timer = setTimeout(() => {
      this.#leftMs -= this.#partMs - Math.min(this.#partMs, starvation?.() ?? 0);
      this.#looksLeft -= 1;
      // Sums of parts may be off by a rounding.
      if (this.#leftMs < 1 || this.#looksLeft === 0) this.#onOver();
      else this.#wait(this.#measure?.());
    }, this.#partMs);
  }
}
