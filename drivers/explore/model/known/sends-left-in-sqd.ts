import type { Parts } from '../../../sim/device/device';
import type { NoReceive } from '../../../sim/qp/message';
import type { Posted } from '../../../sim/qp/requester';
import type { Conclude } from '../../../sim/qp/transmitter';
import type { SendRequest } from '../../../sim/qp/work-request';
import type { Guide } from '../guide';
import { sqDrained } from '../guided-events';

/** What waits for a receive when its QP is moved to IBV_QPS_SQD counts as not begun there. No page has a clause about it. */
export const waitingSendStays = 'a send that waits for a receive in IBV_QPS_SQD';

/** Requesters of a device that is known to leave such sends until something else is posted. */
export function sendsLeftInSqd(of: Parts, guide: Guide): Pick<Parts, 'Requester'> {
  return {
    Requester: class extends of.Requester {
      #waiting: Posted | undefined;
      #left: Posted | undefined;
      #tryAgain: () => void = () => undefined;

      override post(wr: SendRequest): void {
        super.post(wr);
        if (this.#left === undefined || this.qp.state !== 'IBV_QPS_RTS') return;
        this.#left = undefined;
        this.#tryAgain();
      }

      protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
        super.waitForReceive((tryAgain) => {
          this.#tryAgain = tryAgain;
          whenPosted(() => {
            if (posted !== this.#left) tryAgain();
          });
        }, posted);
        this.#waiting = posted;
        this.#leave();
      }

      /** One that is to be tried again at this moment waits where the QP is moved back before that. */
      protected override attempt(posted: Posted, conclude: Conclude): void {
        if (posted !== this.#left) super.attempt(posted, conclude);
      }

      override checkDrained(): void {
        super.checkDrained();
        this.#tellAgain();
        this.#leave();
      }

      /** Who raises the event unasked may do so each time the QP is moved there. */
      #tellAgain(): void {
        if (this.#left === undefined || this.#left !== this.inProgress || !guide.isKnownFor(sqDrained)) return;
        if (this.tellsDrained) this.drained();
      }

      #leave(): void {
        const { inProgress } = this;
        if (inProgress === undefined || inProgress !== this.#waiting || inProgress === this.#left) return;
        if (this.qp.state !== 'IBV_QPS_SQD' || !guide.givesUp(waitingSendStays)) return;
        guide.excuses(waitingSendStays);
        this.#left = inProgress;
        if (this.tellsDrained) this.drained();
      }
    },
  };
}
