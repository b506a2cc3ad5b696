import type { Context, Driver, Pd } from '../../drivers/contract';
import { MessageMemory } from '../mr/message-memory';
import type { Teardown } from './teardown';

/** A device under test, and what a scenario needs of it before anything else: each is made on first mention. */
export class Node {
  #context: Promise<Context> | undefined;
  #pd: Promise<Pd> | undefined;
  #memory: Promise<MessageMemory> | undefined;

  constructor(
    readonly driver: Driver,
    readonly teardown: Teardown,
  ) {}

  context(): Promise<Context> {
    this.#context ??= this.teardown.keep('context', this.driver.openDevice(), (context) =>
      this.driver.closeDevice(context),
    );
    return this.#context;
  }

  pd(): Promise<Pd> {
    this.#pd ??= this.context().then((context) => this.newPd(context));
    return this.#pd;
  }

  newPd(context: Context): Promise<Pd> {
    return this.teardown.keep('pd', this.driver.allocPd(context), (pd) => this.driver.deallocPd(pd));
  }

  memory(): Promise<MessageMemory> {
    this.#memory ??= this.pd().then((pd) =>
      this.teardown.keep('memory', MessageMemory.register(this.driver, pd), (memory) => memory.deregister()),
    );
    return this.#memory;
  }
}
