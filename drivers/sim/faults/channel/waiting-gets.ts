import { CompChannel } from '../../channel/comp-channel';
import { Cq, type NotifyRequest } from '../../cq/cq';
import { Device } from '../../device/device';
import type { Qp } from '../../qp/qp';
import type { Fault } from '../fault';

const page = 'ibv_get_cq_event';
const waitsNext = [`${page}.waits-next`];

/** A channel that knows how many gets wait on it. */
class WatchedChannel extends CompChannel {
  protected waiting = 0;

  override beginGet(): void {
    super.beginGet();
    if (!this.readable) this.waiting += 1;
  }

  override take(): Cq | undefined {
    const event = this.next();
    if (event !== undefined && this.waiting > 0) this.waiting -= 1;
    return event;
  }

  protected next(): Cq | undefined {
    return super.take();
  }

  /** Gives a get that waits an event that there was not. */
  disturb(): void {
    const [cq] = this.cqs;
    if (this.waiting > 0 && cq !== undefined) this.events.push(cq);
  }
}

/** Disturbs the gets that wait on the channel of a CQ. */
function disturb({ channel }: Cq): void {
  if (channel instanceof WatchedChannel) channel.disturb();
}

/** What happens to gets that wait while other threads are busy, or beside other gets. */
export const faults: Readonly<Record<string, Fault>> = {
  'event-wakes-all-gets': {
    rules: [...waitsNext, `${page}.fills-cq-shared-channel`],
    effect: 'an event is given to each of the gets that wait on its channel',
    parts: {
      CompChannel: class extends WatchedChannel {
        override add(cq: Cq): void {
          for (let gets = Math.max(1, this.waiting); gets > 0; gets -= 1) super.add(cq);
        }
      },
    },
  },
  'get-beside-a-woken-one-misses-its-event': {
    rules: [...waitsNext, `${page}.fills-cq-shared-channel`],
    effect: 'once an event has woken one of several gets, the next event is lost',
    parts: {
      CompChannel: class extends WatchedChannel {
        #isNextLost = false;

        override add(cq: Cq): void {
          const isLost = this.#isNextLost;
          this.#isNextLost = this.waiting > 1;
          if (!isLost) super.add(cq);
        }
      },
    },
  },
  'woken-get-owes-no-ack': {
    rules: [`${page}.acks-match-gets`],
    effect: 'an event that a get waited for is owed no ack',
    parts: {
      CompChannel: class extends WatchedChannel {
        protected override next(): Cq | undefined {
          return this.waiting > 0 ? this.events.shift() : super.next();
        }
      },
    },
  },
  'gets-that-wait-together-owe-one-ack': {
    rules: [`${page}.acks-match-gets`],
    effect: 'of gets that waited at the same time the first is owed no ack',
    parts: {
      CompChannel: class extends WatchedChannel {
        protected override next(): Cq | undefined {
          return this.waiting > 1 ? this.events.shift() : super.next();
        }
      },
    },
  },
  'repeated-request-wakes-the-get': {
    rules: waitsNext,
    effect: 'arming a CQ that is armed already ends a get that waits on its channel',
    parts: {
      CompChannel: WatchedChannel,
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.request !== undefined) disturb(this);
          super.notify(scope);
        }
      },
    },
  },
  'request-with-a-backlog-wakes-the-get': {
    rules: waitsNext,
    effect: 'arming a CQ with CQEs in it ends a get that waits on its channel',
    parts: {
      CompChannel: WatchedChannel,
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.cqes.length > 0) disturb(this);
          super.notify(scope);
        }
      },
    },
  },
  'emptied-cq-wakes-the-get': {
    rules: waitsNext,
    effect: 'taking the last CQE of a CQ ends a get that waits on its channel',
    parts: {
      CompChannel: WatchedChannel,
      Cq: class extends Cq {
        override poll(numEntries: number) {
          const polled = super.poll(numEntries);
          if (polled.length > 0 && this.cqes.length === 0 && this.request === undefined) disturb(this);
          return polled;
        }
      },
    },
  },
  'ack-wakes-the-get': {
    rules: waitsNext,
    effect: 'an ack ends a get that waits on the channel of its CQ',
    parts: {
      CompChannel: WatchedChannel,
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          disturb(this);
        }
      },
    },
  },
  'resize-wakes-the-get': {
    rules: waitsNext,
    effect: 'resizing a CQ that is armed ends a get that waits on its channel',
    parts: {
      CompChannel: WatchedChannel,
      Cq: class extends Cq {
        override resize(cqe: number): void {
          super.resize(cqe);
          if (this.request !== undefined) disturb(this);
        }
      },
    },
  },
  'destroyed-qp-wakes-the-get': {
    rules: waitsNext,
    effect: 'destroying a QP ends a get that waits on the channel of its CQ',
    parts: {
      CompChannel: WatchedChannel,
      Device: class extends Device {
        override beginDestroyQp(qp: Qp): void {
          super.beginDestroyQp(qp);
          disturb(qp.init.recvCq);
        }
      },
    },
  },
  'destroyed-neighbour-wakes-the-get': {
    rules: waitsNext,
    effect: 'destroying a CQ ends a get that waits on the channel',
    parts: {
      CompChannel: class extends WatchedChannel {
        override forget(cq: Cq): void {
          super.forget(cq);
          this.disturb();
        }
      },
    },
  },
  'get-beside-a-destroyed-neighbour-misses-its-event': {
    rules: waitsNext,
    effect: 'once a CQ of its channel has been destroyed, a get that waits misses the next event',
    parts: {
      CompChannel: class extends WatchedChannel {
        #isNextLost = false;

        override forget(cq: Cq): void {
          super.forget(cq);
          this.#isNextLost = this.waiting > 0;
        }

        override add(cq: Cq): void {
          if (!this.#isNextLost) super.add(cq);
          this.#isNextLost = false;
        }
      },
    },
  },
  'destroyed-channel-wakes-gets': {
    rules: waitsNext,
    effect: 'destroying a channel ends a get that waits on another one',
    parts: {
      CompChannel: class Destroyed extends WatchedChannel {
        static readonly #channels = new WeakMap<Device, Set<Destroyed>>();

        constructor(...args: ConstructorParameters<typeof CompChannel>) {
          super(...args);
          Destroyed.#channels.set(this.context.device, this.#all.add(this));
        }

        get #all(): Set<Destroyed> {
          return Destroyed.#channels.get(this.context.device) ?? new Set();
        }

        override destroy(): void {
          super.destroy();
          this.#all.delete(this);
          for (const other of this.#all) other.disturb();
        }
      },
    },
  },
};
