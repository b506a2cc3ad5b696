import { AsyncEvent } from '../async-events';
import { Cq, type Cqe } from '../cq';
import type { Fault } from '../faults';

class OverrunIsSilent extends Cq {
  protected override fail(): void {
    this.overrun = true;
  }
}

class OverrunNamesAnother extends Cq {
  static readonly #all: Cq[] = [];

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    OverrunNamesAnother.#all.push(this);
  }

  protected override fail(): void {
    this.overrun = true;
    const other = OverrunNamesAnother.#all.filter((cq) => cq !== this).at(-1) ?? this;
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', other));
  }
}

class OverrunOneEarly extends Cq {
  override add(cqe: Cqe): void {
    super.add(cqe);
    if (this.cqes.length === this.capacity && !this.overrun) this.fail();
  }
}

class OverrunIsForgotten extends Cq {
  protected override fail(): void {
    super.fail();
    this.overrun = false;
  }
}

const page = 'ibv_poll_cq';

/** Planted faults of the rules of ibv_poll_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'overrun-is-silent': {
    rules: [`${page}.overrun-async-event`],
    effect: 'an overrun raises no event',
    parts: { Cq: OverrunIsSilent },
  },
  'overrun-names-another': {
    rules: [`${page}.overrun-async-event`],
    effect: 'the event of an overrun names another CQ',
    parts: { Cq: OverrunNamesAnother },
  },
  'overrun-one-early': {
    rules: [`${page}.overrun-async-event`],
    effect: 'a CQ that is just full counts as overrun',
    parts: { Cq: OverrunOneEarly },
  },
  'overrun-is-forgotten': {
    rules: [`${page}.overrun-cq-unusable`],
    effect: 'a CQ works on after an overrun',
    parts: { Cq: OverrunIsForgotten },
  },
};
