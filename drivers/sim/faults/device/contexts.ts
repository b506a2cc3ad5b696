import { AsyncEvents, type AsyncEvent, type AsyncEventType } from '../../async/async-events';
import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import { Context } from '../../device/context';
import type { Device } from '../../device/device';
import type { Pd } from '../../pd/pd';
import { Srq } from '../../srq/srq';
import type { Fault } from '../fault';

/** Objects of one kind, by the device that they were made on. */
class OnDevice<T> {
  readonly #made = new WeakMap<Device, T[]>();

  add(device: Device, object: T): void {
    this.#made.set(device, [...this.of(device), object]);
  }

  of(device: Device): readonly T[] {
    return this.#made.get(device) ?? [];
  }
}

const channels = new OnDevice<WatchedChannel>();

/** A channel that knows whether a get waits on it. */
class WatchedChannel extends CompChannel {
  isAwaited = false;

  constructor(...args: ConstructorParameters<typeof CompChannel>) {
    super(...args);
    channels.add(this.context.device, this);
  }

  override take(): Cq | undefined {
    const event = super.take();
    this.isAwaited = event === undefined;
    return event;
  }

  /** Channels of other device contexts on which gets wait. */
  protected get awaitedElsewhere(): readonly WatchedChannel[] {
    return channels.of(this.context.device).filter(({ context, isAwaited }) => context !== this.context && isAwaited);
  }

  receive(cq: Cq): void {
    super.add(cq);
  }
}

const cqs = new OnDevice<KnownCq>();

/** A CQ that knows the other ones of its device. */
class KnownCq extends Cq {
  #isEnding = false;

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    cqs.add(this.context.device, this);
  }

  override beginDestroy(): void {
    super.beginDestroy();
    this.#isEnding = true;
  }

  get isWaitingForAcks(): boolean {
    return this.#isEnding && !super.destroyable;
  }

  get others(): readonly KnownCq[] {
    return cqs.of(this.context.device).filter((cq) => cq !== this);
  }

  /** Those of other device contexts. */
  get elsewhere(): readonly KnownCq[] {
    return this.others.filter(({ context }) => context !== this.context);
  }

  get pending(): NotifyRequest | undefined {
    return this.request;
  }

  ask(request: NotifyRequest): void {
    this.request = request;
  }
}

/** Whether a CQ that is being destroyed waits for acks. */
const isHeldUp = ({ isWaitingForAcks }: KnownCq): boolean => isWaitingForAcks;

/** A CQ that takes the length of a receive from one with the same wr_id. */
abstract class Mixing extends KnownCq {
  readonly #lengths = new Map<bigint, number>();

  protected abstract get mixedWith(): readonly KnownCq[];

  override add(cqe: Cqe): void {
    const { wrId, byteLen } = cqe.wc;
    if (cqe.queue === 'receive') this.#lengths.set(wrId, byteLen);
    super.add({ ...cqe, wc: { ...cqe.wc, byteLen: this.#lengthElsewhere(cqe) ?? byteLen } });
  }

  #lengthElsewhere({ queue, wc: { wrId } }: Cqe): number | undefined {
    if (queue !== 'receive') return undefined;
    return this.mixedWith.flatMap((cq) => (cq instanceof Mixing ? (cq.#lengths.get(wrId) ?? []) : []))[0];
  }
}

const contexts = new OnDevice<Watched>();

/** The newest SRQ of each context. */
const srqs = new WeakMap<Context, Srq>();

/** The asynchronous events of a context, which know whether a get waits for one, and which are owed an ack. */
class WatchedEvents extends AsyncEvents {
  isAwaited = false;
  readonly owed = new Set<AsyncEvent>();

  override take(): AsyncEvent | undefined {
    const event = super.take();
    this.isAwaited = event === undefined;
    if (event !== undefined) this.owed.add(event);
    return event;
  }

  /** Settles all events of a type. */
  settle(eventType: AsyncEventType): void {
    for (const event of this.owed) if (event.eventType === eventType) super.acknowledge(event);
    this.owed.clear();
  }
}

/** A context that knows the others of its device. */
class Watched extends Context {
  constructor(device: Device) {
    super(device);
    contexts.add(device, this);
  }

  get isAwaited(): boolean {
    return this.asyncEvents instanceof WatchedEvents && this.asyncEvents.isAwaited;
  }

  /** Other contexts in which a get waits for an event. */
  protected get awaitedElsewhere(): readonly Watched[] {
    return contexts.of(this.device).filter((context) => context !== this && context.isAwaited);
  }

  hear(...event: Parameters<Context['raise']>): void {
    super.raise(...event);
  }
}

const destroyWaits = ['ibv_get_cq_event.destroy-waits-for-acks'];
const steering = ['ibv_create_comp_channel.multiple-channels-steer'];
const arming = ['ibv_req_notify_cq.arms-cq'];
const ownContext = ['ibv_get_async_event.waits-next'];

/** What one device context, or one object in it, does to another. */
export const faults: Readonly<Record<string, Fault>> = {
  'event-goes-to-a-get-of-another-context': {
    rules: steering,
    effect: 'an event comes out of a channel of another device context, if a get waits there',
    parts: {
      CompChannel: class extends WatchedChannel {
        override add(cq: Cq): void {
          const [other = this] = this.awaitedElsewhere;
          other.receive(cq);
        }
      },
    },
  },
  'event-wakes-gets-of-other-contexts': {
    rules: steering,
    effect: 'an event also ends gets that wait on channels of other device contexts',
    parts: {
      CompChannel: class extends WatchedChannel {
        override add(cq: Cq): void {
          for (const channel of [this, ...this.awaitedElsewhere]) channel.receive(cq);
        }
      },
    },
  },
  'event-makes-gets-of-other-contexts-miss-theirs': {
    rules: steering,
    effect: 'gets that wait on channels of other device contexts miss the next event there',
    parts: {
      CompChannel: class Deaf extends WatchedChannel {
        #isDeaf = false;

        override add(cq: Cq): void {
          for (const channel of this.awaitedElsewhere) if (channel instanceof Deaf) channel.#isDeaf = true;
          if (!this.#isDeaf) super.add(cq);
        }
      },
    },
  },
  'destroy-holds-up-its-channel': {
    rules: destroyWaits,
    effect: 'while a CQ that is being destroyed waits for acks, no event can be taken from its channel',
    parts: {
      Cq: KnownCq,
      CompChannel: class extends WatchedChannel {
        override get readable(): boolean {
          return super.readable && !this.#isHeldUp;
        }

        override take(): Cq | undefined {
          return this.#isHeldUp ? undefined : super.take();
        }

        get #isHeldUp(): boolean {
          return cqs.of(this.context.device).some((cq) => cq.channel === this && isHeldUp(cq));
        }
      },
    },
  },
  'destroy-holds-up-its-context': {
    rules: destroyWaits,
    effect: 'while a CQ that is being destroyed waits for acks, so does each other one of its device context',
    parts: {
      Cq: class extends KnownCq {
        override get destroyable(): boolean {
          return super.destroyable && !this.others.some((cq) => cq.context === this.context && isHeldUp(cq));
        }
      },
    },
  },
  'destroy-holds-up-other-contexts': {
    rules: destroyWaits,
    effect: 'while a CQ that is being destroyed waits for acks, so do those of other device contexts',
    parts: {
      Cq: class extends KnownCq {
        override get destroyable(): boolean {
          return super.destroyable && !this.elsewhere.some(isHeldUp);
        }
      },
    },
  },
  'ack-releases-a-destroy-of-another-context': {
    rules: destroyWaits,
    effect: 'an ack also counts for a CQ of another device context that waits for one to be destroyed',
    parts: {
      Cq: class extends KnownCq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          for (const { compEvents } of this.elsewhere.filter(isHeldUp)) compEvents.acknowledge(nevents);
        }
      },
    },
  },
  'request-replaces-those-of-other-contexts': {
    rules: arming,
    effect: 'a request takes the place of those that are pending for CQs of other device contexts',
    parts: {
      Cq: class extends KnownCq {
        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          for (const cq of this.elsewhere) if (cq.pending !== undefined) cq.ask(scope);
        }
      },
    },
  },
  'request-arms-cqs-of-other-contexts': {
    rules: arming,
    effect: 'a request also arms the CQs of other device contexts that are not armed',
    parts: {
      Cq: class extends KnownCq {
        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          for (const cq of this.elsewhere) if (cq.pending === undefined) cq.ask(scope);
        }
      },
    },
  },
  'equal-wr-ids-are-mixed-up': {
    rules: ['ibv_poll_cq.field-wr-id'],
    effect: 'a receive has the length of one with the same wr_id on another CQ of its device context',
    parts: {
      Cq: class extends Mixing {
        protected override get mixedWith(): readonly KnownCq[] {
          return this.others.filter(({ context }) => context === this.context);
        }
      },
    },
  },
  'equal-wr-ids-of-contexts-are-mixed-up': {
    rules: ['ibv_poll_cq.field-wr-id'],
    effect: 'a receive has the length of one with the same wr_id on an older CQ of another device context',
    parts: {
      Cq: class extends Mixing {
        protected override get mixedWith(): readonly KnownCq[] {
          const all = cqs.of(this.context.device);
          return this.elsewhere.filter((cq) => all.indexOf(cq) < all.indexOf(this));
        }
      },
    },
  },
  'async-event-goes-to-a-get-of-another-context': {
    rules: ownContext,
    effect: 'an asynchronous event goes to another device context, if a get waits there',
    parts: {
      AsyncEvents: WatchedEvents,
      Context: class extends Watched {
        override raise(...event: Parameters<Context['raise']>): void {
          const [other = this] = this.awaitedElsewhere;
          other.hear(...event);
        }
      },
    },
  },
  'async-event-wakes-gets-of-other-contexts': {
    rules: ownContext,
    effect: 'an asynchronous event also ends gets that wait in other device contexts',
    parts: {
      AsyncEvents: WatchedEvents,
      Context: class extends Watched {
        override raise(...event: Parameters<Context['raise']>): void {
          for (const context of [this, ...this.awaitedElsewhere]) context.hear(...event);
        }
      },
    },
  },
  'async-event-makes-gets-of-other-contexts-miss-theirs': {
    rules: ownContext,
    effect: 'gets that wait in other device contexts miss the next asynchronous event there',
    parts: {
      AsyncEvents: WatchedEvents,
      Context: class Deaf extends Watched {
        #isDeaf = false;

        override raise(...event: Parameters<Context['raise']>): void {
          for (const context of this.awaitedElsewhere) if (context instanceof Deaf) context.#isDeaf = true;
          if (!this.#isDeaf) super.raise(...event);
        }
      },
    },
  },
  'async-event-names-an-srq-of-another-context': {
    rules: ownContext,
    effect: 'the event of an SRQ names the one of another device context, if a get waits there',
    parts: {
      AsyncEvents: WatchedEvents,
      Context: class extends Watched {
        override raise(...[eventType, element]: Parameters<Context['raise']>): void {
          const [other] = this.awaitedElsewhere;
          super.raise(eventType, element instanceof Srq && other !== undefined ? srqs.get(other) : element);
        }
      },
      Srq: class extends Srq {
        constructor(pd: Pd) {
          super(pd);
          srqs.set(pd.context, this);
        }
      },
    },
  },
  'async-ack-counts-in-other-contexts': {
    rules: ['ibv_get_async_event.destroy-srq-waits'],
    effect: 'the ack of an event of an SRQ also counts for those of SRQs of other device contexts',
    parts: {
      Context: Watched,
      AsyncEvents: class extends WatchedEvents {
        override acknowledge(event: AsyncEvent): void {
          super.acknowledge(event);
          this.owed.delete(event);
          if (!(event.element instanceof Srq)) return;
          for (const { asyncEvents } of contexts.of(event.element.pd.context.device))
            if (asyncEvents instanceof WatchedEvents && asyncEvents !== this) asyncEvents.settle(event.eventType);
        }
      },
    },
  },
};
