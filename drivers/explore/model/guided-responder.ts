import type { Parts } from '../../sim/device/device';
import { ack, silence, type Answer, type Message } from '../../sim/qp/message';
import type { Guide } from './guide';
import { withinCqe } from './guided-memory';
import { workFlushesReceives } from './known/late-receives';
import { knownForStatus, statusOfErrors } from './known/other-status';

/** It fails the receive, and so the QP, where it should be dropped. No page has a clause about it. */
export const shortDatagramFails = 'a datagram that is longer than its receive';

const knowsShortDatagrams = (guide: Guide): boolean =>
  guide.isKnownFor(statusOfErrors) || guide.isKnownFor(shortDatagramFails);

/** Responders that drop or refuse what pages leave open how. */
function choosyResponder(of: Parts, guide: Guide): Parts['Responder'] {
  return class extends of.Responder {
    /** What a QP does with datagrams of another Q_Key, no page says. */
    protected override ignores(message: Message): boolean {
      const ignores = super.ignores(message);
      if (ignores) guide.goBeyond('other-qkey');
      return ignores;
    }

    /** What a QP of UC does then, no page says. */
    protected override refuse(): Answer {
      if (!this.qp.isReliable) {
        guide.sawViolation = true;
        if (guide.schedule.dropsViolations) {
          guide.ledger.take('violation-of-uc');
          return silence;
        }
      }
      guide.seeFailureByPeer(this.qp);
      if (guide.delivered?.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM') this.#seeRefusedImmediate();
      return super.refuse();
    }

    /** How the receive ends that it would have taken, no page says; nor what comes of it where the QP has none of its own. */
    #seeRefusedImmediate(): void {
      const { init, receives } = this.qp;
      const isOwn = init.srq === undefined;
      if (isOwn && receives.first !== undefined) guide.refusedReceives.add(receives.first.wrId);
      else guide.goBeyond('refused-immediate');
    }

    protected override fail(...args: Parameters<InstanceType<Parts['Responder']>['fail']>): Answer {
      guide.seeFailureByPeer(this.qp);
      return super.fail(...args);
    }

    /** By which status its peer hears of it, no page says. */
    protected override refuseOperation(): Answer {
      for (const [{ qpNum }, { wrId }] of guide.lastSends)
        if (qpNum === guide.delivered?.srcQpNum) guide.forbiddenSends.add(wrId);
      return super.refuseOperation();
    }
  };
}

/** Responders that may hand small messages over within the CQE, or fail at an overrun, as a schedule says. */
export function guidedResponder(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Responder: class extends choosyResponder(of, guide) {
      override receive(message: Message): Answer {
        guide.delivered = message;
        const { overruns } = guide;
        const { isDeaf } = this;
        if (this.qp.state === 'IBV_QPS_ERR' && guide.isKnownFor(workFlushesReceives)) guide.lateReceives.flush(this.qp);
        const before = isDeaf ? undefined : this.qp.receives.first;
        const { opcode, invalidateRkey } = message.wr;
        if (before !== undefined && opcode === 'IBV_WR_SEND_WITH_INV')
          guide.seeInvalidation(this.qp.device.memory.boundWindow(this.qp, invalidateRkey));
        const answer = super.receive(message);
        guide.delivered = undefined;
        if (!isDeaf && answer.kind !== 'ack' && answer.kind !== 'access-error')
          guide.partial.see(this.qp, message, before);
        if (guide.overruns === overruns) return answer;
        guide.lostReceives += 1;
        const { failsAtOverrun } = guide.schedule;
        if (failsAtOverrun === 0 || guide.lostReceives < failsAtOverrun) return answer;
        guide.ledger.take('qp-of-overrun-cq');
        guide.seeFailureByPeer(this.qp);
        this.qp.enterError();
        return silence;
      }

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
    },
  };
}
