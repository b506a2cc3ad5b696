import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type CqInit } from '../../cq/cq';
import type { Context } from '../../device/context';
import { Device } from '../../device/device';
import { Descriptors, type Descriptor } from '../../descriptors';
import type { Qp } from '../../qp/qp';
import { type QpInit } from '../../qp/qp';
import { demand } from '../../refusal';
import type { AsyncEvent } from '../../async/async-events';
import { AsyncEvents } from '../../async/async-events';
import type { Fault } from '../fault';
import { refusingWith } from '../returning';

/** The first CQ that was created in the context. */
class NamesTheFirstCq extends Cq {
  static readonly #first = new WeakMap<Context, Cq>();

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    if (!NamesTheFirstCq.#first.has(this.context)) NamesTheFirstCq.#first.set(this.context, this);
  }

  protected override fire(): void {
    this.spendRequest();
    this.channel?.add(NamesTheFirstCq.#first.get(this.context) ?? this);
  }
}

/** A CQ that a new QP can disarm. */
class DisarmableCq extends Cq {
  disarm(): void {
    this.request = undefined;
  }
}

/** A CQ that says whether it is empty. */
class CountedCq extends Cq {
  get isEmpty(): boolean {
    return this.cqes.length === 0;
  }
}

const filesMax = 5;
const create = 'ibv_create_comp_channel';
const page = 'ibv_get_cq_event';
const async = 'ibv_get_async_event';

/** Further faults of completion channels and of their events: those of other objects and of other moments. */
export const faults: Readonly<Record<string, Fault>> = {
  'two-files-a-device': {
    rules: [`${create}.signature`, `${create}.returns-pointer`],
    effect: 'a process has descriptors for a context and one channel',
    parts: {
      Descriptors: class extends Descriptors {
        override open(): Descriptor {
          const descriptor = super.open();
          demand(descriptor.fd < filesMax, 'EMFILE');
          return descriptor;
        }
      },
    },
  },
  'failed-channel-is-minus-one': {
    rules: [`${create}.returns-null`, `${create}.errno-on-null`],
    effect: 'a channel that could not be created is -1',
    parts: refusingWith(['ibv_create_comp_channel'], () => ({ returned: -1 })),
  },
  'unused-channel-stays': {
    rules: [`${create}.destroy-returns-zero`],
    effect: 'a channel that has never had a CQ cannot be destroyed',
    parts: {
      CompChannel: class extends CompChannel {
        #isUsed = false;

        override bind(cq: Cq): void {
          super.bind(cq);
          this.#isUsed = true;
        }

        override destroy(): void {
          demand(this.#isUsed, 'EBUSY');
          super.destroy();
        }
      },
    },
  },
  'serves-the-first-cq-alone': {
    rules: [`${create}.shared-by-cqs`, `${page}.fills-cq-shared-channel`],
    effect: 'a channel serves the CQ that was attached first',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          const [first] = this.cqs;
          if (cq === first) super.add(cq);
        }
      },
    },
  },
  'event-names-the-oldest-cq': {
    rules: [`${page}.fills-cq`],
    effect: 'an event names the first CQ of its context',
    parts: { Cq: NamesTheFirstCq },
  },
  'ack-of-several-misses-one': {
    rules: [`${page}.signature-ack`, `${page}.ack-count`, `${page}.ack-batching`],
    effect: 'an ack of several events leaves one of them owed',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents > 1 ? nevents - 1 : nevents);
        }
      },
    },
  },
  'ack-is-late': {
    rules: [`${page}.destroy-resumes-on-ack`],
    effect: 'an ack that comes while the CQ is being destroyed does not count',
    parts: {
      Cq: class extends Cq {
        #isEnding = false;

        override beginDestroy(): void {
          super.beginDestroy();
          this.#isEnding = true;
        }

        override acknowledge(nevents: number): void {
          if (!this.#isEnding) super.acknowledge(nevents);
        }
      },
    },
  },
  'new-qp-disarms': {
    rules: [`${page}.example-arm-before-work`],
    effect: 'a CQ is not armed any more when a QP is created for it',
    parts: {
      Cq: DisarmableCq,
      Device: class extends Device {
        override createQp(init: QpInit): Qp {
          for (const cq of [init.sendCq, init.recvCq]) if (cq instanceof DisarmableCq) cq.disarm();
          return super.createQp(init);
        }
      },
    },
  },
  'cq-of-one-is-refused': {
    rules: [`${page}.example-minimal-cq`],
    effect: 'a CQ of one entry cannot be created',
    parts: {
      Device: class extends Device {
        override createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
          demand(init.cqe !== 1, 'EINVAL');
          return super.createCq(context, init, channel);
        }
      },
    },
  },
  'first-poll-after-ack-is-empty': {
    rules: [`${page}.example-ack-before-poll`],
    effect: 'the first poll after an ack finds no CQE',
    parts: {
      Cq: class extends Cq {
        #isAcknowledged = false;

        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          this.#isAcknowledged = true;
        }

        override poll(numEntries: number): Cqe[] {
          const cqes = this.#isAcknowledged ? [] : super.poll(numEntries);
          this.#isAcknowledged = false;
          return cqes;
        }
      },
    },
  },
  'events-of-an-empty-cq-are-passed-over': {
    rules: [
      `${page}.spurious-event`,
      `${page}.spurious-empty-poll`,
      `${page}.drain-may-be-empty`,
      `${page}.takes-queued-at-once`,
    ],
    effect: 'a get passes over the event of a CQ that is empty',
    parts: {
      Cq: CountedCq,
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          this.events = this.events.filter((cq) => !(cq instanceof CountedCq && cq.isEmpty));
          super.beginGet();
        }
      },
    },
  },
  'poll-sees-the-second-event': {
    rules: [`${page}.fd-pollin-on-event`, `${create}.is-file-descriptor`],
    effect: 'poll() sees events when there are two',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          demand(this.events.length > 0 || !this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
        }

        override get readable(): boolean {
          return this.events.length > 1;
        }
      },
    },
  },
  'get-after-poll-fails': {
    rules: [`${page}.fd-get-after-pollin`],
    effect: 'the first get after poll() fails',
    parts: {
      CompChannel: class extends CompChannel {
        #isPolled = false;

        override pollUs(timeoutMs: number): number {
          this.#isPolled = true;
          return super.pollUs(timeoutMs);
        }

        override beginGet(): void {
          const wasPolled = this.#isPolled;
          this.#isPolled = false;
          demand(!wasPolled, 'EAGAIN');
          super.beginGet();
        }
      },
    },
  },
  'polled-event-owes-nothing': {
    rules: [`${page}.fd-events-need-ack`],
    effect: 'an event that poll() was asked for is owed no ack',
    parts: {
      CompChannel: class extends CompChannel {
        #isPolled = false;

        override pollUs(timeoutMs: number): number {
          this.#isPolled = true;
          return super.pollUs(timeoutMs);
        }

        override take(): Cq | undefined {
          return this.#isPolled ? this.events.shift() : super.take();
        }
      },
    },
  },
  'nonblocking-once-tried': {
    rules: [`${page}.blocking-can-be-changed`],
    effect: 'a channel on which a get was refused refuses each get without an event',
    parts: {
      CompChannel: class extends CompChannel {
        #wasRefused = false;

        override beginGet(): void {
          const isEmpty = this.events.length === 0;
          this.#wasRefused ||= isEmpty && this.descriptor.flags.includes('O_NONBLOCK');
          demand(!this.#wasRefused || !isEmpty, 'EAGAIN');
        }
      },
    },
  },
  'async-ack-counts-once': {
    rules: [`${async}.ack`],
    effect: 'of the asynchronous events of a context one ack counts',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #isDone = false;

        override acknowledge(event: AsyncEvent): void {
          if (!this.#isDone) super.acknowledge(event);
          this.#isDone = true;
        }
      },
    },
  },
};
