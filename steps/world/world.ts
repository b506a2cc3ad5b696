import { setWorldConstructor, World } from '@cucumber/cucumber';
import {
  DutHung,
  HarnessError,
  type Ah,
  type AsyncEvent,
  type CompChannel,
  type Context,
  type Cq,
  type Driver,
  type Mr,
  type Mw,
  type Pd,
  type Qp,
  type Srq,
} from '../../drivers/contract';
import type { CallOn } from '../calls/call';
import type { CqWish } from '../cq/cq-attributes';
import { Batches } from '../cq/batches';
import { driverUnderTest } from './dut';
import { MessageMemory } from '../mr/message-memory';
import { Named } from './named';
import type { ObjectRef } from './object-ref';
import { OwedEvents } from '../channel/owed-events';
import { PendingCall } from '../calls/pending-call';
import { Teardown, type TeardownLayer } from './teardown';
import type { BringUp } from '../qp/connection';
import { happens } from './waits';

/** A queue pair with the CQs that it reports to and the QP at its other end. */
export interface ConnectedQp extends BringUp {
  readonly qp: Qp;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  /** Where its receives come from, if not from its own queue. */
  readonly srq: Srq | undefined;
  readonly peer: Qp;
  /** The way to the peer of a UD QP. */
  readonly ah: Ah | undefined;
  /** What each of its own queues holds. */
  readonly workRequests: number;
}

/** A memory window as it was bound last. */
export interface BoundWindow {
  readonly mw: Mw;
  readonly rkey: number;
  /** Of the first byte that it shows. */
  readonly addr: bigint;
}

/** A call that a scenario begins. */
export type Call = CallOn<VerbsWorld>;

/** The objects of one scenario. Everything is made on first mention and destroyed at the end. */
export class VerbsWorld extends World {
  readonly driver: Driver = driverUnderTest();
  /** Whether the driver has been told of this scenario. */
  hasBegun = false;
  readonly channels = new Named<CompChannel>('completion channel');
  readonly cqs = new Named<Cq>('CQ');
  readonly qps = new Named<ConnectedQp>('QP');
  readonly srqs = new Named<Srq>('SRQ');
  readonly memories = new Named<Mr>('memory');
  readonly windows = new Named<BoundWindow>('memory window');
  /** Work request id of a send that the device may refuse. */
  triedWrId: bigint | undefined;
  /** Asynchronous events that were taken and that no step has asked for, in order. */
  readonly asyncEvents: AsyncEvent[] = [];
  readonly owed = new OwedEvents(this.driver);
  readonly batches = new Batches(this.driver);
  readonly #calls = new Map<string, { readonly call: Call; readonly pending: PendingCall<unknown> }>();
  readonly #teardown = new Teardown(this.driver);
  #nextWrId = 1n;
  #context: Promise<Context> | undefined;
  #pd: Promise<Pd> | undefined;
  #memory: Promise<MessageMemory> | undefined;

  /** A work request id that this scenario has not used. */
  nextWrId(): bigint {
    return this.#nextWrId++;
  }

  /** The work request ids that were handed out last, in order. */
  lastWrIds(count: number): bigint[] {
    const first = this.#nextWrId - BigInt(count);
    return Array.from({ length: count }, (_, index) => first + BigInt(index));
  }

  /** Work requests of this scenario so far; there can be no more completions than that. */
  get workRequests(): number {
    return Number(this.#nextWrId) - 1;
  }

  context(): Promise<Context> {
    this.#context ??= this.keep('context', this.driver.openDevice(this.driver.dut.hcaId), (context) => this.driver.closeDevice(context));
    return this.#context;
  }

  pd(): Promise<Pd> {
    this.#pd ??= this.context().then((context) => this.newPd(context));
    return this.#pd;
  }

  newPd(context: Context): Promise<Pd> {
    return this.keep('pd', this.driver.allocPd(context), (pd) => this.driver.deallocPd(pd));
  }

  memory(): Promise<MessageMemory> {
    this.#memory ??= this.pd().then((pd) =>
      this.keep('memory', MessageMemory.register(this.driver, pd), (memory) => memory.deregister()),
    );
    return this.#memory;
  }

  /** The completion channel of that name, created on first mention. */
  async channel(name: string): Promise<CompChannel> {
    if (this.channels.has(name)) return this.channels.get(name);
    return this.channels.add(name, await this.newChannel());
  }

  async newChannel(): Promise<CompChannel> {
    const created = this.driver.createCompChannel(await this.context());
    return this.keep('channel', created, (channel) => this.driver.destroyCompChannel(channel));
  }

  async newCq({ cqe, cqContext = 0n, compVector = 0 }: CqWish, channel: CompChannel | null = null): Promise<Cq> {
    return this.keepCq(this.driver.createCq(await this.context(), cqe, cqContext, channel, compVector));
  }

  keepCq(creation: Promise<Cq>): Promise<Cq> {
    return this.keep('cq', creation, (cq) => this.driver.destroyCq(cq));
  }

  /** Keeps an object for the clean-up at the end of the scenario. */
  keep<T extends object>(
    layer: TeardownLayer,
    creation: Promise<T>,
    destroy: (object: T) => Promise<void>,
  ): Promise<T> {
    return this.#teardown.keep(layer, creation, destroy);
  }

  /** The object that a feature names. */
  object({ kind, name }: ObjectRef): CompChannel | Cq | Qp | Srq {
    switch (kind) {
      case 'CQ':
        return this.cqs.get(name);
      case 'QP':
        return this.qps.get(name).qp;
      case 'SRQ':
        return this.srqs.get(name);
      case 'completion channel':
        return this.channels.get(name);
    }
  }

  /** Destroys an object; one that is not destroyed, because that was refused, stays with the clean-up. */
  async destroy(ref: ObjectRef): Promise<void> {
    await this.owed.acknowledgeAmong(this.asyncEvents);
    await this.#teardown.destroy(this.object(ref));
  }

  /** Deregisters memory. Its address and its keys can still be named. */
  async deregister(name: string): Promise<void> {
    await this.#teardown.destroy(this.memories.get(name));
  }

  /** Deallocates a memory window. Its R_Key can still be named. */
  async deallocate(window: string): Promise<void> {
    await this.#teardown.destroy(this.windows.get(window).mw);
  }

  /** Begins a call. The same phrase can begin again once the one before has returned. */
  begin(call: Call): PendingCall<unknown> {
    const before = this.#calls.get(call.phrase)?.pending;
    if (before?.returned === false) throw new HarnessError(`${call.phrase} has begun already`);
    if (before?.examined === false) before.result(); // a refusal that nobody has looked at
    const pending = new PendingCall(call.start(this));
    this.#calls.set(call.phrase, { call, pending });
    return pending;
  }

  /** The call of that phrase that nobody has looked at yet; it begins now if there is none. */
  begun(call: Call): PendingCall<unknown> {
    const before = this.#calls.get(call.phrase)?.pending;
    return before === undefined || before.examined ? this.begin(call) : before;
  }

  /** Closes open batches, acknowledges exactly the events taken, waits for what has begun, destroys what is left. */
  async cleanUp(): Promise<void> {
    await this.batches.closeAll();
    await this.owed.acknowledgeAll();
    if ([...this.#calls.values()].some(({ pending }) => !pending.examined)) await this.driver.settle();
    for (const { call, pending } of this.#calls.values()) await this.#finish(call, pending);
    await this.#teardown.run();
  }

  /** A call that was left blocked ends with its process; one that was refused unseen is told. */
  async #finish({ phrase, waits }: Call, pending: PendingCall<unknown>): Promise<void> {
    if (pending.examined) return;
    if (!waits) await pending.settled;
    const isDestruction = phrase.startsWith('destroying');
    if (isDestruction && !(await happens(this.driver, () => pending.returned))) {
      throw new DutHung(`${phrase} did not return within ${this.driver.limits.eventMs} ms, no ack is owed`);
    }
    if (pending.returned) pending.result();
  }
}

setWorldConstructor(VerbsWorld);
