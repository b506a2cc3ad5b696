import type { Cqe } from '../cq/cq';
import type { Parts } from '../device/device';
import type { Variant, Variants } from './variant';

const because = 'no page says how soon work completes';

/** CQEs that come later than those of the simulator, in the same order. */
function late(does: string, delayUs: (cqe: Cqe, nowUs: number) => number): Variant {
  return {
    does,
    because,
    parts: (of: Parts) => ({
      Cq: class extends of.Cq {
        override add(cqe: Cqe): void {
          const { clock } = this.context.device;
          clock.schedule(delayUs(cqe, clock.nowUs), () => {
            super.add(cqe);
          });
        }
      },
    }),
  };
}

/** Microseconds in which nothing shows which of two CQEs came first. */
const atOnceUs = 5;

/** Microseconds between two bursts. */
const burstUs = 500;

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
  'cqes-of-different-qps-change-places': {
    does: 'a CQE stands before the one of another QP that came microseconds before it',
    because: 'pages promise the order of the CQEs of one queue, not of several',
    parts: (of) => ({
      Cq: class extends of.Cq {
        override add(cqe: Cqe): void {
          const before = this.cqes.length;
          super.add(cqe);
          const [last, newest] = this.cqes.slice(-2);
          if (this.cqes.length <= Math.max(1, before) || last === undefined || newest === undefined) return;
          const isAtOnce = newest.atUs - last.atUs <= atOnceUs;
          if (isAtOnce && last.wc.qpNum !== newest.wc.qpNum) this.cqes.splice(-2, 2, newest, last);
        }
      },
    }),
  },
  'queues-of-a-qp-change-places': {
    does: 'the CQE of a send stands before the one of a receive of the same QP that came microseconds before it, and the other way round',
    because: 'pages promise the order of the CQEs of one queue, and a QP has two',
    parts: (of) => ({
      Cq: class extends of.Cq {
        override add(cqe: Cqe): void {
          const before = this.cqes.length;
          super.add(cqe);
          const [last, newest] = this.cqes.slice(-2);
          if (this.cqes.length <= Math.max(1, before) || last === undefined || newest === undefined) return;
          if (newest.atUs - last.atUs <= atOnceUs && last.queue !== newest.queue) this.cqes.splice(-2, 2, newest, last);
        }
      },
    }),
  },
  'flushed-work-completes-late': late('work that is flushed has its CQE 300 microseconds after the error', ({ wc }) =>
    wc.status === 'IBV_WC_WR_FLUSH_ERR' ? 300 : 0,
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
