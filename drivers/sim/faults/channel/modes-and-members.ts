import type { VerbName } from '../../../pipeline/conventions';
import { AsyncEvents } from '../../async/async-events';
import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe } from '../../cq/cq';
import type { Descriptor } from '../../descriptors';
import { Refusal } from '../../refusal';
import { ReturnValues, type Returned, type Success } from '../../return-values';
import type { Fault } from '../fault';

const get = 'ibv_get_cq_event';
const channel = 'ibv_create_comp_channel';

/** Takes O_NONBLOCK away after a refusal. */
class Patience {
  constructor(readonly descriptor: Descriptor) {}

  try(begin: () => void): void {
    try {
      begin();
    } catch (error) {
      if (error instanceof Refusal) this.descriptor.flags = [];
      throw error;
    }
  }
}

/** What other calls and earlier ones do to the mode, the events and the members of an object. */
export const faults: Readonly<Record<string, Fault>> = {
  'mode-drops-events': {
    rules: [`${get}.fd-nonblock`, `${get}.blocking-can-be-changed`],
    effect: 'events that wait are lost when the channel becomes blocking or non-blocking',
    parts: {
      CompChannel: class extends CompChannel {
        constructor(...[context, descriptor]: ConstructorParameters<typeof CompChannel>) {
          super(context, descriptor);
          let { flags } = descriptor;
          Object.defineProperty(descriptor, 'flags', {
            get: () => flags,
            set: (changed: readonly string[]) => {
              if (changed.includes('O_NONBLOCK') !== flags.includes('O_NONBLOCK')) this.events = [];
              flags = changed;
            },
          });
        }
      },
    },
  },
  'refused-get-ends-nonblocking': {
    rules: [`${get}.fd-nonblock-empty-get`],
    effect: 'after a get that found nothing the channel is blocking',
    parts: {
      CompChannel: class extends CompChannel {
        readonly #patience = new Patience(this.descriptor);

        override beginGet(): void {
          this.#patience.try(() => {
            super.beginGet();
          });
        }
      },
    },
  },
  'refused-async-get-ends-nonblocking': {
    rules: ['ibv_get_async_event.fd-nonblock-empty-get'],
    effect: 'after a get that found nothing the asynchronous event queue is blocking',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        readonly #patience = new Patience(this.descriptor);

        override beginGet(): void {
          this.#patience.try(() => {
            super.beginGet();
          });
        }
      },
    },
  },
  'busy-channel-is-refused-once': {
    rules: [`${channel}.destroy-busy`],
    effect: 'a channel that could not be destroyed is destroyed at the second try, although a CQ is attached to it',
    parts: {
      CompChannel: class extends CompChannel {
        #isRefused = false;

        protected override refuseWhileBusy(): void {
          const isFirst = !this.#isRefused;
          this.#isRefused = true;
          if (isFirst) super.refuseWhileBusy();
        }
      },
    },
  },
  'descriptor-is-another-each-time': {
    rules: [`${channel}.is-file-descriptor`],
    effect: 'fd of a channel is another number each time that somebody looks',
    parts: {
      ReturnValues: class extends ReturnValues {
        static readonly verbs: readonly VerbName[] = ['struct ibv_comp_channel'];
        #looks = 0;

        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          const returned = super.ofSuccess(verb, outcome);
          if (verb !== 'struct ibv_comp_channel') return returned;
          this.#looks += 1;
          return { ...returned, outputs: { ...returned.outputs, fd: Number(returned.outputs.fd) + this.#looks } };
        }
      },
    },
  },
  'arming-spoils-the-context': {
    rules: ['ibv_create_cq.cq-context-stored'],
    effect: 'the user context of a CQ is another after a request for a notification, but not in its events',
    parts: {
      Cq: class extends Cq {
        readonly #given = this.cqContext;

        override get eventContext(): bigint {
          return this.#given;
        }

        override arm(solicitedOnly: number): void {
          super.arm(solicitedOnly);
          Object.assign(this, { cqContext: this.#given ^ 1n });
        }
      },
    },
  },
  'sends-after-five-are-silent': {
    rules: ['ibv_req_notify_cq.rearm-restores'],
    effect: 'from the sixth CQE of a send on, none of a CQ notifies',
    parts: {
      Cq: class extends Cq {
        #sends = 0;

        override add(cqe: Cqe): void {
          this.#sends += Number(cqe.queue === 'send');
          super.add(cqe);
        }

        protected override matchesRequest(cqe: Cqe): boolean {
          return super.matchesRequest(cqe) && !(cqe.queue === 'send' && this.#sends > 5);
        }
      },
    },
  },
};
