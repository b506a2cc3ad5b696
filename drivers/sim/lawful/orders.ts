import type { AsyncEvent } from '../async/async-events';
import type { Cqe } from '../cq/cq';
import type { Parts } from '../device/device';
import type { Variant, Variants } from './variant';

/** Microseconds in which nothing shows which of two CQEs came first. */
const atOnceUs = 5;

/** A CQE stands before the one that came microseconds before it, if nothing orders the two. */
function changingPlaces(does: string, because: string, isFree: (last: Cqe, newest: Cqe) => boolean): Variant {
  return {
    does,
    because,
    parts: (of: Parts) => ({
      Cq: class extends of.Cq {
        override add(cqe: Cqe): void {
          const before = this.cqes.length;
          super.add(cqe);
          const [last, newest] = this.cqes.slice(-2);
          if (this.cqes.length <= Math.max(1, before) || last === undefined || newest === undefined) return;
          if (newest.atUs - last.atUs <= atOnceUs && isFree(last, newest)) this.cqes.splice(-2, 2, newest, last);
        }
      },
    }),
  };
}

const ofQueues = 'pages promise the order of the CQEs of one queue, and a QP has two';

/** What a device does in another order. */
export const variants: Variants = {
  'cqes-of-different-qps-change-places': changingPlaces(
    'a CQE stands before the one of another QP that came microseconds before it',
    'pages promise the order of the CQEs of one queue, not of several',
    (last, newest) => last.wc.qpNum !== newest.wc.qpNum,
  ),
  'queues-of-a-qp-change-places': changingPlaces(
    'the CQE of a send stands before the one of a receive of the same QP that came microseconds before it, and the other way round',
    ofQueues,
    (last, newest) => last.queue !== newest.queue,
  ),
  'async-events-of-different-objects-change-places': {
    does: 'of asynchronous events that wait, those of the object that came last are given first',
    because: 'no page promises an order of the events of different objects',
    parts: (of) => ({
      AsyncEvents: class extends of.AsyncEvents {
        override add(event: AsyncEvent): void {
          super.add(event);
          const isOwn = ({ element }: AsyncEvent): boolean => element === event.element;
          this.events = [...this.events.filter(isOwn), ...this.events.filter((one) => !isOwn(one))];
        }
      },
    }),
  },
  'receives-are-flushed-first': {
    does: 'of a QP that is in the error state, the receives are flushed before the sends',
    because: ofQueues,
    parts: (of) => ({
      Qp: class extends of.Qp {
        protected override flush(): void {
          for (const wr of this.receives.takeAll()) this.failReceive(wr, 'IBV_WC_WR_FLUSH_ERR');
          super.flush();
        }
      },
    }),
  },
};
