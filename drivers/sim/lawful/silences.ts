import type { QpAttr } from '../../contract';
import type { Cq, Cqe } from '../cq/cq';
import { silence, type Answer, type Message } from '../qp/message';
import { hasImmediate, isAnswered, isWrite, type Headers } from '../qp/work-request';
import type { Variant, Variants } from './variant';

/** A CQ that can lose the CQEs of a QP. */
interface Forgetting {
  forget(qpNum: number): void;
}

const overrunCqs = new WeakSet<Cq>();

const takesReceive = (wr: Headers): boolean => hasImmediate(wr) || !(isWrite(wr) || isAnswered(wr));

/** Events that a device may raise or not. */
const optionalEvent = (does: string, rule: string, parts: Variant['parts']): Variant => ({
  does,
  because: 'the page says what the event means, and not when a device has to raise it',
  uses: [rule],
  parts,
});

export const variants: Variants = {
  'qp-fatal-of-failed-work': {
    does: 'a QP that goes to the error state because its work failed tells IBV_EVENT_QP_FATAL',
    because: 'the page gives the event to each error by which a QP goes to the error state',
    uses: ['ibv_get_async_event'],
    parts: (of) => ({
      Qp: class extends of.Qp {
        #isMoved = false;

        override modify(attr: QpAttr): void {
          this.#isMoved = true;
          super.modify(attr);
          this.#isMoved = false;
        }

        override enterError(): void {
          if (!this.#isMoved && this.state !== 'IBV_QPS_ERR') this.raise('IBV_EVENT_QP_FATAL');
          super.enterError();
        }
      },
    }),
  },
  'qp-req-err-of-short-receives': {
    does: 'a QP whose receive was too short for its message tells IBV_EVENT_QP_REQ_ERR',
    because: 'the page gives the event to invalid requests, and does not say which are',
    uses: ['ibv_get_async_event'],
    parts: (of) => ({
      Responder: class extends of.Responder {
        protected override tooLong(length: number, isReliable: boolean): Answer {
          if (isReliable) this.qp.raise('IBV_EVENT_QP_REQ_ERR');
          return super.tooLong(length, isReliable);
        }
      },
    }),
  },
  'each-lost-cqe-is-told': {
    does: 'a CQ that was overrun raises IBV_EVENT_CQ_ERR for each CQE that it loses',
    because: 'the page does not say that there is one event; rxe raises one for each',
    uses: ['ibv_poll_cq.overrun-async-event'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override add(cqe: Cqe): void {
          if (this.overrun) this.fail();
          super.add(cqe);
        }
      },
    }),
  },
  'overrun-cq-fails-the-receiver': {
    does: 'a QP for whose receive there is no room in its CQ goes to the error state, and its peer hears nothing',
    because: 'no page says what becomes of the QP; the InfiniBand specification has it fail, and rxe does so',
    parts: (of) => ({
      Cq: class extends of.Cq {
        protected override fail(): void {
          overrunCqs.add(this);
          super.fail();
        }
      },
      Responder: class extends of.Responder {
        override receive(message: Message): Answer {
          const answer = super.receive(message);
          if (!overrunCqs.has(this.qp.init.recvCq) || !takesReceive(message.wr)) return answer;
          this.qp.enterError();
          return silence;
        }
      },
    }),
  },
  'cqes-go-with-their-qp': {
    does: 'a CQ loses the CQEs of a QP that is destroyed or reset',
    because: 'the page of ibv_destroy_qp does not say that they stay; mlx4, mlx5 and hns take them away',
    parts: (of) => ({
      Cq: class extends of.Cq implements Forgetting {
        forget(qpNum: number): void {
          const left = this.cqes.filter(({ wc }) => wc.qpNum !== qpNum);
          this.cqes.splice(0, this.cqes.length, ...left);
        }
      },
      Qp: class extends of.Qp {
        override beginDestroy(): void {
          super.beginDestroy();
          this.forgetCqes();
        }

        override modify(attr: QpAttr): void {
          super.modify(attr);
          if (attr.qpState === 'IBV_QPS_RESET') this.forgetCqes();
        }

        protected forgetCqes(): void {
          for (const cq of [this.init.sendCq, this.init.recvCq]) (cq as Cq & Partial<Forgetting>).forget?.(this.qpNum);
        }
      },
    }),
  },
  'without-comm-est-event': optionalEvent(
    'a QP in IBV_QPS_RTR takes its first message and tells nothing of it',
    'ibv_get_async_event.event-comm-est',
    (of) => ({
      Responder: class extends of.Responder {
        protected override communicationEstablished(): void {
          // it has no such event
        }
      },
    }),
  ),
  'without-access-err-event': optionalEvent(
    'a QP whose memory somebody wanted to reach without the right tells nothing of it',
    'ibv_get_async_event.event-qp-access-err',
    (of) => ({
      Responder: class extends of.Responder {
        protected override violated(): void {
          // it has no such event
        }
      },
    }),
  ),
  'qp-fatal-in-place-of-access-err': optionalEvent(
    'a QP whose memory somebody wanted to reach without the right tells IBV_EVENT_QP_FATAL',
    'ibv_get_async_event.event-qp-access-err',
    (of) => ({
      Responder: class extends of.Responder {
        protected override violated(): void {
          this.qp.raise('IBV_EVENT_QP_FATAL');
        }
      },
    }),
  ),
};
