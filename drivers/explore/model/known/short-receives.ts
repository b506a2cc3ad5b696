import type { Parts } from '../../../sim/device/device';
import { ack, silence, type Answer } from '../../../sim/qp/message';
import type { Guide } from '../guide';
import { withinCqe } from '../guided-memory';
import { knownForStatus, statusOfErrors } from './other-status';

/** It fails the receive, and so the QP, where it should be dropped. No page has a clause about it. */
export const shortDatagramFails = 'a datagram that is longer than its receive';

/** The receive fails with a status for sends, and its QP goes on. No page has a clause about it. */
export const sharedReceiveFails = 'a datagram that is longer than its receive, which is of an SRQ';

const knowsShortDatagrams = (guide: Guide): boolean =>
  guide.isKnownFor(statusOfErrors) || guide.isKnownFor(shortDatagramFails);

/** Responders that deal as a schedule says with receives that are too short. */
export function responderOfShortReceives(of: Parts, guide: Guide): Parts['Responder'] {
  return class extends of.Responder {
    protected override tooLong(length: number, isReliable: boolean): Answer {
      if (!isReliable) return this.#tooLongForUnreliable(length);
      if (length > withinCqe) return super.tooLong(length, isReliable);
      guide.sawSmall = true;
      if (!guide.schedule.isWithinCqe) return super.tooLong(length, isReliable);
      guide.ledger.take('within-cqe');
      const wr = this.qp.receives.take();
      if (wr !== undefined) this.qp.failReceive(wr, 'IBV_WC_LOC_LEN_ERR');
      return ack;
    }

    /** A QP that sends to itself may fail before it knows that the send is done. */
    #failOwnSend(): void {
      const { qp } = this;
      const wr = guide.delivered?.srcQpNum === qp.qpNum ? guide.lastSends.get(qp) : undefined;
      if (wr === undefined) return;
      guide.unsureSends.add(wr.wrId);
      qp.completeSend(wr, 'IBV_WC_WR_FLUSH_ERR');
    }

    #tooLongForUnreliable(length: number): Answer {
      const isShared = this.qp.isUd && this.qp.init.srq !== undefined;
      if (isShared && guide.isKnownFor(sharedReceiveFails)) return this.#tooLongForShared(length);
      // A device that gives these another status may also fail what the specification has it drop.
      const known = knownForStatus(guide, 'IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR');
      if (known === undefined || (this.qp.isUd && !knowsShortDatagrams(guide))) return super.tooLong(length, false);
      guide.sawShort = true;
      if (!guide.schedule.failsShort.includes(this.qp.init.qpType) || !guide.excuses(known))
        return super.tooLong(length, false);
      const answer = this.fail('IBV_WC_LOC_LEN_ERR', 'invalid-request');
      this.#failOwnSend();
      return answer;
    }

    #tooLongForShared(length: number): Answer {
      guide.sawShort = true;
      const isFailing = guide.schedule.failsShort.includes(this.qp.init.qpType) && guide.excuses(sharedReceiveFails);
      const wr = isFailing ? this.qp.receives.take() : undefined;
      if (wr === undefined) return super.tooLong(length, false);
      this.qp.failReceive(wr, 'IBV_WC_REM_INV_REQ_ERR');
      return silence;
    }
  };
}
