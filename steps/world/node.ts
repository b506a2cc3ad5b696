import type { AsyncEvent, Context, Driver, Kind, Objects, Pd } from '../../drivers/contract';
import { MessageMemory } from '../mr/message-memory';
import type { Keeper } from './keeper';
import type { Teardown } from './teardown';

/** A context of a device under test, and what a scenario needs there before anything else: each is made on first mention. */
export class Node implements Keeper {
  /** Asynchronous events of the context that were taken and that no step has asked for, in order. */
  readonly asyncEvents: AsyncEvent[] = [];
  #context: Promise<Context> | undefined;
  #pd: Promise<Pd> | undefined;
  #memory: Promise<MessageMemory> | undefined;

  constructor(
    readonly driver: Driver,
    readonly teardown: Teardown,
  ) {}

  keep<K extends Kind>(kind: K, creation: Promise<Objects[K]>): Promise<Objects[K]> {
    return this.teardown.keep(kind, creation, this.driver);
  }

  context(): Promise<Context> {
    this.#context ??= this.keep('context', this.driver.openDevice(this.driver.dut.hcaId));
    return this.#context;
  }

  pd(): Promise<Pd> {
    this.#pd ??= this.context().then((context) => this.newPd(context));
    return this.#pd;
  }

  newPd(context: Context): Promise<Pd> {
    return this.keep('pd', this.driver.allocPd(context));
  }

  memory(): Promise<MessageMemory> {
    this.#memory ??= this.pd().then((pd) => MessageMemory.register(this, pd));
    return this.#memory;
  }
}
