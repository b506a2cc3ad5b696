import type { QpAttr } from '../../contract';
import type { Answer } from '../qp/message';
import type { Variant, Variants } from './variant';

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
