import type { NotifyRequest } from '../cq/cq';
import type { Variants } from './variant';

/** Requests for notifications where more than one CQE, or more than one request, is at hand. */
export const variants: Variants = {
  'arm-with-backlog-notifies': {
    does: 'an armed CQ notifies at once if it holds an unpolled CQE that matches the request',
    because:
      'the page says nothing of CQEs from before the request; mlx4 and mlx5 tell the device how far was polled, and Linux allows it of ib_req_notify_cq()',
    lacks: ['arm-ignores-backlog'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override arm(solicitedOnly: number): void {
          super.arm(solicitedOnly);
          if (this.cqes.some((cqe) => this.matchesRequest(cqe))) this.gather();
        }
      },
    }),
  },
  'arm-before-get-is-the-same-request': {
    does: 'a request that is made while an event of the CQ waits to be got is the one that made this event',
    because: 'no page says that a request counts before; mlx4, mlx5, hns and efa number requests when an event is got',
    lacks: ['arm-before-get'],
    parts: (of) => ({
      CompChannel: class extends of.CompChannel {
        holdsEventOf(cq: unknown): boolean {
          return this.events.some((event) => event === cq);
        }
      },
      Cq: class extends of.Cq {
        override arm(solicitedOnly: number): void {
          const holder = this.channel as { holdsEventOf?: (cq: unknown) => boolean } | undefined;
          if (holder?.holdsEventOf?.(this) !== true) super.arm(solicitedOnly);
        }
      },
    }),
  },
  'last-request-counts': {
    does: 'of two requests before a CQE the last one counts, be it wider or narrower',
    because: 'the page has one request and says nothing of a second; that the wider one counts is of RDMAmojo',
    breaks: [
      'ibv_req_notify_cq.next-then-solicited',
      'ibv_req_notify_cq.mixed-any-order-next-wins',
      'ibv_req_notify_cq.mixed-single-event',
    ],
    parts: (of) => ({
      Cq: class extends of.Cq {
        protected override combine(_pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
          return asked;
        }
      },
    }),
  },
};
