import { Cq, type Cqe } from '../../cq/cq';
import type { Fault } from '../fault';

const resize = 'ibv_resize_cq';
const arms = 'ibv_req_notify_cq.arms-cq';

/** A CQ that copies a part of its backlog when it is resized. */
function copying(isCopied: (cqe: Cqe, oldest: Cqe) => boolean): typeof Cq {
  return class extends Cq {
    override resize(cqe: number): void {
      super.resize(cqe);
      const [oldest] = this.cqes;
      if (oldest !== undefined) this.cqes.push(...this.cqes.splice(0).filter((one) => isCopied(one, oldest)));
    }
  };
}

/** What a resize loses of a CQ, and what is otherwise after it. */
export const faults: Readonly<Record<string, Fault>> = {
  'resize-copies-cqes-of-one-qp': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize copies the CQEs of one QP alone',
    parts: { Cq: copying((one, oldest) => one.wc.qpNum === oldest.wc.qpNum) },
  },
  'resize-copies-no-failures': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize copies no CQEs with an error',
    parts: { Cq: copying(({ wc }) => wc.status === 'IBV_WC_SUCCESS') },
  },
  'second-resize-does-nothing': {
    rules: [`${resize}.at-least-requested`],
    effect: 'a CQ that has grown does not grow again',
    parts: {
      Cq: class extends Cq {
        #hasGrown = false;

        override resize(cqe: number): void {
          const before = this.capacity;
          super.resize(cqe);
          if (this.#hasGrown) this.capacity = Math.min(before, this.capacity);
          this.#hasGrown ||= this.capacity > before;
        }
      },
    },
  },
  'resized-cq-overruns-in-silence': {
    rules: ['ibv_get_async_event.event-cq-err'],
    effect: 'a CQ that was resized raises no event when it overruns',
    parts: {
      Cq: class extends Cq {
        #isResized = false;

        override resize(cqe: number): void {
          super.resize(cqe);
          this.#isResized = true;
        }

        protected override fail(): void {
          if (this.#isResized) this.overrun = true;
          else super.fail();
        }
      },
    },
  },
  'shrinking-disarms': {
    rules: [arms],
    effect: 'a CQ that is made smaller is no longer armed',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          const before = this.capacity;
          super.resize(cqe);
          if (this.capacity < before) this.request = undefined;
        }
      },
    },
  },
  'resize-notifies-of-backlog': {
    rules: [arms],
    effect: 'an armed CQ with a backlog makes an event when it is resized',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          if (this.request !== undefined && this.cqes.length > 0) this.fire();
        }
      },
    },
  },
};
