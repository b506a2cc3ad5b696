import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import type { Fault } from '../fault';
import { refusingWith } from '../returning';

const notify = 'ibv_req_notify_cq';
const get = 'ibv_get_cq_event';
const channel = 'ibv_create_comp_channel';

/** Further faults of completion events: lost, doubled, late, out of order, owed too much or too little. */
export const faults: Readonly<Record<string, Fault>> = {
  'event-doubled': {
    rules: [`${notify}.one-shot`],
    effect: 'each event comes twice',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          super.fire();
          this.channel?.add(this);
        }
      },
    },
  },
  'second-event-lost': {
    rules: [`${notify}.rearm-restores`],
    effect: 'the second event of a CQ is lost',
    parts: {
      Cq: class extends Cq {
        #events = 0;

        protected override fire(): void {
          this.#events += 1;
          if (this.#events === 2) this.spendRequest();
          else super.fire();
        }
      },
    },
  },
  'event-waits-for-another-cqe': {
    rules: [`${notify}.zero-any-cqe`],
    effect: 'an event is late: it comes with the next CQE',
    parts: {
      Cq: class extends Cq {
        #due = false;

        override add(cqe: Cqe): void {
          if (this.#due) this.channel?.add(this);
          this.#due = false;
          super.add(cqe);
        }

        protected override fire(): void {
          this.spendRequest();
          this.#due = true;
        }
      },
    },
  },
  'one-event-at-a-time': {
    rules: [`${get}.takes-queued-at-once`],
    effect: 'an event is lost while another one waits in the channel',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if (this.events.length === 0) super.add(cq);
        }
      },
    },
  },
  'events-of-a-cq-merge': {
    rules: [`${get}.takes-queued-at-once`],
    effect: 'two events of a CQ that nobody has taken become one',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if (!this.events.includes(cq)) super.add(cq);
        }
      },
    },
  },
  'get-leaves-the-event': {
    rules: [`${notify}.one-shot`],
    effect: 'the first event of a CQ is given twice',
    parts: {
      CompChannel: class extends CompChannel {
        #taken = new WeakSet<Cq>();

        override take(): Cq | undefined {
          const cq = super.take();
          if (cq !== undefined && !this.#taken.has(cq)) this.events.push(cq);
          if (cq !== undefined) this.#taken.add(cq);
          return cq;
        }
      },
    },
  },
  'get-empties-the-channel': {
    rules: [`${get}.takes-queued-at-once`],
    effect: 'a get takes all events and gives one',
    parts: {
      CompChannel: class extends CompChannel {
        override take(): Cq | undefined {
          const cq = super.take();
          this.events = [];
          return cq;
        }
      },
    },
  },
  'ack-counts-one-more': {
    rules: [`${get}.ack-count`],
    effect: 'an ack settles one event more than it says',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents + 1);
        }
      },
    },
  },
  'ack-of-several-is-ignored': {
    rules: [`${get}.ack-batching`, `${get}.ack-count`, `${get}.ack-returns-nothing`],
    effect: 'an ack of several events is ignored',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          if (nevents === 1) super.acknowledge(nevents);
        }
      },
    },
  },
  'destroy-forgets-one-event': {
    rules: [`${get}.destroy-waits-for-acks`],
    effect: 'destroying a CQ waits for all acks but one',
    parts: {
      Cq: class extends Cq {
        override beginDestroy(): void {
          super.beginDestroy();
          this.compEvents.acknowledge(1);
        }
      },
    },
  },
  'arming-takes-back-events': {
    rules: [`${get}.takes-queued-at-once`],
    effect: 'arming takes back the events of the CQ that wait in the channel',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          this.channel?.forget(this);
          this.channel?.bind(this);
          super.notify(scope);
        }
      },
    },
  },
  'solicited-means-any': {
    rules: [`${notify}.nonzero-solicited-only`, `${notify}.unsolicited-recv-success`],
    effect: 'a request for solicited CQEs is one for any',
    parts: {
      Cq: class extends Cq {
        override notify(): void {
          super.notify('any');
        }
      },
    },
  },
  'any-means-solicited': {
    rules: [`${notify}.zero-any-cqe`],
    effect: 'a request for any CQE is one for solicited ones',
    parts: {
      Cq: class extends Cq {
        override notify(): void {
          super.notify('solicited');
        }
      },
    },
  },
  'first-cqe-is-silent': {
    rules: [`${notify}.zero-any-cqe`],
    effect: 'the first CQE of a CQ adds no event',
    parts: {
      Cq: class extends Cq {
        #cqes = 0;

        protected override matchesRequest(cqe: Cqe): boolean {
          this.#cqes += 1;
          return this.#cqes > 1 && super.matchesRequest(cqe);
        }
      },
    },
  },
  'busy-channel-negated-errno': {
    rules: [`${channel}.destroy-returns-errno`],
    effect: 'destroying a channel that has CQs gives -EBUSY',
    parts: refusingWith(['ibv_destroy_comp_channel'], ({ errno }) => ({ returned: -errno })),
  },
  'get-returns-negated-errno': {
    rules: [`${get}.get-returns-minus-one`, `${get}.example-create-failure`, `${get}.fd-nonblock-empty-get`],
    effect: 'a get that fails returns the negated errno',
    parts: refusingWith(['ibv_get_cq_event'], ({ errno }) => ({ returned: -errno })),
  },
  'get-leaves-no-errno': {
    rules: [`${get}.fd-nonblock-empty-get`],
    effect: 'a get that fails leaves errno 0',
    parts: refusingWith(['ibv_get_cq_event'], () => ({ errno: 0 })),
  },
};
