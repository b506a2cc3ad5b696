import type { AsyncEvent, AsyncElement, AsyncEventType } from '../async/async-events';
import type { Cq } from '../cq/cq';
import type { Variants } from './variant';

/** Microseconds until an event reaches the program. */
const lateUs = 200;

/** What a device does in another order, or later. */
export const variants: Variants = {
  'comp-events-come-late': {
    does: 'a completion event comes 200 microseconds after the CQE that made it',
    because: 'no page says how soon an event follows its CQE',
    parts: (of) => ({
      CompChannel: class extends of.CompChannel {
        override add(cq: Cq): void {
          this.context.device.clock.schedule(lateUs, () => {
            if (this.cqs.has(cq)) super.add(cq);
          });
        }
      },
    }),
  },
  'async-events-come-late': {
    does: 'an asynchronous event of a QP, an SRQ or a port comes 200 microseconds after its cause',
    because: 'no page says how soon an event follows its cause',
    parts: (of) => ({
      Context: class extends of.Context {
        override raise(eventType: AsyncEventType, element: AsyncElement): void {
          this.device.clock.schedule(lateUs, () => {
            super.raise(eventType, element);
          });
        }
      },
    }),
  },
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
    because: 'pages promise the order of the CQEs of one queue, and a QP has two',
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
