import { DutHung, end, endingOrder, kinds, type Driver, type Kind, type Objects } from '../../drivers/contract';
import { PendingCall } from '../calls/pending-call';
import { happens } from './waits';

interface Kept {
  readonly kind: Kind;
  readonly driver: Driver;
  readonly destroy: () => Promise<void>;
}

/** What a scenario has created and has to destroy, and what it has changed around that and has to put right. */
export class Teardown {
  readonly #kept = new Map<object, Kept>();
  readonly #undoings: (() => Promise<void>)[] = [];

  constructor(readonly driver: Driver) {}

  /** @param driver - that of the device on which the object is */
  async keep<K extends Kind>(kind: K, creation: Promise<Objects[K]>, driver = this.driver): Promise<Objects[K]> {
    const object = await creation;
    this.#kept.set(object, { kind, driver, destroy: () => end(driver, kind, object) });
    return object;
  }

  undoLater(undo: () => Promise<void>): void {
    this.#undoings.push(undo);
  }

  /** Whether an object is there and is not being destroyed. */
  has(object: object): boolean {
    return this.#kept.has(object);
  }

  /** The objects of a kind that a device has and that are not being destroyed. */
  living<K extends Kind>(kind: K, driver: Driver): readonly Objects[K][] {
    const living = [...this.#kept].filter(([, kept]) => kept.kind === kind && kept.driver === driver);
    return living.map(([object]) => object as Objects[K]);
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

  /** Undoes what was changed, then destroys all that is left: users go before what they use. */
  async run(): Promise<void> {
    for (const undo of this.#undoings.splice(0)) await this.#finish('undoing a change', new PendingCall(undo()));
    const objects = endingOrder.flatMap((kind) => this.#take(kind));
    const begun = this.driver.inTurn(() =>
      objects.map(({ kind, destroy }) => ({ kind, pending: new PendingCall(destroy()) })),
    );
    for (const { kind, pending } of begun) await this.#finish(`destroying a ${kinds[kind].words}`, pending);
  }

  #take(kind: Kind): readonly Kept[] {
    const taken = [...this.#kept].filter(([, kept]) => kept.kind === kind);
    for (const [object] of taken) this.#kept.delete(object);
    return taken.map(([, kept]) => kept);
  }

  async #finish(what: string, pending: PendingCall): Promise<void> {
    if (!(await happens(this.driver, () => pending.returned, { sooner: pending.settled }))) {
      throw new DutHung(`${what} did not return within ${this.driver.limits.eventMs} ms, no ack is owed`);
    }
    pending.result();
  }
}
