import type { VerbName } from '../../../pipeline/conventions';
import { CompChannel } from '../../channel/comp-channel';
import type { Context } from '../../device/context';
import { Cq, type Cqe, type CqInit, type NotifyRequest } from '../../cq/cq';
import { Descriptors, type Descriptor } from '../../descriptors';
import { Device } from '../../device/device';
import type { Fault } from '../fault';
import { KnowsTheNewest } from './knows-the-newest';
import { SureOfItsEvents } from './sure-of-its-events';
import { demand, type Refusal } from '../../refusal';
import { ReturnValues, type Success, type Returned } from '../../return-values';
import { succeedingWith } from '../returning';

class EventNamesTheNewestCq extends KnowsTheNewest {
  protected override fire(): void {
    this.spendRequest();
    this.channel?.add(this.newest);
  }
}

const page = 'ibv_get_cq_event';

/** Planted faults of the rules of ibv_get_cq_event(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'destroy-does-not-wait': {
    rules: [`${page}.destroy-waits-for-acks`, 'ibv_get_async_event.destroy-cq-waits'],
    effect: 'destroying a CQ does not wait for acks',
    parts: {
      Cq: class extends Cq {
        override get destroyable(): boolean {
          return true;
        }
      },
    },
  },
  'any-ack-releases': {
    rules: [`${page}.destroy-waits-for-acks`, `${page}.ack-count`, `${page}.every-event-acked`],
    effect: 'the first ack is taken for all',
    parts: {
      Cq: class extends Cq {
        #acked = false;

        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          this.#acked = true;
        }

        override get destroyable(): boolean {
          return this.#acked || super.destroyable;
        }
      },
    },
  },
  'destroy-misses-the-ack': {
    rules: [`${page}.destroy-resumes-on-ack`],
    effect: 'an ack does not wake the destroy that waits',
    parts: {
      Cq: class extends Cq {
        #looked = false;

        override get destroyable(): boolean {
          if (!this.#looked) {
            this.#looked = true;
            return super.destroyable;
          }
          return false;
        }
      },
    },
  },
  'ack-call-counts-once': {
    rules: [`${page}.acks-match-gets`, `${page}.ack-batching`, `${page}.signature-ack`, `${page}.ack-count`],
    effect: 'an ack of several events counts as one',
    parts: {
      Cq: class extends Cq {
        override acknowledge(): void {
          super.acknowledge(1);
        }
      },
    },
  },
  'untaken-event-is-owed': {
    rules: [`${page}.acks-match-gets`],
    effect: 'an event is owed an ack before it is taken',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          super.add(cq);
          cq.countTaken();
        }

        override take(): Cq | undefined {
          return this.events.shift();
        }
      },
    },
  },
  'empty-get-is-owed': {
    rules: [`${page}.acks-match-gets`],
    effect: 'a get that fails is owed an ack',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          const isEmpty = !this.readable && this.descriptor.flags.includes('O_NONBLOCK');
          if (isEmpty) for (const cq of this.cqs) cq.countTaken();
          super.beginGet();
        }
      },
    },
  },
  'get-returns-one': {
    rules: [`${page}.signature-get`, `${page}.get-returns-zero`],
    effect: 'a get returns 1 although it has taken an event',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          const sound = super.ofSuccess(verb, outcome);
          return verb === 'ibv_get_cq_event' ? { ...sound, returned: 1 } : sound;
        }
      },
    },
  },
  'get-returns-errno': {
    rules: [`${page}.get-returns-minus-one`, `${page}.example-create-failure`, `${page}.fd-nonblock-empty-get`],
    effect: 'a get that fails returns the errno number',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const sound = super.ofRefusal(verb, refusal);
          return verb === 'ibv_get_cq_event' ? { ...sound, returned: refusal.errno } : sound;
        }
      },
    },
  },
  'get-never-waits': {
    rules: [`${page}.waits-next`, `${page}.blocking-by-default`],
    effect: 'a get fails when there is no event',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          demand(this.readable, 'EAGAIN');
        }
      },
    },
  },
  'get-of-a-queued-event-fails': {
    rules: [`${page}.takes-queued-at-once`, `${page}.signature-get`, `${page}.get-returns-zero`],
    effect: 'a get fails when the event is there already',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          super.beginGet();
          demand(!this.readable, 'EINTR');
        }
      },
    },
  },
  'second-event-replaces-the-first': {
    rules: [`${page}.takes-queued-at-once`],
    effect: 'a channel holds one event',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          this.events = [cq];
        }
      },
    },
  },
  'born-nonblocking': {
    rules: [`${page}.blocking-by-default`, `${page}.waits-next`],
    effect: 'a new channel is non-blocking',
    parts: {
      CompChannel: class extends CompChannel {
        constructor(...args: ConstructorParameters<typeof CompChannel>) {
          super(...args);
          this.descriptor.flags = ['O_NONBLOCK'];
        }
      },
    },
  },
  'nonblocking-for-good': {
    rules: [`${page}.blocking-can-be-changed`],
    effect: 'O_NONBLOCK cannot be taken back',
    parts: {
      CompChannel: class extends CompChannel {
        #nonblocking = false;

        override beginGet(): void {
          this.#nonblocking ||= this.descriptor.flags.includes('O_NONBLOCK');
          demand(this.readable || !this.#nonblocking, 'EAGAIN');
        }
      },
    },
  },
  'nonblock-is-ignored': {
    rules: [`${page}.fd-nonblock`, `${page}.fd-nonblock-empty-get`, `${page}.get-returns-minus-one`],
    effect: 'a get waits in spite of O_NONBLOCK',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          // A get waits whatever the flags are.
        }
      },
    },
  },
  'nonblock-refuses-all': {
    rules: [`${page}.fd-get-after-pollin`],
    effect: 'with O_NONBLOCK no get succeeds',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          demand(!this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
        }
      },
    },
  },
  'empty-get-is-an-io-error': {
    rules: [`${page}.fd-nonblock-empty-get`],
    effect: 'a get on an empty non-blocking channel gives EIO',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          demand(this.readable || !this.descriptor.flags.includes('O_NONBLOCK'), 'EIO');
        }
      },
    },
  },
  'event-names-the-newest-cq': {
    rules: [`${page}.fills-cq`, `${page}.fills-cq-shared-channel`, `${page}.example-ev-cq-usable`],
    effect: 'an event names the CQ that was created last',
    parts: { Cq: EventNamesTheNewestCq },
  },
  'event-names-the-first-cq': {
    rules: [`${page}.fills-cq-shared-channel`],
    effect: 'an event names the first CQ of its channel',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          const [first = cq] = this.cqs;
          super.add(first);
        }
      },
    },
  },
  'context-cut-to-32-bits': {
    rules: [
      `${page}.fills-cq-context`,
      'ibv_create_cq.signature-create',
      'ibv_create_cq_ex.attr-cq-context',
      'ibv_create_cq_ex.signature',
    ],
    effect: 'the user context of an event has 32 bits',
    parts: {
      Cq: class extends Cq {
        override get eventContext(): bigint {
          return BigInt.asUintN(32, super.eventContext);
        }
      },
    },
  },
  'context-is-never-null': {
    rules: [`${page}.fills-cq-context`],
    effect: 'an event of a CQ without user context has one',
    parts: {
      Cq: class extends Cq {
        override get eventContext(): bigint {
          return super.eventContext === 0n ? 0xc0n : super.eventContext;
        }
      },
    },
  },
  'ack-settles-for-the-channel': {
    rules: [`${page}.signature-ack`, `${page}.ack-count`],
    effect: 'an ack counts for every CQ of the channel',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          for (const cq of this.channel?.cqs ?? []) cq.compEvents.acknowledge(nevents);
        }
      },
    },
  },
  'poll-acknowledges': {
    rules: [`${page}.every-event-acked`],
    effect: 'a polled CQE counts as an ack',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          this.compEvents.acknowledge(cqes.length);
          return cqes;
        }
      },
    },
  },
  'arming-is-forgotten-without-qp': {
    rules: [`${page}.example-arm-before-work`],
    effect: 'a request that comes before the QPs is forgotten',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.users > 0) super.notify(scope);
        }
      },
    },
  },
  'one-entry-too-few': {
    rules: [`${page}.example-minimal-cq`, 'ibv_create_cq.min-size', 'ibv_create_cq_ex.attr-cqe'],
    effect: 'a CQ has one entry less than asked for',
    parts: {
      Cq: class extends Cq {
        protected override sizeFor(asked: number): number {
          return asked - 1;
        }
      },
    },
  },
  'arming-drops-the-backlog': {
    rules: [
      `${page}.example-order`,
      'ibv_req_notify_cq.marks-only',
      'ibv_create_cq_ex.next-advances',
      'ibv_create_cq_ex.read-completion-ts',
      'ibv_resize_cq.not-below-backlog',
    ],
    effect: 'arming empties the CQ',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          this.cqes.splice(0);
        }
      },
    },
  },
  'emptying-disarms': {
    rules: [`${page}.example-order`, `${page}.spurious-empty-poll`, `${page}.drain-may-be-empty`],
    effect: 'emptying the CQ takes the request back',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (this.cqes.length === 0) this.request = undefined;
          return cqes;
        }
      },
    },
  },
  'ack-takes-its-cqe': {
    rules: [`${page}.example-ack-before-poll`, 'ibv_create_cq_ex.signature', 'ibv_req_notify_cq.event-without-polling'],
    effect: 'an ack takes its CQE from the CQ',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          this.cqes.splice(0, nevents);
        }
      },
    },
  },
  'ack-disarms': {
    rules: [`${page}.example-ev-cq-usable`, 'ibv_req_notify_cq.zero-any-cqe'],
    effect: 'a CQ cannot be armed any more once an event was acknowledged',
    parts: {
      Cq: class extends Cq {
        #acknowledged = false;

        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          this.#acknowledged = true;
        }

        override notify(scope: NotifyRequest): void {
          if (!this.#acknowledged) super.notify(scope);
        }
      },
    },
  },
  'emptying-withdraws-the-event': {
    rules: [
      `${page}.spurious-event`,
      `${page}.spurious-empty-poll`,
      `${page}.drain-may-be-empty`,
      `${page}.takes-queued-at-once`,
    ],
    effect: 'emptying the CQ withdraws its event',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (this.cqes.length > 0) return cqes;
          this.channel?.forget(this);
          this.channel?.bind(this);
          return cqes;
        }
      },
    },
  },
  'empty-poll-is-refused': {
    rules: [
      `${page}.spurious-empty-poll`,
      `${page}.drain-may-be-empty`,
      'ibv_poll_cq.returns-zero-empty',
      'ibv_create_cq_ex.start-enoent',
      'ibv_create_cq_ex.next-enoent',
    ],
    effect: 'a poll of an empty CQ is refused',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          demand(this.cqes.length > 0, 'EAGAIN');
          return super.poll(numEntries);
        }
      },
    },
  },
  'huge-cq-is-created': {
    rules: [
      `${page}.example-create-failure`,
      'ibv_create_cq.errno-on-null',
      'ibv_create_cq.returns-null',
      'ibv_create_cq_ex.returns-null',
    ],
    effect: 'a CQ of more entries than the device allows is created',
    parts: {
      Device: class extends Device {
        override createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
          return super.createCq(context, { ...init, cqe: Math.min(init.cqe, this.maxCqe) }, channel);
        }
      },
    },
  },
  'flags-are-not-told': {
    rules: [`${page}.fd-getfl-preserve`, 'ibv_get_cq_event.fd-nonblock', 'ibv_get_async_event.fd-nonblock'],
    effect: 'F_GETFL does not give what F_SETFL set',
    parts: {
      Descriptors: class extends Descriptors {
        override open(): Descriptor {
          return Object.defineProperty(super.open(), 'flags', { get: () => [], set: () => undefined });
        }
      },
    },
  },
  'poll-is-deaf': {
    rules: [`${page}.fd-pollin-on-event`],
    effect: 'poll() does not see events',
    parts: {
      CompChannel: class extends CompChannel {
        override get readable(): boolean {
          return false;
        }
      },
    },
  },
  'always-readable': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() reports every channel readable',
    parts: {
      CompChannel: class extends SureOfItsEvents {
        override get readable(): boolean {
          return true;
        }
      },
    },
  },
  'stays-readable': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() reports a channel readable that has had an event',
    parts: {
      CompChannel: class extends CompChannel {
        #added = false;

        override add(cq: Cq): void {
          super.add(cq);
          this.#added = true;
        }

        override beginGet(): void {
          demand(super.readable || !this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
        }

        override get readable(): boolean {
          return this.#added;
        }
      },
    },
  },
  'poll-gives-up-at-once': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() on a channel does not wait before it returns 0',
    parts: {
      CompChannel: class extends CompChannel {
        override pollUs(): number {
          return 0;
        }
      },
    },
  },
  'nonblocking-get-owes-nothing': {
    rules: [`${page}.fd-events-need-ack`],
    effect: 'an event that was taken from a non-blocking channel is owed no ack',
    parts: {
      CompChannel: class extends CompChannel {
        override take(): Cq | undefined {
          return this.descriptor.flags.includes('O_NONBLOCK') ? this.events.shift() : super.take();
        }
      },
    },
  },
  'ack-returns-zero': {
    rules: [`${page}.ack-returns-nothing`],
    effect: 'an ack returns 0 instead of nothing',
    parts: succeedingWith(['ibv_ack_cq_events'], () => ({ returned: 0 })),
  },
};
