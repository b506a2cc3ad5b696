import type { QpAttr, RecvWr } from '../../contract';
import type { Parts } from '../../sim/device/device';
import type { NoReceive } from '../../sim/qp/message';
import type { Posted } from '../../sim/qp/requester';
import type { Guide } from './guide';
import { sqDrained } from './guided-events';

/** A receive that is posted to a QP in IBV_QPS_ERR is flushed only when the QP is moved there again. No page has a clause about it. */
export const lateReceiveStays = 'a receive that is posted in IBV_QPS_ERR';

/** Tries that a peer without a receive has answered count as unanswered. No page has a clause about it. */
export const rnrTimesOut = 'a send with an rnr_retry of 7 that waits for a receive';

/** So many waits for a receive are told apart; all later ones end as the last of them. */
export const toldWaitsMax = 4;

/** QPs that may say that they have failed, and those of a device that is known to be wrong about them. */
export function guidedQp(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Qp: class extends of.Qp {
      override enterError(): void {
        if (this.state !== 'IBV_QPS_ERR') {
          const { failures = 0, told = [] } = guide.failedQps.get(this) ?? {};
          guide.failedQps.set(this, { failures: failures + 1, told });
        }
        super.enterError();
      }

      override postRecv(wrs: readonly RecvWr[]): void {
        if (this.state === 'IBV_QPS_ERR' && guide.excuses(lateReceiveStays)) guide.lateReceives.post(this, wrs);
        else super.postRecv(wrs);
      }

      override modify(attr: QpAttr): void {
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_ERR') super.postRecv(guide.lateReceives.takeAll(this));
        else if (attr.qpState === 'IBV_QPS_RESET') guide.lateReceives.takeAll(this);
      }
    },
    Requester: class extends of.Requester {
      /** Known devices raise the event whether it was asked for or not. */
      protected override get tellsDrained(): boolean {
        if (super.tellsDrained || this.qp.state !== 'IBV_QPS_SQD') return super.tellsDrained;
        return guide.isKnownFor(sqDrained);
      }

      override pump(): void {
        super.pump();
        if (this.inProgress !== undefined) guide.lastSends.set(this.qp, this.inProgress.wr);
      }

      protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
        super.waitForReceive(whenPosted, posted);
        const { timeout = 0, retryCnt = 0 } = this.qp.attr;
        if (timeout === 0 || !guide.isKnownFor(rnrTimesOut)) return;
        if (guide.schedule.endlessWaits.has(Math.min(guide.rnrWaits++, toldWaitsMax - 1))) return;
        const { clock } = this.qp.device;
        clock.schedule((retryCnt + 1) * this.qp.device.answerWaitUs(timeout), () => {
          if (posted === this.inProgress && guide.excuses(rnrTimesOut)) this.giveUp(posted);
        });
      }
    },
  };
}
