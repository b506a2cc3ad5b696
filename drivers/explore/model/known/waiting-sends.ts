import type { Parts } from '../../../sim/device/device';
import type { NoReceive } from '../../../sim/qp/message';
import type { Posted } from '../../../sim/qp/requester';
import type { Attempt } from '../../../sim/qp/transmitter';
import { lengthOf, operations, type SendRequest } from '../../../sim/qp/work-request';
import type { Guide } from '../guide';

/** Tries that a peer without a receive has answered count as unanswered. No page has a clause about it. */
export const rnrTimesOut = 'a send with an rnr_retry of 7 that waits for a receive';

/**
 * What follows a request without a receive counts as a sign that one was lost, and takes one of its tries. No page has a
 * clause about it.
 */
export const rnrIsLoss = 'requests behind one that waits for a receive, with a retry_cnt of 0';

/**
 * What follows a request is begun before that is done, and once more with each try of it: if it fails by itself, or is a
 * binding or an invalidation, which fails the second time, all are flushed. No page has a clause about it.
 */
export const followingIsFlushed = 'requests behind one that is tried again, of which one fails by itself';

/** Virtual microseconds until the peer has answered what follows a request. */
const nextUs = 1;

/** Requesters of a device that is known to begin what follows with each try of a request. */
function pipelinedRequester(of: Parts, guide: Guide): Parts['Requester'] {
  return class extends of.Requester {
    #tried: Posted | undefined;

    override post(wr: SendRequest): void {
      super.post(wr);
      const { inProgress } = this;
      if (inProgress !== undefined && inProgress === this.#tried && this.#fails(wr)) this.#endWithFollowing(inProgress);
    }

    protected override take(posted: Posted, attempt: Attempt): void {
      if (attempt.kind !== 'done') this.#see(posted);
      super.take(posted, attempt);
    }

    /** It is going to be tried again. */
    #see(posted: Posted): void {
      if (this.#tried !== posted && this.sends.slice(1).some(({ wr }) => this.#fails(wr)))
        this.#endWithFollowing(posted);
      this.#tried = posted;
    }

    #endWithFollowing(waiting: Posted): void {
      if (!guide.givesUp(followingIsFlushed)) return;
      this.qp.device.clock.schedule(nextUs, () => {
        if (waiting === this.inProgress && guide.excuses(followingIsFlushed)) this.#flush();
      });
    }

    /** What is tried again at that moment may still reach the peer. */
    #flush(): void {
      guide.sawWorkAtError = true;
      guide.deliverUnheard(this.qp);
      this.qp.enterError();
    }

    /** Whether a request fails without the peer, at once or when it is begun again. */
    #fails({ opcode, sgList, sendFlags }: SendRequest): boolean {
      const { data } = operations[opcode];
      if (data === 'none') return true;
      if (sendFlags.includes('IBV_SEND_INLINE')) return false;
      const { device, pd } = this.qp;
      const right = data === 'answered' ? 'IBV_ACCESS_LOCAL_WRITE' : undefined;
      return sgList.some((sge) => device.memory.local(pd, sge, right) === undefined);
    }
  };
}

/** Requesters of a device that is known to give up sends that wait for a receive. */
export function waitingSends(of: Parts, guide: Guide): Pick<Parts, 'Requester'> {
  return {
    Requester: class extends pipelinedRequester(of, guide) {
      #waiting: Posted | undefined;
      /** Whether what follows a request ends it; that is so for each try of it, or for none. */
      readonly #losses = new WeakMap<Posted, boolean>();

      override post(wr: SendRequest): void {
        super.post(wr);
        const waiting = this.#waiting;
        if (waiting === undefined || waiting !== this.inProgress || !this.#canBeLoss(waiting)) return;
        if (guide.givesUp(rnrIsLoss)) this.#giveUpIn(nextUs, waiting, rnrIsLoss);
      }

      protected override take(posted: Posted, attempt: Attempt): void {
        if (attempt.kind === 'rnr') this.#waiting = posted;
        if (attempt.kind === 'rnr' && this.#isLostBy(posted) && guide.excuses(rnrIsLoss)) this.giveUp(posted);
        else super.take(posted, attempt);
      }

      #isLostBy(posted: Posted): boolean {
        const before = this.#losses.get(posted);
        if (before !== undefined || !this.#canBeLoss(posted)) return before ?? false;
        const isLost = guide.givesUp(rnrIsLoss);
        this.#losses.set(posted, isLost);
        return isLost;
      }

      /** Whether it is given up for what follows it: another request, or more packets of the same. */
      #canBeLoss({ wr }: Posted): boolean {
        const { isReliable, attr, mtu } = this.qp;
        const isFollowed = this.sends.length > 1 || lengthOf(wr.sgList) > mtu;
        return isFollowed && isReliable && (attr.retryCnt ?? 0) === 0;
      }

      protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
        super.waitForReceive(whenPosted, posted);
        this.#waiting = posted;
        const { timeout = 0, retryCnt = 0 } = this.qp.attr;
        if (timeout !== 0 && guide.givesUp(rnrTimesOut))
          this.#giveUpIn((retryCnt + 1) * this.qp.device.answerWaitUs(timeout), posted, rnrTimesOut);
      }

      #giveUpIn(us: number, posted: Posted, known: string): void {
        this.qp.device.clock.schedule(us, () => {
          if (posted !== this.inProgress || !guide.excuses(known)) return;
          if (known === rnrIsLoss) this.#giveUpLost(posted);
          else this.giveUp(posted);
        });
      }

      /** What is tried again at that moment may still reach the peer. */
      #giveUpLost(posted: Posted): void {
        guide.sawWorkAtError = true;
        guide.deliverUnheard(this.qp);
        this.giveUp(posted);
      }
    },
  };
}
