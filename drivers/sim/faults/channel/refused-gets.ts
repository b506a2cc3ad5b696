import { AsyncEvents, type AsyncEvent } from '../../async/async-events';
import { CompChannel } from '../../channel/comp-channel';
import type { Cq } from '../../cq/cq';
import { Descriptors, type Descriptor } from '../../descriptors';
import { demand } from '../../refusal';
import type { Fault } from '../fault';

const get = 'ibv_get_cq_event';
const getAsync = 'ibv_get_async_event';

const isNonBlocking = ({ flags }: Pick<Descriptor, 'flags'>): boolean => flags.includes('O_NONBLOCK');

/** What a get that was refused, or O_NONBLOCK, leaves behind, or does elsewhere. */
export const faults: Readonly<Record<string, Fault>> = {
  'refused-get-takes-the-next-event': {
    rules: [`${get}.fd-nonblock-empty-get`],
    effect: 'a get that is refused on an empty channel takes the event that comes next',
    parts: {
      CompChannel: class extends CompChannel {
        #isRefused = false;

        override beginGet(): void {
          this.#isRefused = !this.readable && isNonBlocking(this.descriptor);
          super.beginGet();
        }

        override add(cq: Cq): void {
          if (!this.#isRefused) super.add(cq);
          this.#isRefused = false;
        }
      },
    },
  },
  'refused-async-get-takes-the-next-event': {
    rules: [`${getAsync}.fd-nonblock-empty-get`],
    effect: 'a get that is refused on an empty asynchronous queue takes the event that comes next',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #isRefused = false;

        override beginGet(): void {
          this.#isRefused = !this.readable && isNonBlocking(this.descriptor);
          super.beginGet();
        }

        override add(event: AsyncEvent): void {
          if (!this.#isRefused) super.add(event);
          this.#isRefused = false;
        }
      },
    },
  },
  'async-queue-never-blocks-again': {
    rules: [`${getAsync}.blocking`],
    effect: 'an asynchronous queue that has once been non-blocking never blocks again',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #was = false;

        override beginGet(): void {
          this.#was ||= isNonBlocking(this.descriptor);
          demand(this.readable || !this.#was, 'EAGAIN');
          super.beginGet();
        }
      },
    },
  },
  'channels-follow-the-async-queue': {
    rules: [`${get}.blocking-by-default`],
    effect: 'O_NONBLOCK of the asynchronous queue counts for the channels of its context',
    parts: {
      CompChannel: class extends CompChannel {
        override beginGet(): void {
          demand(this.readable || !isNonBlocking(this.context.asyncEvents.descriptor), 'EAGAIN');
          super.beginGet();
        }
      },
    },
  },
  'async-queue-follows-channels': {
    rules: [`${getAsync}.blocking`, `${get}.blocking-by-default`],
    effect: 'O_NONBLOCK of a channel and of the asynchronous queue of its context are one',
    parts: {
      CompChannel: class extends CompChannel {
        constructor(...[context, descriptor]: ConstructorParameters<typeof CompChannel>) {
          super(context, descriptor);
          Object.defineProperty(context.asyncEvents.descriptor, 'flags', {
            configurable: true,
            get: () => descriptor.flags,
            set: (flags: Descriptor['flags']) => {
              descriptor.flags = flags;
            },
          });
        }
      },
    },
  },
  'flags-stay-with-the-number': {
    rules: [`${get}.blocking-by-default`],
    effect: 'a descriptor with the number of one that was closed has its flags',
    parts: {
      Descriptors: class extends Descriptors {
        readonly #flags = new Map<number, readonly string[]>();

        override open(): Descriptor {
          const descriptor = super.open();
          descriptor.flags = this.#flags.get(descriptor.fd) ?? [];
          return descriptor;
        }

        override close(descriptor: Descriptor): void {
          this.#flags.set(descriptor.fd, descriptor.flags);
          super.close(descriptor);
        }
      },
    },
  },
};
