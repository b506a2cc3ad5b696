import { Cq, type Cqe } from '../../cq/cq';
import type { Fault } from '../fault';
import { demand } from '../../refusal';
import { refusingWith, succeedingWith } from '../returning';

const page = 'ibv_resize_cq';

/** Planted faults of the rules of ibv_resize_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'resize-returns-one': {
    rules: [`${page}.signature`, `${page}.returns-zero`],
    effect: 'a resize that succeeded returns 1',
    parts: succeedingWith([page], () => ({ returned: 1 })),
  },
  'resize-one-short': {
    rules: [`${page}.at-least-requested`, `${page}.shrink-may-noop`, `${page}.cqe-updated`, `${page}.size-may-exceed`],
    effect: 'a CQ that was resized has one entry fewer than was asked for',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.capacity -= 1;
        }
      },
    },
  },
  'resize-does-nothing': {
    rules: [`${page}.at-least-requested`, `${page}.cqe-updated`, `${page}.shrink-may-noop`],
    effect: 'a resize succeeds and changes nothing',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          const before = this.capacity;
          super.resize(cqe);
          this.capacity = before;
        }
      },
    },
  },
  'resize-leaves-cqe-member': {
    rules: [`${page}.cqe-updated`, `${page}.size-may-exceed`, `${page}.at-least-requested`, `${page}.shrink-may-noop`],
    effect: 'the cqe member stays what it was before the resize',
    parts: {
      Cq: class extends Cq {
        readonly #created = this.capacity;

        override get cqe(): number {
          return this.#created;
        }
      },
    },
  },
  'resize-drops-newest': {
    rules: [`${page}.not-below-backlog`],
    effect: 'a CQ that is made smaller than its backlog drops the CQEs for which it has no room',
    parts: {
      Cq: class extends Cq {
        protected override refuseBelowBacklog(cqe: number): void {
          this.cqes.length = Math.min(cqe, this.cqes.length);
        }
      },
    },
  },
  'resize-counts-polled': {
    rules: [`${page}.not-below-backlog`],
    effect: 'CQEs that were polled count as backlog',
    parts: {
      Cq: class extends Cq {
        #added = 0;

        override add(cqe: Cqe): void {
          this.#added += 1;
          super.add(cqe);
        }

        protected override refuseBelowBacklog(cqe: number): void {
          demand(cqe >= this.#added, 'EINVAL');
        }
      },
    },
  },
  'resize-drops-backlog': {
    rules: [`${page}.keeps-backlog`, `${page}.not-below-backlog`],
    effect: 'a resize empties the CQ',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.cqes.length = 0;
        }
      },
    },
  },
  'resize-copies-from-first-slot': {
    rules: [`${page}.keeps-backlog`],
    effect: 'a resize puts a backlog that goes round the end of the ring out of order',
    parts: {
      /** Copies the ring from its first slot on, instead of from the oldest CQE on. */
      Cq: class extends Cq {
        #polled = 0;

        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          this.#polled += cqes.length;
          return cqes;
        }

        override resize(cqe: number): void {
          const slots = this.capacity;
          super.resize(cqe);
          const beforeEnd = slots - (this.#polled % slots);
          this.cqes.push(...this.cqes.splice(0, Math.min(beforeEnd, this.cqes.length)));
        }
      },
    },
  },
  'resize-never-shrinks': {
    rules: [`${page}.shrink-may-noop`, `${page}.keeps-backlog`, `${page}.not-below-backlog`],
    effect: 'a request for fewer entries is refused',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          demand(cqe >= this.capacity, 'EINVAL');
          super.resize(cqe);
        }
      },
    },
  },
  'resize-returns-minus-one': {
    rules: [`${page}.returns-errno`, `${page}.not-below-backlog`],
    effect: 'a resize that was refused returns -1',
    parts: refusingWith([page], () => ({ returned: -1 })),
  },
  'lacks-resize-minus-one': {
    rules: [`${page}.returns-errno`, `${page}.returns-zero`, `${page}.signature`],
    effect: 'a device that cannot resize says so with -1',
    parts: {
      Cq: class extends Cq {
        override resize(): void {
          demand(false, 'EOPNOTSUPP');
        }
      },
      ...refusingWith([page], () => ({ returned: -1 })),
    },
  },
  'refused-resize-disables-cq': {
    rules: [`${page}.returns-errno`],
    effect: 'a CQ that could not be resized takes no more CQEs',
    parts: {
      Cq: class extends Cq {
        #dead = false;

        override resize(cqe: number): void {
          this.#dead = true;
          super.resize(cqe);
          this.#dead = false;
        }

        override add(cqe: Cqe): void {
          if (!this.#dead) super.add(cqe);
        }
      },
    },
  },
};
