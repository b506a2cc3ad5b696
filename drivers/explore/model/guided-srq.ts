import type { RecvWr, SrqAttr } from '../../contract';
import type { Parts } from '../../sim/device/device';
import { postUpTo, Refusal } from '../../sim/refusal';
import { numberIn, type Guide } from './guide';
import { firstBeyond } from './guided-qp';

/** SRQs that hold what those of the device do, as that tells when it makes them, or else as they were asked to. */
export function guidedSrq(of: Parts, guide: Guide): Pick<Parts, 'Srq'> {
  return {
    Srq: class extends of.Srq {
      #holds = numberIn(guide.observed?.outputs, 'maxWr') ?? Infinity;

      override modify(attr: Partial<SrqAttr>): void {
        const holds = attr.maxWr ?? this.#holds;
        this.#refuseLimitBeyond(holds, attr);
        super.modify(attr);
        this.#holds = holds;
        if ((attr.srqLimit ?? 0) > this.length) this.#tellAtOnce();
      }

      /** Whether a limit may be more than what there can be, no page says. */
      #refuseLimitBeyond(holds: number, { srqLimit = 0 }: Partial<SrqAttr>): void {
        if (srqLimit <= holds || (guide.observed?.returned ?? 0) === 0) return;
        guide.ledger.take('may-refuse');
        throw new Refusal('EINVAL');
      }

      /** Whether an SRQ tells so that holds less than the limit already when that is set, no page says. */
      #tellAtOnce(): void {
        guide.sawHighLimit = true;
        if (!guide.schedule.limitsAtOnce) return;
        guide.ledger.take('high-limit');
        this.reachLimit();
      }

      override post(wrs: readonly RecvWr[]): void {
        postUpTo(wrs, this.#firstWithoutRoom(wrs.length), (taken) => {
          super.post(taken);
        });
      }

      /** An SRQ may take more than it was asked to hold, and none of what is more. */
      #firstWithoutRoom(count: number): number {
        const room = this.#holds - this.length;
        return room >= count || guide.observed?.returned === 0 ? -1 : firstBeyond(guide, room, count);
      }
    },
  };
}
