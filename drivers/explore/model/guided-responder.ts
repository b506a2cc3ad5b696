import type { RecvWr, Sge } from '../../contract';
import type { Parts } from '../../sim/device/device';
import { silence, type Answer, type Message } from '../../sim/qp/message';
import type { Guide } from './guide';
import { workFlushesReceives } from './known/late-receives';
import { responderOfShortReceives } from './known/short-receives';

/** Responders that drop or refuse what pages leave open how. */
function choosyResponder(of: Parts, guide: Guide): Parts['Responder'] {
  return class extends of.Responder {
    /** Whether a QP takes datagrams of another Q_Key, no page says; what it does not take changes nothing. */
    protected override ignores(message: Message): boolean {
      if (!super.ignores(message)) return false;
      guide.sawOtherQkey = true;
      if (guide.schedule.takesOtherQkeys) guide.ledger.take('other-qkey');
      return !guide.schedule.takesOtherQkeys;
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
    Responder: class extends responderOfShortReceives({ ...of, Responder: choosyResponder(of, guide) }, guide) {
      override receive(message: Message): Answer {
        guide.delivered = message;
        const { overruns } = guide;
        const { isDeaf } = this;
        const isHeard = this.qp.isUd || guide.everConnected.has(this.qp);
        if (isHeard && this.qp.state === 'IBV_QPS_ERR' && guide.isKnownFor(workFlushesReceives))
          guide.lateReceives.flush(this.qp);
        const before = isDeaf ? undefined : this.qp.receives.first;
        const { opcode, invalidateRkey } = message.wr;
        if (before !== undefined && opcode === 'IBV_WR_SEND_WITH_INV')
          guide.seeInvalidation(this.qp.device.memory.boundWindow(this.qp, invalidateRkey));
        const answer = super.receive(message);
        guide.delivered = undefined;
        if (!isDeaf && answer.kind !== 'ack' && answer.kind !== 'access-error')
          guide.partial.see(this.qp, message, before);
        if (answer.kind === 'operation-error' && before !== undefined) this.#seeRefused(message, before);
        if (guide.overruns === overruns) return answer;
        guide.lostReceives += 1;
        const { failsAtOverrun } = guide.schedule;
        if (failsAtOverrun === 0 || guide.lostReceives < failsAtOverrun) return answer;
        guide.ledger.take('qp-of-overrun-cq');
        guide.seeFailureByPeer(this.qp);
        this.qp.enterError();
        return silence;
      }

      #seeRefused(message: Message, receive: RecvWr): void {
        const { device, pd } = this.qp;
        const mayWrite = (sge: Sge): boolean => device.memory.local(pd, sge, 'IBV_ACCESS_LOCAL_WRITE') !== undefined;
        const wrong = receive.sgList.findIndex((sge) => !mayWrite(sge));
        guide.partial.seeRefused(message, receive, Math.max(wrong, 0));
      }
    },
  };
}
