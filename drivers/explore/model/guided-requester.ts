import type { Parts } from '../../sim/device/device';
import type { WcStatus } from '../../sim/cq/completions';
import type { NoReceive } from '../../sim/qp/message';
import type { Posted } from '../../sim/qp/requester';
import { lengthOf, operations, type SendRequest } from '../../sim/qp/work-request';
import type { Attempt, Conclude } from '../../sim/qp/transmitter';
import type { Guide } from './guide';
import { sqDrained } from './guided-events';

/** The end of a time that was set before the reset takes one of the tries after it. No page has a clause about it. */
export const timeoutOutlivesReset = 'a request after a reset, with a retry_cnt of 0';

/** Virtual microseconds by which a try is late that lets others be first. */
const lateTryUs = 50;

/** Requesters that say which sends they have done. */
function toldRequester(of: Parts, guide: Guide): Parts['Requester'] {
  return class extends of.Requester {
    protected override makesCqe(wr: SendRequest, status: WcStatus): boolean {
      const hasCqe = super.makesCqe(wr, status);
      if (status !== 'IBV_WC_SUCCESS') return hasCqe;
      guide.unheardAnswers.see(this.qp, guide.epoch, { wr, hasCqe });
      if (operations[wr.opcode].data === 'answered') guide.heldBuffers.awaitAnswer(this.qp.qpNum, wr, guide.epoch);
      return hasCqe;
    }
  };
}

/** Requesters that may be late where they try again. */
function lateRequester(of: Parts, guide: Guide): Parts['Requester'] {
  return class extends toldRequester(of, guide) {
    /** A peer is asked again after the time that it has named, or later: what others send meanwhile may be there first. */
    protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
      guide.waited.add(this.qp.qpNum);
      if (!guide.schedule.triesLate.has(this.qp.qpNum)) {
        super.waitForReceive(whenPosted, posted);
        return;
      }
      guide.ledger.take('late-try');
      super.waitForReceive((again) => {
        whenPosted(() => {
          this.qp.device.clock.schedule(lateTryUs, again);
        });
      }, posted);
    }
  };
}

/** Requesters for which the time of an answer may be running from before a reset. */
function timedRequester(of: Parts, guide: Guide): Parts['Requester'] {
  return class extends lateRequester(of, guide) {
    /** By then a request has left, and an answer is not there yet; of a message of several packets the last ones need not have left. */
    protected override attempt(posted: Posted, conclude: Conclude): void {
      const { opcode, sgList } = posted.wr;
      const [isLong, isAnswered] = [lengthOf(sgList) > this.qp.mtu, operations[opcode].data === 'answered'];
      if ((isLong || isAnswered) && guide.timeouts.mayEndAt(this.qp) && this.#endsByTimeout()) {
        if (isAnswered) this.#deliverOnly(posted);
        this.giveUp(posted);
      } else super.attempt(posted, conclude);
    }

    #deliverOnly(posted: Posted): void {
      guide.unheardSends.add(posted.wr);
      super.attempt(posted, () => undefined);
    }

    protected override take(posted: Posted, attempt: Attempt): void {
      if (guide.timeouts.endsAt(this.qp) && this.#endsByTimeout()) this.giveUp(posted);
      else super.take(posted, attempt);
    }

    #endsByTimeout(): boolean {
      const { retryCnt = 0 } = this.qp.attr;
      if (!this.qp.isReliable || retryCnt > 0) return false;
      return guide.givesUp(timeoutOutlivesReset) && guide.excuses(timeoutOutlivesReset);
    }
  };
}

/** Requesters of a device that is known to tell more than it was asked for, or to take a request for unanswered. */
export function guidedRequester(of: Parts, guide: Guide): Pick<Parts, 'Requester'> {
  return {
    Requester: class extends timedRequester(of, guide) {
      /** Known devices raise the event whether it was asked for or not. */
      protected override get tellsDrained(): boolean {
        if (super.tellsDrained || this.qp.state !== 'IBV_QPS_SQD') return super.tellsDrained;
        return guide.isKnownFor(sqDrained);
      }

      /** When the send that is in progress was begun, in virtual microseconds. */
      #begunAt = 0;

      /** What others have posted later may be there first. */
      protected override get leavesInUs(): number {
        if (guide.schedule.overtaken !== this.qp.qpNum) return super.leavesInUs;
        guide.ledger.take('overtaken-send');
        return super.leavesInUs + lateTryUs;
      }

      override pump(): void {
        const before = this.inProgress;
        super.pump();
        if (this.inProgress === undefined) return;
        if (this.inProgress !== before) this.#begunAt = this.qp.device.clock.nowUs;
        guide.begunAt.set(this.qp, guide.epoch);
        guide.lastSends.set(this.qp, this.inProgress.wr);
        guide.timeouts.start(this.qp);
        guide.unheard.set(this.qp, this);
      }

      get count(): number {
        return this.inProgress === undefined ? 0 : this.sends.length;
      }

      /** Of what comes behind a send that the peer does not take, it takes nothing either. */
      deliver(count: number): void {
        const unheard = this.inProgress === undefined ? [] : this.sends.slice(0, count);
        if (unheard.length > 0) guide.ledger.take('flushed-though-done');
        for (const [index, posted] of unheard.entries()) {
          if (index > 0) this.begin();
          this.attempt(posted, () => undefined);
        }
      }

      override checkDrained(): void {
        this.#holdUnbegun();
        super.checkDrained();
      }

      /** A send after whose post no time has passed need not have begun: then it waits in IBV_QPS_SQD as those behind it do. */
      #holdUnbegun(): void {
        const { state, device } = this.qp;
        const [first] = this.sends;
        if (state !== 'IBV_QPS_SQD' || first === undefined || first !== this.inProgress) return;
        if (device.clock.nowUs !== this.#begunAt) return;
        guide.sawUnbegun = true;
        if (!guide.schedule.holdsUnbegun) return;
        guide.ledger.take('unbegun-send');
        this.sends[0] = { ...first };
        this.inProgress = undefined;
      }
    },
  };
}
