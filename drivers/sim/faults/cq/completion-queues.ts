import { AsyncEvent } from '../../async/async-events';
import { Cq, type Cqe, type CqInit } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import type { Fault } from '../fault';
import { demand } from '../../refusal';
import { refusingWith } from '../returning';

class ContextOfTheFirstCq extends Cq {
  static readonly #first = new WeakMap<object, bigint>();

  constructor(...[context, init, channel]: ConstructorParameters<typeof Cq>) {
    const first = ContextOfTheFirstCq.#first.get(context) ?? init.cqContext;
    super(context, { ...init, cqContext: first } satisfies CqInit, channel);
    ContextOfTheFirstCq.#first.set(context, first);
  }
}

const poll = 'ibv_poll_cq';
const create = 'ibv_create_cq';
const createEx = 'ibv_create_cq_ex';
const resize = 'ibv_resize_cq';
const async = 'ibv_get_async_event';

/** Further faults of CQs: off by one at capacity, out of order, doubled, state kept after a failure, wrong errno. */
export const faults: Readonly<Record<string, Fault>> = {
  'poll-gives-two-at-most': {
    rules: [`${poll}.all-if-fewer`, `${poll}.up-to-num-entries`, `${poll}.signature`, `${poll}.returns-count`],
    effect: 'a poll gives two CQEs at most',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return super.poll(Math.min(numEntries, 2));
        }
      },
    },
  },
  'partial-poll-turns-the-rest': {
    rules: [`${poll}.oldest-first`, 'ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.read-completion-ts'],
    effect: 'what a poll leaves is in reverse order afterwards',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (cqes.length > 0) this.cqes.reverse();
          return cqes;
        }
      },
    },
  },
  'partial-poll-loses-one': {
    rules: [`${poll}.up-to-num-entries`, 'ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.read-completion-ts'],
    effect: 'a poll that leaves CQEs loses one of them',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (cqes.length > 0) this.cqes.shift();
          return cqes;
        }
      },
    },
  },
  'wr-id-of-the-one-before': {
    rules: [`${poll}.field-wr-id`, 'ibv_create_cq_ex.direct-wr-id'],
    effect: 'a CQE has the wr_id of the one before it',
    parts: {
      Cq: class extends Cq {
        #before: bigint | undefined;

        override add(cqe: Cqe): void {
          super.add({ ...cqe, wc: { ...cqe.wc, wrId: this.#before ?? cqe.wc.wrId } });
          this.#before = cqe.wc.wrId;
        }
      },
    },
  },
  'cqe-comes-twice': {
    rules: [
      `${poll}.removed-once-polled`,
      'ibv_create_cq_ex.next-advances',
      'ibv_resize_cq.not-below-backlog',
      'ibv_create_cq_ex.read-completion-ts',
    ],
    effect: 'the first CQE of a CQ comes twice',
    parts: {
      Cq: class extends Cq {
        #first = true;

        override add(cqe: Cqe): void {
          super.add(cqe);
          if (this.#first && this.cqes.length < this.capacity) this.cqes.push(cqe);
          this.#first = false;
        }
      },
    },
  },
  'overrun-replaces-the-oldest': {
    rules: [`${poll}.overrun-async-event`, `${async}.event-cq-err`, `${async}.element-cq`],
    effect: 'a CQE that finds the CQ full replaces the oldest, without an event',
    parts: {
      Cq: class extends Cq {
        protected override overflow(cqe: Cqe): void {
          this.cqes.shift();
          this.add(cqe);
        }
      },
    },
  },
  'overrun-drops-the-newest': {
    rules: [`${poll}.overrun-async-event`, `${async}.event-cq-err`, `${async}.element-cq`],
    effect: 'a CQE that finds the CQ full is lost, without an event',
    parts: {
      Cq: class extends Cq {
        protected override overflow(): void {
          // The CQE is lost, and nobody is told.
        }
      },
    },
  },
  'overrun-is-fatal': {
    rules: [`${poll}.overrun-async-event`, `${async}.event-cq-err`, `${async}.element-cq`],
    effect: 'an overrun raises IBV_EVENT_DEVICE_FATAL',
    parts: {
      Cq: class extends Cq {
        protected override fail(): void {
          this.overrun = true;
          this.events.add(new AsyncEvent('IBV_EVENT_DEVICE_FATAL', undefined));
        }
      },
    },
  },
  'poll-mends-an-overrun': {
    rules: [`${poll}.overrun-cq-unusable`],
    effect: 'a poll makes a CQ usable again that has overrun',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          if (!this.overrun) return super.poll(numEntries);
          this.overrun = false;
          return this.cqes.splice(0, numEntries);
        }
      },
    },
  },
  'resize-reverses-the-backlog': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize reverses the order of the CQEs',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.cqes.reverse();
        }
      },
    },
  },
  'resize-drops-the-newest': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize loses the newest CQE',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.cqes.pop();
        }
      },
    },
  },
  'resize-drops-the-oldest': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize loses the oldest CQE',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.cqes.shift();
        }
      },
    },
  },
  'resize-cuts-the-backlog': {
    rules: [`${resize}.not-below-backlog`],
    effect: 'a resize below the backlog is done, and loses what has no room',
    parts: {
      Cq: class extends Cq {
        protected override refuseBelowBacklog(cqe: number): void {
          this.cqes.splice(cqe);
        }
      },
    },
  },
  'resize-keeps-one-free': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'a resize that leaves no free entry is refused',
    parts: {
      Cq: class extends Cq {
        protected override refuseBelowBacklog(cqe: number): void {
          demand(cqe > this.cqes.length, 'EINVAL');
        }
      },
    },
  },
  'size-rounded-down': {
    rules: [`${create}.min-size`, 'ibv_create_cq_ex.attr-cqe'],
    effect: 'the size of a CQ is rounded down to a power of two',
    parts: {
      Cq: class extends Cq {
        protected override sizeFor(asked: number): number {
          return 2 ** Math.floor(Math.log2(asked));
        }
      },
    },
  },
  'context-of-the-first-cq': {
    rules: [`${create}.cq-context-stored`, 'ibv_get_cq_event.fills-cq-context'],
    effect: 'all CQs of a context have the user context of the first',
    parts: { Cq: ContextOfTheFirstCq },
  },
  'busy-cq-negated-errno': {
    rules: [`${create}.destroy-returns-errno`],
    effect: 'destroying a CQ that is in use gives -EBUSY',
    parts: refusingWith(['ibv_destroy_cq'], ({ errno }) => ({ returned: -errno })),
  },
  'resize-negated-errno': {
    rules: [`${resize}.returns-errno`, `${resize}.not-below-backlog`],
    effect: 'a resize that is refused returns the negated errno',
    parts: refusingWith(['ibv_resize_cq'], ({ errno }) => ({ returned: -errno })),
  },
  'start-poll-says-again': {
    rules: [`${createEx}.start-enoent`],
    effect: 'opening a batch of an empty CQ gives EAGAIN',
    parts: refusingWith(['ibv_start_poll'], () => ({ returned: 11 })),
  },
  'next-poll-says-again': {
    rules: [`${createEx}.next-enoent`],
    effect: 'behind the last CQE moving on gives EAGAIN',
    parts: refusingWith(['ibv_next_poll'], () => ({ returned: 11 })),
  },
  'start-poll-minus-one': {
    rules: [`${createEx}.start-error-code`, `${createEx}.start-enoent`],
    effect: 'opening a batch of an empty CQ gives -1',
    parts: refusingWith(['ibv_start_poll'], () => ({ returned: -1 })),
  },
  'next-poll-minus-one': {
    rules: [`${createEx}.next-error-code`, `${createEx}.next-enoent`],
    effect: 'behind the last CQE moving on gives -1',
    parts: refusingWith(['ibv_next_poll'], () => ({ returned: -1 })),
  },
  'next-poll-skips-one': {
    rules: [`${createEx}.next-advances`, 'ibv_poll_cq.oldest-first'],
    effect: 'moving on loses the CQE after the next',
    parts: {
      CqIterator: class extends CqIterator {
        override next(): void {
          super.next();
          if (this.cq.cqe > 1) this.cq.poll(1);
        }
      },
    },
  },
  'end-poll-loses-the-next': {
    rules: [`${createEx}.end-closes-batch`, 'ibv_create_cq_ex.read-completion-ts', 'ibv_poll_cq.oldest-first'],
    effect: 'closing a batch loses the CQE that follows',
    parts: {
      CqIterator: class extends CqIterator {
        override end(): void {
          super.end();
          this.cq.poll(1);
        }
      },
    },
  },
};
