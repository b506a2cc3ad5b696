import type { RecvWr } from '../../contract';
import type { WcStatus } from '../../sim/cq/completions';
import type { Parts } from '../../sim/device/device';
import type { Guide } from './guide';
import { GuidedCq } from './guided-cq';
import { sqDrained } from './guided-events';

/** A receive that is posted to a QP in IBV_QPS_ERR is not flushed. No page has a clause about it. */
export const lateReceiveStays = 'a receive that is posted in IBV_QPS_ERR';

/** QPs of a device that is known to be wrong about them. */
export function guidedQp(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Qp: class extends of.Qp {
      readonly #late = new Set<RecvWr>();

      override postRecv(wrs: readonly RecvWr[]): void {
        if (this.state === 'IBV_QPS_ERR' && guide.isKnownFor(lateReceiveStays))
          for (const wr of wrs) this.#late.add(wr);
        super.postRecv(wrs);
      }

      override enterError(): void {
        if (this.state !== 'IBV_QPS_ERR') guide.failedQps.add(this);
        super.enterError();
      }

      override failReceive(wr: RecvWr, status: WcStatus): void {
        const { recvCq } = this.init;
        if (!this.#late.has(wr) || !(recvCq instanceof GuidedCq)) {
          super.failReceive(wr, status);
          return;
        }
        guide.ledger.excuse(lateReceiveStays);
        const wc = this.completions.failed(wr.wrId, status);
        recvCq.addOptional({ wc, queue: 'receive', solicitedEvent: false, atUs: this.device.clock.nowUs });
      }
    },
    Requester: class extends of.Requester {
      /** Known devices raise the event whether it was asked for or not. */
      protected override get tellsDrained(): boolean {
        if (super.tellsDrained || this.qp.state !== 'IBV_QPS_SQD') return super.tellsDrained;
        return guide.isKnownFor(sqDrained);
      }
    },
  };
}
