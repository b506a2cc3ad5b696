import { Random } from '../../sim/network/random';

/** What is left to chance in a program; the same seed gives the same. */
export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.#random.next() * end);
  }

  /** A whole number from `first` to `last`. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  happens(probability: number): boolean {
    return this.#random.happens(probability);
  }

  /** One of several, or `undefined` if there is none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** One of several of which there is one at least. */
  one<T>(first: T, ...others: readonly T[]): T {
    return this.pick(others.length === 0 ? [first] : [first, ...others]) ?? first;
  }

  /** Those that happen to be taken. */
  some<T>(items: readonly T[], probability: number): T[] {
    return items.filter(() => this.happens(probability));
  }

  /** One of several, the more often the more it weighs. */
  weighted<T>(items: readonly (readonly [T, number])[]): T | undefined {
    let left = this.#random.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return items.at(-1)?.[0];
  }
}

/** The seed of the program of that number. */
export function seedOf(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(index + 1, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4_eb2f);
  return mixed ^ (mixed >>> 13);
}
