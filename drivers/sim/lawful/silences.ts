import type { Variant, Variants } from './variant';

/** Events that a device may raise or not. */
const optionalEvent = (does: string, rule: string, parts: Variant['parts']): Variant => ({
  does,
  because: 'the page says what the event means, and not when a device has to raise it',
  uses: [rule],
  parts,
});

export const variants: Variants = {
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
