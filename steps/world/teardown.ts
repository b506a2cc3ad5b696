import { DutHung, type Driver } from '../../drivers/contract';
import { PendingCall } from '../calls/pending-call';
import { happens } from './waits';

/** What a scenario keeps, by what depends on it: users go before what they use. A window that is bound holds its QP. */
const objectLayers = ['window', 'qp', 'cq', 'memory', 'channel', 'pd', 'context'] as const;

/** What was changed around the objects is put right before them. */
export type TeardownLayer = 'environment' | (typeof objectLayers)[number];

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

  /** Destroys all that is left. */
  async run(): Promise<void> {
    for (const { layer, destroy } of this.#take('environment')) await this.#finish(layer, new PendingCall(destroy()));
    const objects = objectLayers.flatMap((layer) => this.#take(layer));
    const begun = this.driver.inTurn(() =>
      objects.map(({ layer, destroy }) => ({ layer, pending: new PendingCall(destroy()) })),
    );
    for (const { layer, pending } of begun) await this.#finish(layer, pending);
  }

  #take(layer: TeardownLayer): readonly Kept[] {
    const taken = [...this.#kept].filter(([, kept]) => kept.layer === layer);
    for (const [object] of taken) this.#kept.delete(object);
    return taken.map(([, kept]) => kept);
  }

  async #finish(layer: TeardownLayer, pending: PendingCall): Promise<void> {
    if (!(await happens(this.driver, () => pending.returned, pending.settled))) {
      const { eventMs } = this.driver.limits;
      throw new DutHung(`destroying a ${layer} did not return within ${eventMs} ms, no ack is owed`);
    }
    pending.result();
  }
}
