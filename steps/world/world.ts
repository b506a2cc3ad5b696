import { setWorldConstructor, World } from '@cucumber/cucumber';
import {
  DutHung,
  HarnessError,
  kinds,
  type Ah,
  type CompChannel,
  type Context,
  type Cq,
  type Driver,
  type Kind,
  type Mr,
  type Mw,
  type Objects,
  type Pd,
  type Qp,
  type Srq,
} from '../../drivers/contract';
import type { CallOn } from '../calls/call';
import type { CqWish } from '../cq/cq-wish';
import { Batches } from '../cq/batches';
import { driverUnderTest } from './dut';
import type { MessageMemory } from '../mr/message-memory';
import { Named } from './named';
import { Node } from './node';
import { Nodes } from './nodes';
import type { ObjectRef } from './object-ref';
import { OwedEvents } from '../channel/owed-events';
import { PendingCall } from '../calls/pending-call';
import { Teardown } from './teardown';
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

/** Work request ids count from here: each of their 64 bits matters, so that one that loses a part is no other's. */
const firstWrId = 0x9e37_79b9_7f4a_7c15n;

/** The objects of one scenario. Everything is made on first mention and destroyed at the end. */
export class VerbsWorld extends World {
  readonly driver: Driver = driverUnderTest();
  /** Calls that its steps have made, once they are over. */
  callsOfSteps: number | undefined;
  /** Whether the driver knows of this scenario. */
  hasBegun = false;
  /** Whether the kernel of the device has died in it. */
  kernelHasDied = false;
  /** Whether it is known already why the scenario leaves something behind. */
  isUntidy = false;
  readonly channels = new Named<CompChannel>(kinds.channel.words);
  readonly cqs = new Named<Cq>(kinds.cq.words);
  readonly qps = new Named<ConnectedQp>(kinds.qp.words);
  readonly srqs = new Named<Srq>(kinds.srq.words);
  readonly memories = new Named<Mr>(kinds.memory.words);
  readonly #named = { channel: this.channels, cq: this.cqs, srq: this.srqs };
  readonly windows = new Named<BoundWindow>(kinds.mw.words);
  /** Work request id of a send that the device may refuse. */
  triedWrId: bigint | undefined;
  readonly owed = new OwedEvents(this.driver);
  readonly batches = new Batches(this.driver);
  readonly #calls = new Map<string, { readonly call: Call; readonly pending: PendingCall<unknown> }>();
  readonly #teardown = new Teardown(this.driver);
  readonly nodes = new Nodes(this.driver, this.#teardown);
  readonly #contexts = new Map<string, Node>();
  readonly #nodeOf = new WeakMap<object, Node>();
  #here = this.nodes.home;
  #nextWrId = firstWrId;

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
    return Number(this.#nextWrId - firstWrId);
  }

  /** The device of that name. Steps that name none use the one of {@link VerbsWorld.driver}. */
  node(name: string): Promise<Node> {
    return this.nodes.get(name);
  }

  /** The device context on which objects are made now. */
  get here(): Node {
    return this.#here;
  }

  /** A further device context of that name, opened on first mention. */
  contextNamed(name: string): Node {
    const node = this.#contexts.get(name) ?? new Node(this.driver, this.#teardown);
    this.#contexts.set(name, node);
    return node;
  }

  /** Has all that follows be made on that device context. */
  goTo(node: Node): void {
    this.#here = node;
  }

  context(): Promise<Context> {
    return this.#here.context();
  }

  pd(): Promise<Pd> {
    return this.#here.pd();
  }

  newPd(context: Context): Promise<Pd> {
    return this.#here.newPd(context);
  }

  /** Memory for the messages of an object that was kept, which is of the PD that the object is of. */
  memoryFor(object: object): Promise<MessageMemory> {
    return (this.#nodeOf.get(object) ?? this.#here).memory();
  }

  /** The completion channel of that name, created on first mention. */
  async channel(name: string): Promise<CompChannel> {
    if (this.channels.has(name)) return this.channels.get(name);
    return this.channels.add(name, await this.newChannel());
  }

  async newChannel(): Promise<CompChannel> {
    return this.keep('channel', this.driver.createCompChannel(await this.context()));
  }

  async newCq({ cqe, cqContext = 0n, compVector = 0 }: CqWish, channel: CompChannel | null = null): Promise<Cq> {
    return this.keep('cq', this.driver.createCq(await this.context(), cqe, cqContext, channel, compVector));
  }

  /** Keeps an object for the clean-up at the end of the scenario. */
  async keep<K extends Kind>(kind: K, creation: Promise<Objects[K]>): Promise<Objects[K]> {
    const node = this.#here;
    const object = await this.#teardown.keep(kind, creation);
    this.#nodeOf.set(object, node);
    return object;
  }

  /** Has the clean-up undo what was changed around the objects. */
  async undoLater(change: Promise<void>, undo: () => Promise<void>): Promise<void> {
    await change;
    this.#teardown.undoLater(undo);
  }

  /** The object that a feature names. */
  object({ kind, name }: ObjectRef): CompChannel | Cq | Qp | Srq {
    return kind === 'qp' ? this.qps.get(name).qp : this.#named[kind].get(name);
  }

  /** Destroys an object; one that is not destroyed, because that was refused, stays with the clean-up. */
  async destroy(ref: ObjectRef): Promise<void> {
    for (const { asyncEvents } of [this.nodes.home, ...this.#contexts.values()])
      await this.owed.acknowledgeAmong(asyncEvents);
    await this.#teardown.destroy(this.object(ref));
  }

  /** Ends an object that no step names. */
  async end(object: object): Promise<void> {
    await this.#teardown.destroy(object);
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

  /** A call that was left blocked ends with its process; one that was refused unseen is reported. */
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
