import type { VerbName } from '../../../pipeline/conventions';
import { CompChannel } from '../../channel/comp-channel';
import type { Context } from '../../device/context';
import type { Cq } from '../../cq/cq';
import { Descriptors } from '../../descriptors';
import { Device } from '../../device/device';
import type { Fault } from '../fault';
import { demand, type Refusal } from '../../refusal';
import { ReturnValues, type Success, type Returned } from '../../return-values';

class LaterChannelGetsTheEvents extends CompChannel {
  static readonly #last = new WeakMap<Context, LaterChannelGetsTheEvents>();

  constructor(...args: ConstructorParameters<typeof CompChannel>) {
    super(...args);
    LaterChannelGetsTheEvents.#last.set(this.context, this);
  }

  override add(cq: Cq): void {
    LaterChannelGetsTheEvents.#last.get(this.context)?.events.push(cq);
  }
}

class FirstChannelGetsTheEvents extends CompChannel {
  static readonly #first = new WeakMap<Context, FirstChannelGetsTheEvents>();

  constructor(...args: ConstructorParameters<typeof CompChannel>) {
    super(...args);
    const first = FirstChannelGetsTheEvents.#first;
    if (!first.has(this.context)) first.set(this.context, this);
  }

  override add(cq: Cq): void {
    FirstChannelGetsTheEvents.#first.get(this.context)?.events.push(cq);
  }
}

const page = 'ibv_create_comp_channel';

/** Planted faults of the rules of ibv_create_comp_channel(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'one-channel-a-context': {
    rules: [`${page}.signature`, `${page}.returns-pointer`],
    effect: 'a context has room for one channel',
    parts: {
      Device: class extends Device {
        readonly #served = new WeakSet<Context>();

        override createCompChannel(context: Context): CompChannel {
          demand(!this.#served.has(context), 'ENOMEM');
          this.#served.add(context);
          return super.createCompChannel(context);
        }
      },
    },
  },
  'channel-without-context': {
    rules: [`${page}.creates-on-context`],
    effect: 'the context of a channel is left NULL',
    parts: {
      CompChannel: class extends CompChannel {
        override get contextMember(): undefined {
          return undefined;
        }
      },
    },
  },
  'channel-loses-events': {
    rules: [`${page}.event-conduit`, 'ibv_req_notify_cq.fetched-by-get-event'],
    effect: 'no event reaches the channel',
    parts: {
      CompChannel: class extends CompChannel {
        override add(): void {
          // The event is lost.
        }
      },
    },
  },
  'channel-takes-one-event': {
    rules: [`${page}.event-conduit`],
    effect: 'the first event of a channel is its last',
    parts: {
      CompChannel: class extends CompChannel {
        #full = false;

        override add(cq: Cq): void {
          if (!this.#full) super.add(cq);
          this.#full = true;
        }
      },
    },
  },
  'destroy-leaks-the-descriptor': {
    rules: [`${page}.destroys`],
    effect: 'a destroyed channel keeps its file descriptor',
    parts: {
      CompChannel: class extends CompChannel {
        override destroy(): void {
          this.refuseWhileBusy();
        }
      },
    },
  },
  'descriptors-without-limit': {
    rules: [`${page}.returns-null`, `${page}.errno-on-null`],
    effect: 'a channel can be had without a free file descriptor',
    parts: {
      Descriptors: class extends Descriptors {
        override limit(): void {
          super.limit(undefined);
        }
      },
    },
  },
  'null-without-errno': {
    rules: [`${page}.errno-on-null`],
    effect: 'errno is left alone when no channel was created',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const sound = super.ofRefusal(verb, refusal);
          return verb === 'ibv_create_comp_channel' ? { ...sound, errno: 0 } : sound;
        }
      },
    },
  },
  'channel-destroy-returns-one': {
    rules: [`${page}.destroy-returns-zero`],
    effect: 'destroying a channel returns 1 although it is done',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          const sound = super.ofSuccess(verb, outcome);
          return verb === 'ibv_destroy_comp_channel' ? { ...sound, returned: 1 } : sound;
        }
      },
    },
  },
  'channel-destroy-returns-minus-one': {
    rules: [`${page}.destroy-returns-errno`],
    effect: 'destroying a channel refuses with -1',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const sound = super.ofRefusal(verb, refusal);
          return verb === 'ibv_destroy_comp_channel' ? { ...sound, returned: -1 } : sound;
        }
      },
    },
  },
  'channel-is-never-readable': {
    rules: [`${page}.is-file-descriptor`],
    effect: 'poll() does not see the events of a channel',
    parts: {
      CompChannel: class extends CompChannel {
        override get readable(): boolean {
          return false;
        }
      },
    },
  },
  'later-channel-gets-the-events': {
    rules: [
      `${page}.delivers-via-attached`,
      `${page}.multiple-channels-steer`,
      'ibv_create_cq.channel-used',
      'ibv_create_cq_ex.attr-channel',
      'ibv_req_notify_cq.event-on-bound-channel',
    ],
    effect: 'events come out of the channel that was created last',
    parts: { CompChannel: LaterChannelGetsTheEvents },
  },
  'first-channel-gets-the-events': {
    rules: [
      `${page}.delivers-via-attached`,
      `${page}.multiple-channels-steer`,
      'ibv_req_notify_cq.event-on-bound-channel',
    ],
    effect: 'events come out of the channel that was created first',
    parts: { CompChannel: FirstChannelGetsTheEvents },
  },
  'serves-the-last-cq-alone': {
    rules: [`${page}.shared-by-cqs`],
    effect: 'a channel serves the CQ that was attached last',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if (cq === [...this.cqs].at(-1)) super.add(cq);
        }
      },
    },
  },
  'destroy-ignores-cqs': {
    rules: [`${page}.destroy-busy`, `${page}.destroy-ok-after-cqs`, `${page}.destroy-returns-errno`],
    effect: 'a channel with CQs can be destroyed',
    parts: {
      CompChannel: class extends CompChannel {
        protected override refuseWhileBusy(): void {
          // Nothing keeps the channel.
        }
      },
    },
  },
  'refused-destroy-deafens': {
    rules: [`${page}.destroy-busy`],
    effect: 'a channel that could not be destroyed gets no more events',
    parts: {
      CompChannel: class extends CompChannel {
        #deaf = false;

        override destroy(): void {
          this.#deaf = true;
          super.destroy();
        }

        override add(cq: Cq): void {
          if (!this.#deaf) super.add(cq);
        }
      },
    },
  },
  'first-cq-to-go-frees': {
    rules: [`${page}.destroy-busy`, `${page}.destroy-ok-after-cqs`],
    effect: 'a channel can be destroyed when one of its CQs is gone',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          super.forget(cq);
          this.cqs.clear();
        }
      },
    },
  },
  'cq-never-leaves': {
    rules: [`${page}.destroy-ok-after-cqs`],
    effect: 'a channel that has had a CQ cannot be destroyed',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          super.forget(cq);
          this.cqs.add(cq);
        }
      },
    },
  },
};
