import type { Wc } from '../../../contract';
import { CompChannel } from '../../channel/comp-channel';
import { Completions } from '../../cq/completions';
import { Cq } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import type { QpEventType } from '../../async/async-events';
import { Qp } from '../../qp/qp';
import { Responder } from '../../qp/responder';
import { demand } from '../../refusal';
import type { Fault } from '../fault';

const get = 'ibv_get_cq_event';
const poll = 'ibv_poll_cq';

/** Entries of a table that is too small for what programs do. */
const few = 8;

/** What goes wrong only where there are many of a thing, or another of it than the first and the last. */
export const faults: Readonly<Record<string, Fault>> = {
  'channel-holds-eight-events': {
    rules: [`${get}.fills-cq-shared-channel`],
    effect: 'a channel loses the ninth event that waits on it',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if (this.events.length < few) super.add(cq);
        }
      },
    },
  },
  'inner-vectors-are-silent': {
    rules: ['ibv_create_cq.vector-upper-bound'],
    effect: 'a CQ on a completion vector that is neither the first nor the last makes no events',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          const { context, init } = this;
          const isInner = init.compVector > 0 && init.compVector < context.device.numCompVectors - 1;
          if (isInner) this.spendRequest();
          else super.fire();
        }
      },
    },
  },
  'src-qp-is-the-first-sender': {
    rules: [`${poll}.field-src-qp`, `${poll}.field-src-qp-ud-only`],
    effect: 'src_qp of a UD QP names the sender of its first message',
    parts: {
      Completions: class extends Completions {
        #first: number | undefined;

        override ofReceive(...args: Parameters<Completions['ofReceive']>): Wc {
          const wc = super.ofReceive(...args);
          return this.qp.isUd ? { ...wc, srcQp: (this.#first ??= wc.srcQp) } : wc;
        }
      },
    },
  },
  'batch-ends-after-eight': {
    rules: ['ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.next-success-readable'],
    effect: 'a batch has eight CQEs at most',
    parts: {
      CqIterator: class extends CqIterator {
        #given = 0;

        override start(): void {
          super.start();
          this.#given = 1;
        }

        override next(): void {
          demand(this.#given < few, 'ENOENT');
          super.next();
          this.#given += 1;
        }
      },
    },
  },
  'first-message-takes-two-receives': {
    rules: [`${poll}.field-wr-id`],
    effect: 'the first message of a QP in IBV_QPS_RTR takes a receive that nobody hears of',
    parts: {
      Responder: class extends Responder {
        protected override communicationEstablished(): void {
          super.communicationEstablished();
          this.qp.receives.take();
        }
      },
    },
  },
  'drained-qp-loses-a-receive': {
    rules: [`${poll}.field-wr-id`],
    effect: 'a QP whose send queue has been drained loses a receive',
    parts: {
      Qp: class extends Qp {
        override raise(eventType: QpEventType): void {
          super.raise(eventType);
          if (eventType === 'IBV_EVENT_SQ_DRAINED') this.receives.take();
        }
      },
    },
  },
};
