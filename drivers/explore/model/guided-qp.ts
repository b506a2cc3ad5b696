import type { QpAttr, RecvWr } from '../../contract';
import type { Parts } from '../../sim/device/device';
import type { SendRequest } from '../../sim/qp/work-request';
import type { Guide } from './guide';
import { workFlushesReceives } from './late-receives';

/** A receive that is posted to a QP in IBV_QPS_ERR is flushed only when the QP is moved there again. No page has a clause about it. */
export const lateReceiveStays = 'a receive that is posted in IBV_QPS_ERR';

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

      override postSend(wrs: readonly SendRequest[]): void {
        super.postSend(wrs);
        if (this.state === 'IBV_QPS_ERR' && guide.isKnownFor(workFlushesReceives)) guide.lateReceives.flush(this);
      }

      override modify(attr: QpAttr): void {
        const isUnderWay = this.device.clock.pending > 0;
        if (attr.qpState === 'IBV_QPS_SQD' && this.state !== 'IBV_QPS_SQD') guide.drains.set(this, guide.epoch);
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_ERR') {
          if (isUnderWay) this.#flushAtOnce();
          super.postRecv(guide.lateReceives.takeAll(this));
        } else if (attr.qpState === 'IBV_QPS_RESET') {
          guide.lateReceives.takeAll(this);
          guide.timeouts.reset(this);
        }
      }

      #flushAtOnce(): void {
        guide.sawWorkAtError = true;
        if (!guide.schedule.flushesAtOnce) return;
        guide.ledger.take('flush-at-once');
        this.flush();
      }
    },
  };
}
