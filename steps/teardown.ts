import { DutHung, type Driver } from '../drivers/contract';
import { PendingCall } from './pending-call';
import { happens } from './waits';

/**
 * What a scenario keeps, by what depends on it: users go before what they use. A window that is bound holds its QP; what
 * was changed around the objects is put right first. The calls of one stage are under way together, and a device takes
 * them in order; the next stage waits for them, as the destruction of a QP, SRQ or CQ may take its time.
 */
const stages = [['environment'], ['window'], ['qp'], ['cq', 'memory'], ['channel', 'pd', 'context']] as const;
export type TeardownLayer = (typeof stages)[number][number];

interface Kept {
  readonly layer: TeardownLayer;
  readonly destroy: () => Promise<void>;
}

/** What a scenario has created and has to destroy. */
export class Teardown {
  readonly #kept = new Map<object, Kept>();

  constructor(readonly driver: Driver) {}

  async keep<T extends object>(
    layer: TeardownLayer,
    creation: Promise<T>,
    destroy: (object: T) => Promise<void>,
  ): Promise<T> {
    const object = await creation;
    this.#kept.set(object, { layer, destroy: () => destroy(object) });
    return object;
  }

  /** Destroys one object now. While that is under way the clean-up leaves it alone; a refusal gives it back. */
  async destroy(object: object): Promise<void> {
    const kept = this.#kept.get(object);
    if (kept === undefined) throw new Error('the object is being destroyed already');
    this.#kept.delete(object);
    try {
      await kept.destroy();
    } catch (error) {
      this.#kept.set(object, kept);
      throw error;
    }
  }

  /** Destroys all that is left, a stage at a time. */
  async run(): Promise<void> {
    for (const stage of stages) {
      const objects = stage.flatMap((layer) => [...this.#kept].filter(([, kept]) => kept.layer === layer));
      for (const [object] of objects) this.#kept.delete(object);
      await Promise.all(objects.map(([, kept]) => this.#finish(kept.layer, kept.destroy())));
    }
  }

  async #finish(layer: TeardownLayer, destruction: Promise<void>): Promise<void> {
    const pending = new PendingCall(destruction);
    if (!(await happens(this.driver, () => pending.returned, pending.settled))) {
      const { eventMs } = this.driver.limits;
      throw new DutHung(`destroying a ${layer} did not return within ${eventMs} ms, no ack is owed`);
    }
    pending.result();
  }
}
