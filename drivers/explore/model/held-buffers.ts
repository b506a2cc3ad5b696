import type { RecvWr } from '../../contract';
import type { Cqe } from '../../sim/cq/cq';
import type { SendRequest } from '../../sim/qp/work-request';
import type { LooseName } from './looseness';

interface Range {
  readonly addr: bigint;
  readonly length: number;
}

const endOf = ({ addr, length }: Range): bigint => addr + BigInt(length);

/** Where what was asked of a peer is put: it may still be on its way as long as not all is known to have happened. */
interface Answer {
  readonly range: Range;
  readonly epoch: number;
  readonly qpNum: number;
  /** The first one of its QP that came with it or after it. */
  cqe?: Cqe;
}

/** Memory that belongs to the device: of receives that are done and whose CQEs nobody has taken, and of answers. */
export class HeldBuffers {
  readonly #held = new Map<Cqe, readonly Range[]>();
  #answers: Answer[] = [];
  /** Where bytes of such memory have come to, or others that nobody knows. */
  readonly #copies: Range[] = [];

  hold(cqe: Cqe, { sgList }: RecvWr): void {
    this.#held.set(cqe, sgList);
  }

  /** Where a QP has its answer put. */
  awaitAnswer(qpNum: number, { sgList }: Pick<SendRequest, 'sgList'>, epoch: number): void {
    this.#answers.push(...sgList.map((range) => ({ range, epoch, qpNum })));
  }

  /** A QP tells of a send: what it has asked for before is there once that is heard. */
  tell(cqe: Cqe): void {
    for (const answer of this.#answers) if (answer.qpNum === cqe.wc.qpNum) answer.cqe ??= cqe;
  }

  release(cqe: Cqe): void {
    this.#held.delete(cqe);
    this.#answers = this.#answers.filter((answer) => answer.cqe !== cqe);
  }

  /** What is in that memory is not known from now on. */
  forget(ranges: readonly Range[]): void {
    this.#copies.push(...ranges);
  }

  /** What lies from an address on is copied. */
  copy(from: bigint, to: readonly Range[], epoch: number): void {
    let source = from;
    for (const { addr, length } of to) {
      for (const held of this.#ranges(epoch)) {
        const first = source > held.addr ? source : held.addr;
        const end = Math.min(Number(endOf(held) - first), Number(source - first) + length);
        if (end > 0) this.#copies.push({ addr: addr + first - source, length: end });
      }
      source += BigInt(length);
    }
  }

  /** Why nobody knows the byte at an address, if it is so. */
  reasonAt(at: bigint, epoch: number): LooseName | undefined {
    const isThere = (range: Range): boolean => at >= range.addr && at < endOf(range);
    if (this.#answersOf(epoch).some(isThere)) return 'pending-answer';
    return this.#ranges(epoch).some(isThere) ? 'held-buffer' : undefined;
  }

  #answersOf(epoch: number): readonly Range[] {
    return this.#answers.filter((answer) => answer.epoch === epoch).map(({ range }) => range);
  }

  #ranges(epoch: number): readonly Range[] {
    return [...[...this.#held.values()].flat(), ...this.#answersOf(epoch), ...this.#copies];
  }
}
