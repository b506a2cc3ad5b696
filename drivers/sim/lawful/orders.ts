import type { AsyncEvent, AsyncElement, AsyncEventType } from '../async/async-events';
import type { Cq } from '../cq/cq';
import { Mr } from '../mr/memory';
import type { Answer, Message } from '../qp/message';
import type { Qp, QpInit } from '../qp/qp';
import type { Parts } from '../device/device';
import type { Variants } from './variant';

/** Microseconds until an event reaches the program. */
const lateUs = 200;

/** What a device does in another order, or later, and which numbers and bytes it has where no page says which. */
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
  'qp-numbers-are-used-again': {
    does: 'the number of a QP that has been destroyed is that of the next one',
    because: 'the number of a QP has 24 bits, and no page says which it is',
    parts: (of) => ({
      Device: class extends of.Device {
        readonly #free: number[] = [];

        override createQp(init: QpInit): Qp {
          const qpNum = this.#free.shift();
          if (qpNum === undefined) return super.createQp(init);
          const qp = new this.parts.Qp(this, qpNum, init);
          this.qps.set(qpNum, qp);
          return qp;
        }

        override beginDestroyQp(qp: Qp): void {
          super.beginDestroyQp(qp);
          this.#free.push(qp.qpNum);
        }
      },
    }),
  },
  'keys-are-used-again': {
    does: 'the keys of memory that has been deregistered are those of the next region',
    because: 'ibv_reg_mr(3) does not say which keys a region has',
    parts: (of) => ({
      MemoryTable: class extends of.MemoryTable {
        readonly #free: number[] = [];

        override register(
          ...[pd, addr, length, access]: Parameters<InstanceType<Parts['MemoryTable']>['register']>
        ): Mr {
          const key = this.#free.shift();
          if (key === undefined) return super.register(pd, addr, length, access);
          const mr = new Mr(pd, addr, this.at(addr, length), key, new Set(access));
          this.mrs.set(key, mr);
          return mr;
        }

        override deregister(mr: Mr): void {
          super.deregister(mr);
          this.#free.push(mr.key);
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
  'header-of-ipv4': {
    does: 'the first 20 of the 40 bytes before a datagram hold anything',
    because: 'over IPv4 the header has 20 bytes, which stand in the last ones',
    parts: (of) => ({
      Responder: class extends of.Responder {
        override receive(message: Message): Answer {
          if (message.grh.length === 0) return super.receive(message);
          return super.receive({ ...message, grh: message.grh.map((_, index) => (index < 20 ? 0xa5 : 0x45)) });
        }
      },
    }),
  },
};
