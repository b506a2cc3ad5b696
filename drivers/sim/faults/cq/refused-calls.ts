import { CompChannel } from '../../channel/comp-channel';
import { Cq, type CqInit } from '../../cq/cq';
import type { Context } from '../../device/context';
import { Device, type Parts } from '../../device/device';
import { Qp } from '../../qp/qp';
import type { Fault } from '../fault';

const createCq = 'ibv_create_cq';
const createChannel = 'ibv_create_comp_channel';
const resize = 'ibv_resize_cq';
const busy = [`${createCq}.destroy-busy-send-cq`, `${createCq}.destroy-busy-recv-cq`];

/** Does something when a call is refused, and refuses it. */
function onRefusal(call: () => void, spoil: () => void): void {
  try {
    call();
  } catch (error) {
    spoil();
    throw error;
  }
}

/** A CQ that the refusal to destroy it spoils: it is disarmed, unless a fault says otherwise. */
class SpoiltByRefusedDestroy extends Cq {
  override beginDestroy(): void {
    onRefusal(
      () => {
        super.beginDestroy();
      },
      () => {
        this.spoil();
      },
    );
  }

  protected spoil(): void {
    this.request = undefined;
  }
}

/** A CQ that the refusal to resize it spoils, likewise. */
class SpoiltByRefusedResize extends Cq {
  override resize(cqe: number): void {
    onRefusal(
      () => {
        super.resize(cqe);
      },
      () => {
        this.spoil();
      },
    );
  }

  protected spoil(): void {
    this.request = undefined;
  }
}

/** QPs of which some do not keep their CQs from being destroyed. */
function notCounting(isLeftOut: (qp: Qp) => boolean): Partial<Parts> {
  return {
    Cq: class extends Cq {
      readonly #qps = new Set<Qp>();

      note(qp: Qp): void {
        this.#qps.add(qp);
      }

      protected override refuseWhileBusy(): void {
        if (this.users === 0 || [...this.#qps].some((qp) => !isLeftOut(qp))) super.refuseWhileBusy();
      }
    },
    Qp: class extends Qp {
      constructor(...[device, qpNum, init]: ConstructorParameters<typeof Qp>) {
        super(device, qpNum, init);
        for (const cq of [init.sendCq, init.recvCq]) if ('note' in cq) (cq as { note(qp: Qp): void }).note(this);
      }
    },
  };
}

/** What a call that is refused leaves behind, and calls that are refused for some objects or once only. */
export const faults: Readonly<Record<string, Fault>> = {
  'refused-destroy-disarms-cq': {
    rules: busy,
    effect: 'a CQ whose destruction is refused is no longer armed',
    parts: {
      Cq: SpoiltByRefusedDestroy,
    },
  },
  'refused-destroy-drops-cq-events': {
    rules: busy,
    effect: 'a CQ whose destruction is refused has lost the events that nobody has taken',
    parts: {
      Cq: class extends SpoiltByRefusedDestroy {
        protected override spoil(): void {
          this.channel?.forget(this);
          this.channel?.bind(this);
        }
      },
    },
  },
  'refused-destroy-empties-cq': {
    rules: busy,
    effect: 'a CQ whose destruction is refused has lost its CQEs',
    parts: {
      Cq: class extends SpoiltByRefusedDestroy {
        protected override spoil(): void {
          this.cqes.length = 0;
        }
      },
    },
  },
  'refused-destroy-frees-channel': {
    rules: busy,
    effect: 'a CQ whose destruction is refused does not keep its channel from being destroyed',
    parts: {
      Cq: class extends SpoiltByRefusedDestroy {
        protected override spoil(): void {
          this.channel?.cqs.delete(this);
        }
      },
    },
  },
  'second-try-destroys-cq': {
    rules: busy,
    effect: 'a CQ in use is destroyed when the program tries again',
    parts: {
      Cq: class extends Cq {
        #hasRefused = false;

        protected override refuseWhileBusy(): void {
          if (this.#hasRefused) return;
          this.#hasRefused = this.users > 0;
          super.refuseWhileBusy();
        }
      },
    },
  },
  'cq-of-uc-or-ud-qp-is-free': {
    rules: busy,
    effect: 'a CQ can be destroyed while UC or UD QPs use it',
    parts: notCounting((qp) => !qp.isReliable),
  },
  'cq-of-qp-in-error-is-free': {
    rules: busy,
    effect: 'a CQ can be destroyed while QPs in the error state use it',
    parts: notCounting((qp) => qp.state === 'IBV_QPS_ERR'),
  },
  'cq-of-qp-with-srq-is-free': {
    rules: [`${createCq}.destroy-busy-recv-cq`],
    effect: 'a CQ can be destroyed while QPs receive from an SRQ on it',
    parts: notCounting((qp) => qp.init.srq !== undefined),
  },
  'refused-destroy-drops-channel-events': {
    rules: [`${createChannel}.destroy-busy`],
    effect: 'a channel whose destruction is refused has lost its events',
    parts: {
      CompChannel: class extends CompChannel {
        override destroy(): void {
          onRefusal(
            () => {
              super.destroy();
            },
            () => {
              this.events = [];
            },
          );
        }
      },
    },
  },
  'refused-cq-holds-channel': {
    rules: [`${createChannel}.destroy-ok-after-cqs`],
    effect: 'a CQ that was not created keeps its channel from being destroyed',
    parts: {
      Device: class extends Device {
        override createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
          if (channel !== undefined && init.cqe > this.maxCqe) {
            new this.parts.Cq(context, { ...init, cqe: this.maxCqe }, channel);
          }
          return super.createCq(context, init, channel);
        }
      },
    },
  },
  'refused-resize-takes-room': {
    rules: [`${resize}.returns-errno`],
    effect: 'a CQ that could not be resized has room for no more than its backlog and one CQE',
    parts: {
      Cq: class extends SpoiltByRefusedResize {
        protected override spoil(): void {
          this.capacity = Math.min(this.capacity, this.cqes.length + 1);
        }
      },
    },
  },
  'refused-resize-disarms': {
    rules: ['ibv_req_notify_cq.arms-cq'],
    effect: 'a CQ that could not be resized is no longer armed',
    parts: {
      Cq: SpoiltByRefusedResize,
    },
  },
};
