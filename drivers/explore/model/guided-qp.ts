import type { QpAttr, RecvWr, TraceStruct } from '../../contract';
import type { Parts } from '../../sim/device/device';
import { leadsTo, takesSends } from '../../sim/qp/states';
import type { SendRequest } from '../../sim/qp/work-request';
import { demand } from '../../sim/refusal';
import type { Guide } from './guide';
import { workFlushesReceives } from './late-receives';

/** A receive that is posted to a QP in IBV_QPS_ERR is flushed only when the QP is moved there again. No page has a clause about it. */
export const lateReceiveStays = 'a receive that is posted in IBV_QPS_ERR';

/**
 * A send queue that was reset with a request under way does not drain any more, and nothing that is sent from it afterwards
 * can be foreseen. No page has a clause about it.
 */
export const resetQueueNeverDrains = 'a QP in IBV_QPS_SQD that was reset after a send';

/** QPs that tell what counts by ibv_query_qp(3). */
function queriedQp(of: Parts): Parts['Qp'] {
  return class extends of.Qp {
    /** Members that were set since the QP was made or reset. */
    readonly #set = new Set<string>();

    override modify(attr: QpAttr): void {
      super.modify(attr);
      for (const member of Object.keys(attr)) this.#set.add(member);
      if (attr.qpState === 'IBV_QPS_RESET') this.#set.clear();
    }

    /** What was set, as long as the QP works: which members count in other states, the page does not say. */
    override query(): TraceStruct {
      const works = this.state !== 'IBV_QPS_ERR' && this.state !== 'IBV_QPS_RESET';
      const told = Object.entries(super.query()).filter(
        ([name]) => name === 'qpState' || name === 'sqDraining' || (works && this.#set.has(name)),
      );
      return Object.fromEntries(told);
    }
  };
}

/** QPs that may say that they have failed, and those of a device that is known to be wrong about them. */
export function guidedQp(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Qp: class extends queriedQp(of) {
      override enterError(): void {
        if (this.state !== 'IBV_QPS_ERR') {
          const { failures = 0, told = [] } = guide.failedQps.get(this) ?? {};
          guide.failedQps.set(this, { failures: failures + 1, told });
        }
        super.enterError();
      }

      override postRecv(wrs: readonly RecvWr[]): void {
        if (this.state === 'IBV_QPS_ERR' && this.#leavesReceives()) guide.lateReceives.post(this, wrs);
        else super.postRecv(wrs);
      }

      override postSend(wrs: readonly SendRequest[]): void {
        if (guide.resetWithSends.has(this)) guide.isBeyond = guide.excuses(resetQueueNeverDrains);
        if (!takesSends(this.state)) this.#takeTooEarly();
        super.postSend(wrs);
        if (this.state === 'IBV_QPS_ERR' && guide.isKnownFor(workFlushesReceives)) guide.lateReceives.flush(this);
      }

      /** Whether a QP takes sends before it can send them, no page says; what becomes of them is not known. */
      #takeTooEarly(): void {
        if (guide.observed?.returned !== 0) return;
        guide.ledger.take('send-too-early');
        guide.isBeyond = true;
      }

      override modify(attr: QpAttr): void {
        demand(leadsTo(this.state, attr.qpState ?? this.state), 'EINVAL');
        const isUnderWay = this.device.clock.pending > 0;
        if (attr.qpState === 'IBV_QPS_SQD' && this.state !== 'IBV_QPS_SQD') guide.drains.set(this, guide.epoch);
        if (attr.qpState === 'IBV_QPS_ERR' && guide.schedule.deliversFlushed) guide.deliveries.get(this)?.();
        if (attr.qpState === 'IBV_QPS_RESET' && this.requester.hasSends) guide.resetWithSends.add(this);
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_ERR') {
          if (isUnderWay) this.#flushAtOnce();
          super.postRecv(guide.lateReceives.takeAll(this));
        } else if (attr.qpState === 'IBV_QPS_RESET') {
          guide.lateReceives.takeAll(this);
          guide.timeouts.reset(this);
        }
      }

      /** A device may flush them with what it flushes at that moment. */
      #leavesReceives(): boolean {
        const mayStillFlush = this.device.clock.pending > 0;
        if (mayStillFlush && !guide.givesUp(lateReceiveStays)) return false;
        return guide.excuses(lateReceiveStays);
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
