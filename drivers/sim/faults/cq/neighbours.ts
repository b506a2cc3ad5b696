import { CompChannel } from '../../channel/comp-channel';
import { Cq } from '../../cq/cq';
import { Qp } from '../../qp/qp';
import type { Fault } from '../fault';

const create = 'ibv_create_cq';
const notify = 'ibv_req_notify_cq';
const get = 'ibv_get_cq_event';

/** A CQ from which one of its QPs can take what is of others. */
class OpenCq extends Cq {
  disarm(): void {
    this.request = undefined;
  }

  empty(): void {
    this.cqes.splice(0);
  }
}

/** What one object does to others that share a CQ or a channel with it. */
export const faults: Readonly<Record<string, Fault>> = {
  'failing-qp-disarms': {
    rules: [`${notify}.arms-cq`],
    effect: 'a QP that goes to the error state disarms the CQ that it receives on',
    parts: {
      Cq: OpenCq,
      Qp: class extends Qp {
        override enterError(): void {
          super.enterError();
          if (this.init.recvCq instanceof OpenCq) this.init.recvCq.disarm();
        }
      },
    },
  },
  'reset-empties-the-cq': {
    rules: ['ibv_poll_cq.removed-once-polled'],
    effect: 'a QP that is reset takes the CQEs of its neighbours out of the CQ',
    parts: {
      Cq: OpenCq,
      Qp: class extends Qp {
        override modify(attr: Parameters<Qp['modify']>[0]): void {
          super.modify(attr);
          if (attr.qpState === 'IBV_QPS_RESET' && this.init.recvCq instanceof OpenCq) this.init.recvCq.empty();
        }
      },
    },
  },
  'qp-in-reset-does-not-count': {
    rules: [`${create}.destroy-busy-send-cq`, `${create}.destroy-busy-recv-cq`],
    effect: 'a CQ whose QPs are in the reset state can be destroyed',
    parts: {
      Cq: class extends Cq {
        protected override refuseWhileBusy(): void {
          if (this.context.device.qpsOf(this).some(({ state }) => state !== 'IBV_QPS_RESET')) super.refuseWhileBusy();
        }
      },
    },
  },
  'full-cq-is-not-armed': {
    rules: [`${notify}.arms-cq`],
    effect: 'a CQ that is full is not armed',
    parts: {
      Cq: class extends Cq {
        override arm(solicitedOnly: number): void {
          if (this.cqes.length < this.capacity) super.arm(solicitedOnly);
        }
      },
    },
  },
  'one-event-at-an-instant': {
    rules: [`${notify}.event-follows-cqe`],
    effect: 'of two CQs of a channel that get a CQE in the same microsecond one makes no event',
    parts: {
      CompChannel: class extends CompChannel {
        #lastUs = -1;

        override add(cq: Cq): void {
          const { nowUs } = this.context.device.clock;
          if (nowUs !== this.#lastUs) super.add(cq);
          this.#lastUs = nowUs;
        }
      },
    },
  },
  'three-events-of-a-cq-wait-at-most': {
    rules: [`${notify}.effective-after-event`],
    effect: 'a CQ makes no event while three of its events wait to be got',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if (this.events.filter((one) => one === cq).length < 3) super.add(cq);
        }
      },
    },
  },
  'destroyed-cq-takes-later-events': {
    rules: [`${get}.fills-cq-shared-channel`],
    effect: 'with the event of a destroyed CQ those go that wait behind it',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          const at = this.events.indexOf(cq);
          if (at >= 0) this.events.splice(at);
          super.forget(cq);
        }
      },
    },
  },
  'destroyed-cq-leaves-an-event': {
    rules: [`${create}.destroys`],
    effect: 'of two events of a destroyed CQ one stays on the channel',
    parts: {
      CompChannel: class extends CompChannel {
        override forget(cq: Cq): void {
          const [, second] = this.events.filter((one) => one === cq);
          super.forget(cq);
          if (second !== undefined) this.events.push(second);
        }
      },
    },
  },
};
