import type { VerbName } from '../../../pipeline/conventions';
import { CompChannel } from '../../channel/comp-channel';
import type { Context } from '../../device/context';
import { Cq, type Cqe, type CqInit } from '../../cq/cq';
import { Device } from '../../device/device';
import type { Fault } from '../fault';
import type { Qp, QpInit } from '../../qp/qp';
import { demand } from '../../refusal';
import { refusingWith, succeedingWith } from '../returning';

/** A CQ that keeps another user context than it was given. */
function keeping(change: (cqContext: bigint) => bigint): { Cq: typeof Cq } {
  class Changed extends Cq {
    constructor(context: Context, init: CqInit, channel: CompChannel | undefined) {
      super(context, { ...init, cqContext: change(init.cqContext) }, channel);
    }
  }
  return { Cq: Changed };
}

/** The user context of the CQ that was created last. */
class SharesCqContext extends Cq {
  static readonly #latest = new WeakMap<Context, bigint>();

  constructor(context: Context, init: CqInit, channel: CompChannel | undefined) {
    super(context, { ...init, cqContext: SharesCqContext.#latest.get(context) ?? init.cqContext }, channel);
    SharesCqContext.#latest.set(context, init.cqContext);
  }
}

/** The channel that a CQ of the context was bound to last. */
const newestChannels = new WeakMap<Context, CompChannel>();

/** A device on which a QP does not count as a user of one of its CQs. */
function notCounting(queue: 'sendCq' | 'recvCq'): { Device: typeof Device } {
  class NotCounting extends Device {
    override createQp(init: QpInit): Qp {
      const qp = super.createQp(init);
      init[queue].users -= 1;
      return qp;
    }

    override beginDestroyQp(qp: Qp): void {
      qp.init[queue].users += 1;
      super.beginDestroyQp(qp);
    }
  }
  return { Device: NotCounting };
}

const page = 'ibv_create_cq';
const pageEx = 'ibv_create_cq_ex';
const creations: readonly VerbName[] = ['ibv_create_cq', 'ibv_create_cq_ex'];

/** Planted faults of the rules of ibv_create_cq(3), ibv_destroy_cq(3), and of those that ibv_create_cq_ex(3) shares. */
export const faults: Readonly<Record<string, Fault>> = {
  'cq-context-truncated': {
    rules: [
      `${page}.signature-create`,
      `${page}.cq-context-stored`,
      `${pageEx}.signature`,
      `${pageEx}.attr-cq-context`,
      'ibv_get_cq_event.fills-cq-context',
    ],
    effect: 'a CQ keeps the low 32 bits of its user context',
    parts: keeping((cqContext) => BigInt.asUintN(32, cqContext)),
  },
  'cq-context-never-null': {
    rules: [`${page}.cq-context-stored`, 'ibv_get_cq_event.fills-cq-context'],
    effect: 'a CQ that was given the user context NULL makes one up',
    parts: keeping((cqContext) => (cqContext === 0n ? 0x5000n : cqContext)),
  },
  'cq-context-of-the-cq-before': {
    rules: [`${page}.cq-context-stored`, 'ibv_get_cq_event.fills-cq-context'],
    effect: 'a CQ has the user context of the one that was created before it',
    parts: { Cq: SharesCqContext },
  },
  'cq-without-context': {
    rules: [`${page}.creates-on-context`, `${pageEx}.creates-on-context`],
    effect: 'a CQ does not name its device context',
    parts: succeedingWith(['struct ibv_cq'], ({ outputs }) => ({ outputs: { ...outputs, context: null } })),
  },
  'cq-one-short': {
    rules: [`${page}.min-size`, `${pageEx}.attr-cqe`],
    effect: 'a CQ has one entry fewer than was asked for',
    parts: {
      Cq: class extends Cq {
        protected override sizeFor(asked: number): number {
          return asked - 1;
        }
      },
    },
  },
  'cqe-overstated': {
    rules: [
      `${page}.size-may-exceed`,
      `${page}.cqe-holds-actual`,
      `${pageEx}.size-may-exceed`,
      `${pageEx}.cqe-holds-actual`,
      'ibv_resize_cq.size-may-exceed',
      'ibv_resize_cq.cqe-updated',
    ],
    effect: 'the cqe member tells one entry more than there is',
    parts: {
      Cq: class extends Cq {
        override get cqe(): number {
          return super.cqe + 1;
        }
      },
    },
  },
  'no-channel-no-cqes': {
    rules: [`${page}.channel-optional`, `${pageEx}.attr-channel-null`, 'ibv_get_async_event.event-cq-err'],
    effect: 'a CQ without a channel takes no CQEs',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (this.channel !== undefined) super.add(cqe);
        }
      },
    },
  },
  'no-channel-armed-no-cqes': {
    rules: [`${page}.channel-optional`],
    effect: 'a CQ without a channel takes no CQEs once it is armed',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (this.channel !== undefined || this.request === undefined) super.add(cqe);
        }
      },
    },
  },
  'destroyed-cq-leaves-events': {
    rules: [`${page}.destroys`],
    effect: 'the events of a CQ that was destroyed still come out of its channel',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          this.cqs.delete(cq);
        }
      },
    },
  },
  'destroyed-cq-takes-all-events': {
    rules: [`${page}.destroys`],
    effect: 'with a CQ the events of all CQs leave the channel',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          super.forget(cq);
          this.events = [];
        }
      },
    },
  },
  'event-on-newest-channel': {
    rules: [
      `${page}.channel-used`,
      `${pageEx}.attr-channel`,
      'ibv_create_comp_channel.multiple-channels-steer',
      'ibv_req_notify_cq.event-on-bound-channel',
    ],
    effect: 'events go to the channel that was used last for a CQ',
    parts: {
      Cq: class extends Cq {
        constructor(context: Context, init: CqInit, channel: CompChannel | undefined) {
          super(context, init, channel);
          if (channel !== undefined) newestChannels.set(context, channel);
        }

        protected override fire(): void {
          this.spendRequest();
          newestChannels.get(this.context)?.add(this);
        }
      },
    },
  },
  'event-names-neighbour': {
    rules: [`${page}.channel-used`, 'ibv_get_cq_event.fills-cq-shared-channel'],
    effect: 'an event names the last CQ of the channel',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          this.spendRequest();
          this.channel?.add([...this.channel.cqs].at(-1) ?? this);
        }
      },
    },
  },
  'negative-vector-allowed': {
    rules: [`${page}.vector-lower-bound`, `${pageEx}.attr-comp-vector`],
    effect: 'completion vector -1 is accepted',
    parts: {
      Device: class extends Device {
        protected override refuseVector(compVector: number): void {
          demand(compVector < this.numCompVectors, 'EINVAL');
        }
      },
    },
  },
  'vector-off-by-one': {
    rules: [
      `${page}.vector-upper-bound`,
      `${page}.returns-null`,
      `${page}.errno-on-null`,
      `${pageEx}.attr-comp-vector`,
      `${pageEx}.returns-null`,
      `${pageEx}.errno-on-null`,
    ],
    effect: 'the number of completion vectors is accepted as one',
    parts: {
      Device: class extends Device {
        protected override refuseVector(compVector: number): void {
          demand(compVector >= 0 && compVector <= this.numCompVectors, 'EINVAL');
        }
      },
    },
  },
  'last-vector-silent': {
    rules: [`${page}.vector-upper-bound`, `${pageEx}.attr-comp-vector`],
    effect: 'a CQ on the last completion vector makes no events',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          if (this.init.compVector === this.context.device.numCompVectors - 1) this.spendRequest();
          else super.fire();
        }
      },
    },
  },
  'destroyed-cq-holds-channel': {
    rules: [`${page}.destroys`, `${pageEx}.destroy-with-destroy-cq`],
    effect: 'a CQ that was destroyed keeps its channel busy',
    parts: {
      Cq: class extends Cq {
        override beginDestroy(): void {
          super.beginDestroy();
          this.channel?.bind(this);
        }
      },
    },
  },
  'create-cq-no-pointer': {
    rules: [`${page}.returns-pointer`, `${pageEx}.returns-pointer`],
    effect: 'creating a CQ of few entries returns NULL although it was created',
    parts: succeedingWith(creations, ({ outputs }) => (Number(outputs.cqe) < 5 ? { returned: null } : {})),
  },
  'create-cq-never-null': {
    rules: [`${page}.returns-null`, `${pageEx}.returns-null`, `${page}.errno-on-null`, `${pageEx}.errno-on-null`],
    effect: 'creating a CQ returns a pointer although it was refused',
    parts: refusingWith(creations, () => ({ returned: 'cq#0', outputs: { cqe: 1 } })),
  },
  'create-cq-no-errno': {
    rules: [`${page}.errno-on-null`, `${pageEx}.errno-on-null`],
    effect: 'a refusal to create a CQ leaves errno 0',
    parts: refusingWith(creations, () => ({ errno: 0 })),
  },
  'destroy-cq-returns-one': {
    rules: [`${page}.signature-destroy`, `${page}.destroy-returns-zero`],
    effect: 'destroying a CQ returns 1 when it has succeeded',
    parts: succeedingWith(['ibv_destroy_cq'], () => ({ returned: 1 })),
  },
  'destroy-cq-returns-minus-one': {
    rules: [`${page}.destroy-returns-errno`],
    effect: 'destroying a CQ returns -1 when it is refused',
    parts: refusingWith(['ibv_destroy_cq'], () => ({ returned: -1 })),
  },
  'destroy-cq-while-busy': {
    rules: [`${page}.destroy-busy-send-cq`, `${page}.destroy-busy-recv-cq`, `${page}.destroy-ok-after-qp`],
    effect: 'a CQ can be destroyed while QPs use it',
    parts: {
      Cq: class extends Cq {
        protected override refuseWhileBusy(): void {
          // Whoever uses it.
        }
      },
    },
  },
  'send-cq-not-counted': {
    rules: [`${page}.destroy-busy-send-cq`],
    effect: 'a QP does not hold the CQ of its sends',
    parts: notCounting('sendCq'),
  },
  'recv-cq-not-counted': {
    rules: [`${page}.destroy-busy-recv-cq`, `${page}.destroy-ok-after-qp`, `${page}.destroy-returns-errno`],
    effect: 'a QP does not hold the CQ of its receives',
    parts: notCounting('recvCq'),
  },
  'refused-destroy-disables-cq': {
    rules: [`${page}.destroy-busy-send-cq`, `${page}.destroy-busy-recv-cq`],
    effect: 'a CQ that could not be destroyed takes no more CQEs',
    parts: {
      Cq: class extends Cq {
        #dead = false;

        override beginDestroy(): void {
          this.#dead = true;
          super.beginDestroy();
        }

        override add(cqe: Cqe): void {
          if (!this.#dead) super.add(cqe);
        }
      },
    },
  },
  'first-qp-frees-cq': {
    rules: [`${page}.destroy-ok-after-qp`],
    effect: 'the first QP that goes frees the CQ',
    parts: {
      Device: class extends Device {
        override beginDestroyQp(qp: Qp): void {
          super.beginDestroyQp(qp);
          qp.init.sendCq.users = 0;
          qp.init.recvCq.users = 0;
        }
      },
    },
  },
  'qp-keeps-one-use': {
    rules: [`${page}.destroy-ok-after-qp`],
    effect: 'a QP that sends and receives on one CQ lets go of it once',
    parts: {
      Device: class extends Device {
        override beginDestroyQp(qp: Qp): void {
          super.beginDestroyQp(qp);
          if (qp.init.sendCq === qp.init.recvCq) qp.init.sendCq.users += 1;
        }
      },
    },
  },
};
