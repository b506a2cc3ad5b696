import { setWorldConstructor, World } from '@cucumber/cucumber';
import {
  DutHung,
  type AsyncEvent,
  type CompChannel,
  type Context,
  type Cq,
  type Driver,
  type Pd,
  type Qp,
} from '../drivers/contract';
import { driverUnderTest } from './dut';
import { MessageMemory } from './message-memory';
import { Named } from './named';
import { OwedEvents } from './owed-events';
import { PendingCall } from './pending-call';
import { happens } from './waits';

/** A queue pair with the CQs that it reports to and the QP at its other end. */
export interface ConnectedQp {
  readonly qp: Qp;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  readonly peer: Qp;
}

/** The objects of one scenario. Everything is made on first mention and destroyed in reverse order at the end. */
export class VerbsWorld extends World {
  readonly driver: Driver = driverUnderTest();
  readonly channels = new Named<CompChannel>('completion channel');
  readonly cqs = new Named<Cq>('CQ');
  readonly qps = new Named<ConnectedQp>('QP');
  /** Work request id of a send that the device may refuse. */
  triedWrId: bigint | undefined;
  /** Asynchronous events that were taken, in order. */
  readonly asyncEvents: AsyncEvent[] = [];
  /** CQs whose destruction has begun. */
  readonly destroying = new Map<Cq, PendingCall>();
  readonly owed = new OwedEvents(this.driver);
  #nextWrId = 1n;
  #context: Promise<Context> | undefined;
  #pd: Promise<Pd> | undefined;
  #memory: Promise<MessageMemory> | undefined;
  readonly #destructions = new Map<object, () => Promise<void>>();

  /** A work request id that this scenario has not used. */
  nextWrId(): bigint {
    return this.#nextWrId++;
  }

  /** Work requests of this scenario so far; there can be no more completions than that. */
  get workRequests(): number {
    return Number(this.#nextWrId) - 1;
  }

  context(): Promise<Context> {
    this.#context ??= this.create(this.driver.openDevice(), (context) => this.driver.closeDevice(context));
    return this.#context;
  }

  pd(): Promise<Pd> {
    this.#pd ??= this.context().then((context) =>
      this.create(this.driver.allocPd(context), (pd) => this.driver.deallocPd(pd)),
    );
    return this.#pd;
  }

  memory(): Promise<MessageMemory> {
    this.#memory ??= this.pd().then((pd) =>
      this.create(MessageMemory.register(this.driver, pd), (memory) => memory.deregister()),
    );
    return this.#memory;
  }

  /** The completion channel of that name, created on first mention. */
  async channel(name: string): Promise<CompChannel> {
    if (this.channels.has(name)) return this.channels.get(name);
    const created = this.driver.createCompChannel(await this.context());
    return this.channels.add(name, await this.create(created, (channel) => this.driver.destroyCompChannel(channel)));
  }

  /** Keeps an object for the clean-up at the end of the scenario. */
  async create<T extends object>(creation: Promise<T>, destroy: (object: T) => Promise<void>): Promise<T> {
    const object = await creation;
    this.#destructions.set(object, () => destroy(object));
    return object;
  }

  /** Leaves an object that a step destroys out of the clean-up. */
  forget(object: object): void {
    this.#destructions.delete(object);
  }

  /** Acknowledges exactly the events that were taken, then destroys what is left, the newest first. */
  async cleanUp(): Promise<void> {
    await this.owed.acknowledgeAll();
    for (const destruction of this.destroying.values()) await this.#finish(destruction);
    for (const [object, destroy] of [...this.#destructions].reverse()) {
      await this.#finish(new PendingCall(destroy()));
      this.#destructions.delete(object);
    }
  }

  async #finish(destruction: PendingCall): Promise<void> {
    if (!(await happens(this.driver, () => destruction.returned))) {
      throw new DutHung(`destroying an object did not return within ${this.driver.limits.eventMs} ms, no ack is owed`);
    }
    destruction.result();
  }
}

setWorldConstructor(VerbsWorld);
