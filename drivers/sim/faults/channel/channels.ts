import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe } from '../../cq/cq';
import type { Context } from '../../device/context';
import { Device } from '../../device/device';
import { Descriptors, type Descriptor } from '../../descriptors';
import type { Qp } from '../../qp/qp';
import { type QpInit } from '../../qp/qp';
import { KnowsTheNewest } from './knows-the-newest';
import { SureOfItsEvents } from './sure-of-its-events';
import { demand } from '../../refusal';
import { Srq } from '../../srq/srq';
import { AsyncEvent } from '../../async/async-events';
import { AsyncEvents } from '../../async/async-events';
import type { Fault } from '../fault';
import { ReturnValues, type Success, type Returned } from '../../return-values';
import type { VerbName } from '../../../pipeline/conventions';
import { succeedingWith } from '../returning';

/** A channel that knows whether it has ever had a CQ. */
class KnowsItsUse extends CompChannel {
  protected isUsed = false;

  override bind(cq: Cq): void {
    super.bind(cq);
    this.isUsed = true;
  }
}

/** A channel that knows those of its context, in the order of their creation. */
class HearingChannel extends CompChannel {
  static readonly #all = new WeakMap<Context, HearingChannel[]>();
  override events: Cq[] = [];
  isWaiting = false;

  constructor(...args: ConstructorParameters<typeof CompChannel>) {
    super(...args);
    HearingChannel.#all.set(this.context, [...this.siblings, this]);
  }

  get siblings(): readonly HearingChannel[] {
    return HearingChannel.#all.get(this.context) ?? [];
  }
}

/** A channel that remembers that poll() was asked for its events. */
class PolledChannel extends CompChannel {
  protected isPolled = false;

  override pollUs(timeoutMs: number): number {
    this.isPolled = true;
    return super.pollUs(timeoutMs);
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

/** Objects name the context that was opened last, whichever they were created on. */
class NamesTheNewestContext extends ReturnValues {
  /** What it changes, and what it learns that from. */
  static readonly verbs = ['ibv_open_device', 'struct ibv_comp_channel', 'struct ibv_cq'];
  #newest: Success['returned'] = null;

  override ofSuccess(verb: VerbName, outcome: Success): Returned {
    const sound = super.ofSuccess(verb, outcome);
    if (verb === 'ibv_open_device') this.#newest = outcome.returned;
    return outcome.outputs.context === undefined
      ? sound
      : { ...sound, outputs: { ...sound.outputs, context: this.#newest } };
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
  'channel-comes-twice': {
    rules: [`${create}.returns-null`, `${create}.errno-on-null`],
    effect: 'where no channel can be created the one before is given',
    parts: {
      Device: class extends Device {
        #last: CompChannel | undefined;

        override createCompChannel(context: Context): CompChannel {
          try {
            this.#last = super.createCompChannel(context);
          } catch (error) {
            if (this.#last === undefined) throw error;
          }
          return this.#last;
        }
      },
    },
  },
  'objects-name-the-newest-context': {
    rules: [`${create}.creates-on-context`, 'ibv_create_cq.creates-on-context', 'ibv_create_cq_ex.creates-on-context'],
    effect: 'a channel and a CQ name the context that was opened last',
    parts: { ReturnValues: NamesTheNewestContext },
  },
  'used-channel-leaks-its-descriptor': {
    rules: [`${create}.destroys`],
    effect: 'a channel that has had a CQ keeps its file descriptor when it is destroyed',
    parts: {
      CompChannel: class extends KnowsItsUse {
        override destroy(): void {
          this.refuseWhileBusy();
          if (!this.isUsed) super.destroy();
        }
      },
    },
  },
  'nonblock-counts-once': {
    rules: [`${page}.blocking-can-be-changed`],
    effect: 'a channel that is blocking again stays so, whatever its flags are',
    parts: {
      CompChannel: class extends CompChannel {
        #wasNonblocking = false;
        #isBlockingForGood = false;

        override beginGet(): void {
          const isNonblocking = this.descriptor.flags.includes('O_NONBLOCK');
          this.#isBlockingForGood ||= this.#wasNonblocking && !isNonblocking;
          this.#wasNonblocking ||= isNonblocking;
          if (!this.#isBlockingForGood) super.beginGet();
        }
      },
    },
  },
  'nonblock-is-toggled': {
    rules: [`${page}.fd-getfl-preserve`, `${page}.fd-nonblock-empty-get`],
    effect: 'setting O_NONBLOCK where it is set takes it away',
    parts: {
      Descriptors: class extends Descriptors {
        override open(): Descriptor {
          let current: readonly string[] = [];
          return Object.defineProperty(super.open(), 'flags', {
            get: () => current,
            set: (flags: readonly string[]) => {
              current = flags.filter((flag) => !current.includes(flag));
            },
          });
        }
      },
    },
  },
  'get-that-waits-names-the-newest-cq': {
    rules: [`${page}.fills-cq`],
    effect: 'a get that had to wait fills in the CQ that was created last',
    parts: {
      Cq: KnowsTheNewest,
      CompChannel: class extends CompChannel {
        #hasWaited = false;

        override beginGet(): void {
          super.beginGet();
          this.#hasWaited = !this.readable;
        }

        override take(): Cq | undefined {
          const cq = super.take();
          return this.#hasWaited && cq instanceof KnowsTheNewest ? cq.newest : cq;
        }
      },
    },
  },
  'ack-after-several-is-ignored': {
    rules: [`${page}.ack-batching`],
    effect: 'an ack that follows an ack of several events is ignored',
    parts: {
      Cq: class extends Cq {
        #isDone = false;

        override acknowledge(nevents: number): void {
          if (!this.#isDone) super.acknowledge(nevents);
          this.#isDone ||= nevents > 1;
        }
      },
    },
  },
  'first-channel-hears-all': {
    rules: [`${create}.delivers-via-attached`, `${create}.multiple-channels-steer`],
    effect: 'each event comes out of the first channel of its context, too',
    parts: {
      CompChannel: class extends HearingChannel {
        override add(cq: Cq): void {
          super.add(cq);
          const [first] = this.siblings;
          if (first !== this) first?.events.push(cq);
        }
      },
    },
  },
  'last-channel-hears-all': {
    rules: [
      `${create}.delivers-via-attached`,
      'ibv_create_cq.channel-used',
      'ibv_create_cq_ex.attr-channel',
      'ibv_req_notify_cq.event-on-bound-channel',
    ],
    effect: 'each event comes out of the newest channel of its context, too',
    parts: {
      CompChannel: class extends HearingChannel {
        override add(cq: Cq): void {
          super.add(cq);
          const last = this.siblings.at(-1);
          if (last !== this) last?.events.push(cq);
        }
      },
    },
  },
  'one-get-waits-at-a-time': {
    rules: [`${create}.multiple-channels-steer`],
    effect: 'a get does not wait while one waits on another channel',
    parts: {
      CompChannel: class extends HearingChannel {
        override beginGet(): void {
          super.beginGet();
          const others = this.siblings.filter((channel) => channel !== this);
          demand(this.readable || !others.some(({ isWaiting }) => isWaiting), 'EBUSY');
          this.isWaiting = !this.readable;
        }

        override take(): Cq | undefined {
          const cq = super.take();
          if (cq !== undefined) this.isWaiting = false;
          return cq;
        }
      },
    },
  },
  'poll-counts-twice': {
    rules: [`${page}.fd-pollin-on-event`, `${create}.is-file-descriptor`, `${async}.fd-pollin-on-event`],
    effect: 'poll() counts a descriptor that is readable twice',
    parts: succeedingWith(['poll'], ({ returned }) => (returned === 1 ? { returned: 2 } : {})),
  },
  'poll-counts-what-it-was-asked': {
    rules: [`${page}.fd-poll-timeout`, `${create}.is-file-descriptor`, `${async}.fd-poll-timeout`],
    effect: 'poll() counts a descriptor on which nothing has happened',
    parts: succeedingWith(['poll'], ({ returned }) => (returned === 0 ? { returned: 1 } : {})),
  },
  'unused-channel-stays': {
    rules: [`${create}.destroy-returns-zero`],
    effect: 'a channel that has never had a CQ cannot be destroyed',
    parts: {
      CompChannel: class extends KnowsItsUse {
        override destroy(): void {
          demand(this.isUsed, 'EBUSY');
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
      CompChannel: class extends SureOfItsEvents {
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
      CompChannel: class extends PolledChannel {
        override beginGet(): void {
          const wasPolled = this.isPolled;
          this.isPolled = false;
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
      CompChannel: class extends PolledChannel {
        override take(): Cq | undefined {
          return this.isPolled ? this.events.shift() : super.take();
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
  'limit-event-is-called-error': {
    rules: [`${async}.waits-next`],
    effect: 'the limit of an SRQ raises IBV_EVENT_SRQ_ERR',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override add(event: AsyncEvent): void {
          const isLimit = event.eventType === 'IBV_EVENT_SRQ_LIMIT_REACHED';
          super.add(isLimit ? new AsyncEvent('IBV_EVENT_SRQ_ERR', event.element) : event);
        }
      },
    },
  },
  'only-the-first-event-has-an-element': {
    rules: [`${async}.one-thread-receives`, `${async}.element-by-type`],
    effect: 'each asynchronous event after the first lacks its object',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #isFurther = false;

        override add(event: AsyncEvent): void {
          super.add(this.#isFurther ? new AsyncEvent(event.eventType, undefined) : event);
          this.#isFurther = true;
        }
      },
    },
  },
  'limit-is-reached-once': {
    rules: [`${async}.one-thread-receives`, `${async}.event-srq-limit`],
    effect: 'an SRQ raises one event, however often its limit is set',
    parts: {
      Srq: class extends Srq {
        #isReached = false;

        protected override reachLimit(): void {
          if (!this.#isReached) super.reachLimit();
          this.#isReached = true;
        }
      },
    },
  },
  'async-ack-counts-once': {
    rules: [
      `${async}.every-event-acked`,
      `${async}.one-thread-receives`,
      `${async}.element-by-type`,
      `${async}.element-cq`,
    ],
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
