import { Cq } from '../../cq/cq';
import type { Context } from '../../device/context';

/** A CQ that knows the one of its context that was created last. */
export class KnowsTheNewest extends Cq {
  static readonly #newest = new WeakMap<Context, Cq>();

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    KnowsTheNewest.#newest.set(this.context, this);
  }

  get newest(): Cq {
    return KnowsTheNewest.#newest.get(this.context) ?? this;
  }
}
