import type { ModifyCqAttr } from '../../contract';
import { Cq } from '../cq';
import type { Fault } from '../faults';
import { succeedingWith } from './returning';

class IgnoresMask extends Cq {
  override modify(attr: ModifyCqAttr): void {
    super.modify({ ...attr, attrMask: ['IBV_CQ_ATTR_MODERATE'] });
  }
}

class IgnoresCount extends Cq {
  override modify(attr: ModifyCqAttr): void {
    super.modify({ ...attr, cqCount: 1 });
  }
}

class PeriodInMilliseconds extends Cq {
  override modify(attr: ModifyCqAttr): void {
    super.modify({ ...attr, cqPeriod: attr.cqPeriod * 1000 });
  }
}

class SilentOnceModified extends Cq {
  #modified = false;

  override modify(attr: ModifyCqAttr): void {
    super.modify(attr);
    this.#modified = true;
  }

  protected override gather(): void {
    if (!this.#modified) super.gather();
  }
}

const page = 'ibv_modify_cq';

/** Planted faults of the rules of ibv_modify_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'modify-cq-returns-minus-one': {
    rules: [`${page}.signature`, `${page}.returns-errno`],
    effect: 'a device that cannot moderate says so with -1',
    parts: succeedingWith([page], () => ({ returned: -1 })),
  },
  'modified-cq-silent': {
    rules: [`${page}.signature`, `${page}.returns-errno`],
    effect: 'a CQ that was modified makes no events',
    parts: { Cq: SilentOnceModified },
  },
  'modify-cq-ignores-mask': {
    rules: [`${page}.modifies-by-mask`],
    effect: 'the moderation is changed whatever attr_mask says',
    parts: { Cq: IgnoresMask },
  },
  'moderation-ignores-count': {
    rules: [`${page}.moderate-count`],
    effect: 'each CQE makes its event, whatever cq_count says',
    parts: { Cq: IgnoresCount },
  },
  'moderation-in-milliseconds': {
    rules: [`${page}.moderate-period`],
    effect: 'cq_period is taken for milliseconds',
    parts: { Cq: PeriodInMilliseconds },
  },
  'modify-cq-returns-count': {
    rules: [`${page}.returns-zero`],
    effect: 'a modification that succeeded returns a number of its own',
    parts: succeedingWith([page], () => ({ returned: 2 })),
  },
};
