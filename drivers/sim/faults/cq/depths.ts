import { Cq, type Cqe } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import { demand } from '../../refusal';
import type { Fault } from '../fault';

const create = 'ibv_create_cq';
const createEx = 'ibv_create_cq_ex';
const poll = 'ibv_poll_cq';
const resize = 'ibv_resize_cq';

/** A CQ that has room for fewer CQEs than it says, once something has come to it. */
abstract class ShallowCq extends Cq {
  protected abstract get room(): number;

  override add(cqe: Cqe): void {
    if (this.cqes.length >= this.room) this.overflow(cqe);
    else super.add(cqe);
  }
}

/** What goes wrong only in CQs that are deep, or after several rounds or resizes. */
export const faults: Readonly<Record<string, Fault>> = {
  'cq-takes-64-at-most': {
    rules: [`${create}.min-size`],
    effect: 'a CQ of more than 64 entries has room for 64',
    parts: {
      Cq: class extends ShallowCq {
        protected override get room(): number {
          return 64;
        }
      },
    },
  },
  'ring-shrinks-after-three-rounds': {
    rules: [`${poll}.all-if-fewer`],
    effect: 'a CQ that has held three times as many CQEs as it has entries has room for one fewer',
    parts: {
      Cq: class extends ShallowCq {
        #added = 0;

        protected override get room(): number {
          return this.#added > 3 * this.capacity ? this.capacity - 1 : this.capacity;
        }

        override add(cqe: Cqe): void {
          this.#added += 1;
          super.add(cqe);
        }
      },
    },
  },
  'ring-loses-after-three-rounds': {
    rules: [`${poll}.all-if-fewer`],
    effect: 'a CQ that has held three times as many CQEs as it has entries loses the one that fills it',
    parts: {
      Cq: class extends Cq {
        #added = 0;

        override add(cqe: Cqe): void {
          this.#added += 1;
          const isLost = this.#added > 3 * this.capacity && this.cqes.length === this.capacity - 1;
          if (!isLost) super.add(cqe);
        }
      },
    },
  },
  'resize-keeps-eight': {
    rules: [`${resize}.keeps-backlog`],
    effect: 'of a backlog of more than 8 CQEs a resize keeps 8',
    parts: {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.cqes.splice(8);
        }
      },
    },
  },
  'grown-cq-takes-64-at-most': {
    rules: [`${resize}.at-least-requested`],
    effect: 'a CQ that was resized to more than 64 entries has room for 64',
    parts: {
      Cq: class extends ShallowCq {
        #isResized = false;

        protected override get room(): number {
          return this.#isResized ? 64 : Infinity;
        }

        override resize(cqe: number): void {
          super.resize(cqe);
          this.#isResized = true;
        }
      },
    },
  },
  'resize-to-one-leaves-none': {
    rules: [`${resize}.at-least-requested`],
    effect: 'a CQ that was resized to 1 entry has none',
    parts: {
      Cq: class extends ShallowCq {
        protected override get room(): number {
          return this.capacity === 1 ? 0 : Infinity;
        }
      },
    },
  },
  'third-resize-is-ignored': {
    rules: [`${resize}.at-least-requested`],
    effect: 'the third resize of a CQ does nothing',
    parts: {
      Cq: class extends Cq {
        #resizes = 0;

        override resize(cqe: number): void {
          const before = this.capacity;
          super.resize(cqe);
          this.#resizes += 1;
          if (this.#resizes === 3) this.capacity = before;
        }
      },
    },
  },
  'batch-ends-after-sixteen': {
    rules: [`${createEx}.next-advances`],
    effect: 'a batch has 16 completions at most',
    parts: {
      CqIterator: class extends CqIterator {
        #steps = 0;

        override start(): void {
          super.start();
          this.#steps = 1;
        }

        override next(): void {
          this.#steps += 1;
          demand(this.#steps <= 16, 'ENOENT');
          super.next();
        }
      },
    },
  },
};
