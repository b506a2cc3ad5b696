import type { AsyncElement, AsyncEventType } from '../async/async-events';
import type { Cq, Cqe } from '../cq/cq';
import type { Parts } from '../device/device';
import type { Variant, Variants } from './variant';

const because = 'no page says how soon work completes';
const becauseOfEvents = 'no page says how soon an event follows its cause';

/** CQEs that come later than those of the simulator, those of a queue in the same order. */
function late(does: string, delayUs: (cqe: Cqe, nowUs: number) => number): Variant {
  return {
    does,
    because,
    parts: (of: Parts) => ({
      Cq: class extends of.Cq {
        readonly #late = new Set<Cqe>();

        override add(cqe: Cqe): void {
          if (this.#late.has(cqe)) {
            super.add(cqe);
            return;
          }
          const { clock } = this.context.device;
          clock.schedule(delayUs(cqe, clock.nowUs), () => {
            this.#late.add(cqe);
            super.add(cqe);
          });
        }
      },
    }),
  };
}

/** Microseconds between two bursts. */
const burstUs = 500;

/** Microseconds until a late event reaches the program. */
const lateEventUs = 200;

export const variants: Variants = {
  'completions-come-late': late('each CQE comes 200 microseconds late', () => 200),
  'sends-complete-late': late('a CQE of a send comes long after that of its receive', ({ queue }) =>
    queue === 'send' ? 300 : 0,
  ),
  'receives-complete-late': late('a CQE of a receive comes long after that of its send', ({ queue }) =>
    queue === 'receive' ? 300 : 0,
  ),
  'completions-come-in-bursts': late(
    'CQEs come in bursts, every half millisecond',
    (_cqe, nowUs) => burstUs - (nowUs % burstUs),
  ),
  'comp-events-come-late': {
    does: 'a completion event comes 200 microseconds after the CQE that made it',
    because: becauseOfEvents,
    parts: (of) => ({
      CompChannel: class extends of.CompChannel {
        override add(cq: Cq): void {
          this.context.device.clock.schedule(lateEventUs, () => {
            if (this.cqs.has(cq)) super.add(cq);
          });
        }
      },
    }),
  },
  'async-events-come-late': {
    does: 'an asynchronous event of a QP, an SRQ or a port comes 200 microseconds after its cause',
    because: becauseOfEvents,
    parts: (of) => ({
      Context: class extends of.Context {
        override raise(eventType: AsyncEventType, element: AsyncElement): void {
          this.device.clock.schedule(lateEventUs, () => {
            super.raise(eventType, element);
          });
        }
      },
    }),
  },
  'events-are-moderated-by-default': {
    does: 'a CQ makes its event for the 16th CQE, or 100 microseconds after the first',
    because: 'the page of ibv_modify_cq does not say what a CQ does before it is modified',
    uses: ['ibv_modify_cq'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        constructor(...args: ConstructorParameters<Parts['Cq']>) {
          super(...args);
          this.moderation.cqCount = 16;
          this.moderation.cqPeriodUs = 100;
        }
      },
    }),
  },
  'moderation-begins-with-the-event-before': {
    does: 'the first CQE of a CQ that has been idle for cq_period makes its event at once',
    because: 'the page does not say from when on cq_period counts',
    uses: ['ibv_modify_cq', 'ibv_modify_cq.moderate-count'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        #firedAtUs = -Infinity;

        protected override gather(): void {
          const { nowUs } = this.context.device.clock;
          if (nowUs - this.#firedAtUs >= this.moderation.cqPeriodUs) this.fire();
          else super.gather();
        }

        protected override fire(): void {
          this.#firedAtUs = this.context.device.clock.nowUs;
          super.fire();
        }
      },
    }),
  },
  'flushed-work-completes-late': late('work that is flushed has its CQE 300 microseconds after the error', ({ wc }) =>
    wc.status === 'IBV_WC_WR_FLUSH_ERR' ? 300 : 0,
  ),
  'sends-are-flushed-late': late(
    'a send that is flushed has its CQE 300 microseconds after the receives',
    ({ wc, queue }) => (wc.status === 'IBV_WC_WR_FLUSH_ERR' && queue === 'send' ? 300 : 0),
  ),
  'answers-are-awaited-four-times-as-long': {
    does: 'a requester waits four times as long for an answer',
    because: 'the specification lets the time be up to four times what timeout says, and mlx5 may raise it',
    parts: (of) => ({
      Device: class extends of.Device {
        override answerWaitUs(timeout: number): number {
          return 4 * super.answerWaitUs(timeout);
        }
      },
    }),
  },
  'receives-are-awaited-four-times-as-long': {
    does: 'a requester waits four times as long for a receive as min_rnr_timer says',
    because: 'the time is the least that a requester waits',
    parts: (of) => ({
      Device: class extends of.Device {
        override rnrWaitUs(code: number): number {
          return 4 * super.rnrWaitUs(code);
        }
      },
    }),
  },
};
