import type { Parts } from '../../sim/device/device';
import type { NoReceive } from '../../sim/qp/message';
import type { Posted } from '../../sim/qp/requester';
import type { Attempt } from '../../sim/qp/transmitter';
import { lengthOf, type SendRequest } from '../../sim/qp/work-request';
import type { Guide } from './guide';
import { sqDrained } from './guided-events';

/** Tries that a peer without a receive has answered count as unanswered. No page has a clause about it. */
export const rnrTimesOut = 'a send with an rnr_retry of 7 that waits for a receive';

/**
 * What follows a request without a receive counts as a sign that one was lost, and takes one of its tries. No page has a
 * clause about it.
 */
export const rnrIsLoss = 'requests behind one that waits for a receive, with a retry_cnt of 0';

/** The end of a time that was set before the reset takes one of the tries after it. No page has a clause about it. */
export const timeoutOutlivesReset = 'a request after a reset, with a retry_cnt of 0';

/** What waits for a receive when its QP is moved to IBV_QPS_SQD counts as not begun there. No page has a clause about it. */
export const waitingSendStays = 'a send that waits for a receive in IBV_QPS_SQD';

/** Virtual microseconds until the peer has answered what follows a request. */
const nextUs = 1;

/** Requesters of a device that is known to give sends up to which the peer has not refused anything. */
export function guidedRequester(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Requester: class extends of.Requester {
      #waiting: Posted | undefined;
      #tryAgain: () => void = () => undefined;
      /** What is not tried again until something else is posted. */
      #left: Posted | undefined;

      /** Known devices raise the event whether it was asked for or not. */
      protected override get tellsDrained(): boolean {
        if (super.tellsDrained || this.qp.state !== 'IBV_QPS_SQD') return super.tellsDrained;
        return guide.isKnownFor(sqDrained);
      }

      override post(wr: SendRequest): void {
        super.post(wr);
        if (this.#left !== undefined && this.qp.state === 'IBV_QPS_RTS') this.#takeUp();
        const waiting = this.#waiting;
        if (waiting === undefined || waiting !== this.inProgress || !this.#mayBeGivenUp(rnrIsLoss)) return;
        this.#giveUpIn(nextUs, waiting, rnrIsLoss);
      }

      override pump(): void {
        super.pump();
        if (this.inProgress === undefined) return;
        guide.lastSends.set(this.qp, this.inProgress.wr);
        guide.timeouts.start(this.qp);
      }

      protected override take(posted: Posted, attempt: Attempt): void {
        const { wr } = posted;
        const isFirst = guide.timeouts.endsAt(this.qp);
        const isFollowed = attempt.kind === 'rnr' && (this.sends.length > 1 || lengthOf(wr.sgList) > this.qp.mtu);
        if (isFirst && this.#mayBeGivenUp(timeoutOutlivesReset) && guide.excuses(timeoutOutlivesReset))
          this.giveUp(posted);
        else if (isFollowed && this.#mayBeGivenUp(rnrIsLoss) && guide.excuses(rnrIsLoss)) this.giveUp(posted);
        else super.take(posted, attempt);
      }

      protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
        super.waitForReceive((tryAgain) => {
          this.#tryAgain = tryAgain;
          whenPosted(() => {
            if (posted !== this.#left) tryAgain();
          });
        }, posted);
        this.#waiting = posted;
        this.#leaveInSqd();
        const { timeout = 0, retryCnt = 0 } = this.qp.attr;
        if (timeout === 0 || !guide.isKnownFor(rnrTimesOut) || !guide.givesUp()) return;
        this.#giveUpIn((retryCnt + 1) * this.qp.device.answerWaitUs(timeout), posted, rnrTimesOut);
      }

      override checkDrained(): void {
        super.checkDrained();
        this.#leaveInSqd();
      }

      #leaveInSqd(): void {
        const { inProgress } = this;
        if (inProgress === undefined || inProgress !== this.#waiting || inProgress === this.#left) return;
        if (this.qp.state !== 'IBV_QPS_SQD' || !guide.isKnownFor(waitingSendStays) || !guide.givesUp()) return;
        guide.excuses(waitingSendStays);
        this.#left = inProgress;
        if (this.tellsDrained) this.drained();
      }

      #takeUp(): void {
        this.#left = undefined;
        this.#tryAgain();
      }

      #mayBeGivenUp(known: string): boolean {
        const { retryCnt = 0 } = this.qp.attr;
        return this.qp.isReliable && retryCnt === 0 && guide.isKnownFor(known) && guide.givesUp();
      }

      #giveUpIn(us: number, posted: Posted, known: string): void {
        this.qp.device.clock.schedule(us, () => {
          if (posted === this.inProgress && guide.excuses(known)) this.giveUp(posted);
        });
      }
    },
  };
}
