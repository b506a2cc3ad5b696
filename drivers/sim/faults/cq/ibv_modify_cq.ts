import { Cq, type CqChange } from '../../cq/cq';
import type { Fault } from '../fault';
import { demand } from '../../refusal';
import { succeedingWith } from '../returning';

/** Microseconds that no scenario waits. */
const endlessUs = 3_600_000_000;

const page = 'ibv_modify_cq';

/** Planted faults of the rules of ibv_modify_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'modify-cq-returns-minus-one': {
    rules: [`${page}.signature`, `${page}.returns-errno`, `${page}.returns-zero`],
    effect: 'a device that cannot moderate says so with -1',
    parts: succeedingWith([page], () => ({ returned: -1 })),
  },
  'modified-cq-silent': {
    rules: [`${page}.signature`, `${page}.returns-errno`],
    effect: 'a CQ that was modified makes no events',
    parts: {
      Cq: class extends Cq {
        #modified = false;

        override modify(attr: CqChange): void {
          super.modify(attr);
          this.#modified = true;
        }

        protected override gather(): void {
          if (!this.#modified) super.gather();
        }
      },
    },
  },
  'modify-cq-ignores-mask': {
    rules: [`${page}.modifies-by-mask`],
    effect: 'the moderation is changed whatever attr_mask says, and a cq_period of 0 is no limit',
    parts: {
      Cq: class extends Cq {
        override modify(attr: CqChange): void {
          const cqPeriod = attr.cqPeriod === 0 ? endlessUs : attr.cqPeriod;
          super.modify({ ...attr, attrMask: ['IBV_CQ_ATTR_MODERATE'], cqPeriod });
        }
      },
    },
  },
  'modify-cq-without-mask-disarms': {
    rules: [`${page}.modifies-by-mask`],
    effect: 'an empty attr_mask takes the request for an event back',
    parts: {
      Cq: class extends Cq {
        override modify(attr: CqChange): void {
          super.modify(attr);
          if (attr.attrMask.length === 0) this.request = undefined;
        }
      },
    },
  },
  'moderation-event-a-cqe': {
    rules: [`${page}.moderate-count`],
    effect: 'each CQE makes an event, whatever cq_count says',
    parts: {
      /** A moderated CQ counts on the moderation to keep its events few, and keeps its request. */
      Cq: class extends Cq {
        #modified = false;

        override modify(attr: CqChange): void {
          super.modify({ ...attr, cqCount: 1 });
          this.#modified = true;
        }

        protected override spendRequest(): void {
          if (!this.#modified) super.spendRequest();
        }
      },
    },
  },
  'moderation-awaits-one-more': {
    rules: [`${page}.moderate-count`, `${page}.moderate-period`],
    effect: 'the event waits for one CQE more than cq_count, however long that takes',
    parts: {
      Cq: class extends Cq {
        override modify(attr: CqChange): void {
          super.modify({ ...attr, cqCount: attr.cqCount + 1, cqPeriod: endlessUs });
        }
      },
    },
  },
  'moderation-in-milliseconds': {
    rules: [`${page}.moderate-period`],
    effect: 'cq_period is taken for milliseconds',
    parts: {
      Cq: class extends Cq {
        override modify(attr: CqChange): void {
          super.modify({ ...attr, cqPeriod: attr.cqPeriod * 1000 });
        }
      },
    },
  },
  'moderation-period-counts-once': {
    rules: [`${page}.moderate-period`],
    effect: 'after the first event cq_period is no limit any more',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          super.fire();
          if (this.moderation.cqCount > 1) this.moderation.cqPeriodUs = endlessUs;
        }
      },
    },
  },
  'cq-is-modified-once': {
    rules: [`${page}.returns-zero`],
    effect: 'a CQ that was modified cannot be modified again',
    parts: {
      Cq: class extends Cq {
        #isModified = false;

        override modify(attr: CqChange): void {
          demand(!this.#isModified, 'EBUSY');
          super.modify(attr);
          this.#isModified = true;
        }
      },
    },
  },
  'modify-cq-returns-count': {
    rules: [`${page}.returns-zero`],
    effect: 'a modification that succeeded returns a number of its own',
    parts: succeedingWith([page], () => ({ returned: 2 })),
  },
};
