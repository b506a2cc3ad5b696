/** Numbers that look random and are the same for the same seed: the generator Mulberry32. */
export class Random {
  #state: number;

  /** @param seed - a whole number; its lower 32 bits count */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number of [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** Whether something happens that has this probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A positive number of an exponential distribution. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }
}
