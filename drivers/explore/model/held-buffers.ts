import type { RecvWr } from '../../contract';
import type { Cqe } from '../../sim/cq/cq';

interface Range {
  readonly addr: bigint;
  readonly length: number;
}

const endOf = ({ addr, length }: Range): bigint => addr + BigInt(length);

/** The memory of receives that are done and whose CQEs nobody has taken: until then it belongs to the device. */
export class HeldBuffers {
  readonly #held = new Map<Cqe, readonly Range[]>();
  /** Where bytes of such memory have come to, or others that nobody knows. */
  readonly #copies: Range[] = [];

  hold(cqe: Cqe, { sgList }: RecvWr): void {
    this.#held.set(cqe, sgList);
  }

  release(cqe: Cqe): void {
    this.#held.delete(cqe);
  }

  /** What is in that memory is not known from now on. */
  forget(ranges: readonly Range[]): void {
    this.#copies.push(...ranges);
  }

  /** What lies from an address on is copied. */
  copy(from: bigint, to: readonly Range[]): void {
    let source = from;
    for (const { addr, length } of to) {
      for (const held of this.#ranges()) {
        const first = source > held.addr ? source : held.addr;
        const end = Math.min(Number(endOf(held) - first), Number(source - first) + length);
        if (end > 0) this.#copies.push({ addr: addr + first - source, length: end });
      }
      source += BigInt(length);
    }
  }

  /** Whether nobody knows the byte at an address. */
  has(at: bigint): boolean {
    return this.#ranges().some((range) => at >= range.addr && at < endOf(range));
  }

  #ranges(): readonly Range[] {
    return [...[...this.#held.values()].flat(), ...this.#copies];
  }
}
