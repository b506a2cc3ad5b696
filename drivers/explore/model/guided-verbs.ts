import type { Parts } from '../../sim/device/device';
import type { Model } from '../../sim/verbs/verb';
import type { Guide } from './guide';

/** Verbs whose waits look at what the device did at their own call, however late they end. */
export function guidedVerbs(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Verbs: class extends of.Verbs {
      constructor(model: Model) {
        super(new WaitingModel(model, guide));
      }
    },
  };
}

class WaitingModel implements Model {
  constructor(
    readonly model: Model,
    readonly guide: Guide,
  ) {}

  get device(): Model['device'] {
    return this.model.device;
  }

  get handles(): Model['handles'] {
    return this.model.handles;
  }

  get texts(): Model['texts'] {
    return this.model.texts;
  }

  pass(run: Parameters<Model['pass']>[0]): void {
    this.model.pass(run);
  }

  wait<T>(attempt: () => T | undefined): Promise<T> {
    const { at } = this.guide;
    return this.model.wait(() => {
      const now = this.guide.at;
      this.guide.at = at;
      try {
        return attempt();
      } finally {
        this.guide.at = now;
      }
    });
  }
}
