import { CompChannel } from '../../channel/comp-channel';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import { Qp } from '../../qp/qp';
import { demand } from '../../refusal';
import type { Fault } from '../fault';

/** A CQ in which a QP can put a CQE without an event. */
class HushableCq extends Cq {
  hushed = false;

  protected override matchesRequest(cqe: Cqe): boolean {
    return !this.hushed && super.matchesRequest(cqe);
  }
}

/** Does something during which no CQE makes an event. */
function hushing(cq: Cq, isHushed: boolean, action: () => void): void {
  if (cq instanceof HushableCq) cq.hushed = isHushed;
  action();
  if (cq instanceof HushableCq) cq.hushed = false;
}

const page = 'ibv_req_notify_cq';
const extended = 'ibv_create_cq_ex';

/** Further faults of requests for events: those that come from the QP, from what is pending, or from the channel. */
export const faults: Readonly<Record<string, Fault>> = {
  'armed-cq-refuses-arming': {
    rules: [`${page}.signature`, `${page}.returns-zero`],
    effect: 'a CQ that is armed refuses another request',
    parts: {
      Cq: class extends Cq {
        override arm(solicitedOnly: number): void {
          demand(this.request === undefined, 'EBUSY');
          super.arm(solicitedOnly);
        }
      },
    },
  },
  'notified-cqe-is-lost': {
    rules: [
      `${page}.event-follows-cqe`,
      `${extended}.signature`,
      `${extended}.start-begins-batch`,
      `${extended}.start-success-readable`,
      `${extended}.start-zero`,
      `${extended}.next-advances`,
      `${extended}.next-success-readable`,
      `${extended}.next-error-needs-end`,
      `${extended}.end-then-new-start`,
      `${extended}.wcflag-completion-ts`,
      `${extended}.read-completion-ts`,
      'ibv_resize_cq.not-below-backlog',
    ],
    effect: 'the CQE that makes an event is not in the CQ',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          super.fire();
          this.cqes.pop();
        }
      },
    },
  },
  'successful-sends-are-hushed': {
    rules: [`${page}.zero-send-success`],
    effect: 'a send that succeeded is put into its CQ without an event',
    parts: {
      Cq: HushableCq,
      Qp: class extends Qp {
        override completeSend(...args: Parameters<Qp['completeSend']>): void {
          hushing(this.init.sendCq, args[1] === 'IBV_WC_SUCCESS', () => {
            super.completeSend(...args);
          });
        }
      },
    },
  },
  'successful-receives-are-hushed': {
    rules: [`${page}.zero-recv-success`],
    effect: 'a receive that succeeded is put into its CQ without an event',
    parts: {
      Cq: HushableCq,
      Qp: class extends Qp {
        override completeReceive(...args: Parameters<Qp['completeReceive']>): void {
          hushing(this.init.recvCq, true, () => {
            super.completeReceive(...args);
          });
        }
      },
    },
  },
  'receives-beside-sends-are-hushed': {
    rules: [`${page}.any-cq-allowed`],
    effect: 'a receive of a QP that sends on the same CQ is put there without an event',
    parts: {
      Cq: HushableCq,
      Qp: class extends Qp {
        override completeReceive(...args: Parameters<Qp['completeReceive']>): void {
          hushing(this.init.recvCq, this.init.recvCq === this.init.sendCq, () => {
            super.completeReceive(...args);
          });
        }
      },
    },
  },
  'unasked-solicited-cqe-is-lost': {
    rules: [`${page}.no-auto-rearm`],
    effect: 'a solicited CQE of a CQ that is not armed is lost',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (this.request !== undefined || !cqe.solicitedEvent) super.add(cqe);
        }
      },
    },
  },
  'unasked-send-is-lost': {
    rules: [`${page}.arms-cq`],
    effect: 'a send of a CQ with a channel is lost that was never armed',
    parts: {
      Cq: class extends Cq {
        #isAsked = false;

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          this.#isAsked = true;
        }

        override add(cqe: Cqe): void {
          const isLost = cqe.queue === 'send' && this.channel !== undefined && !this.#isAsked;
          if (!isLost || this.init.wcFlags !== undefined) super.add(cqe);
        }
      },
    },
  },
  'solicited-receives-are-hushed': {
    rules: [`${page}.zero-recv-solicited`, `${page}.solicited-recv-send`],
    effect: 'a receive with the Solicited Event bit is put into its CQ without an event',
    parts: {
      Cq: HushableCq,
      Qp: class extends Qp {
        override completeReceive(...args: Parameters<Qp['completeReceive']>): void {
          hushing(this.init.recvCq, this.isSolicited(args[1]), () => {
            super.completeReceive(...args);
          });
        }
      },
    },
  },
  'failed-receives-are-hushed': {
    rules: [`${page}.zero-recv-error`, `${page}.solicited-recv-error`],
    effect: 'a receive that failed is put into its CQ without an event',
    parts: {
      Cq: HushableCq,
      Qp: class extends Qp {
        override failReceive(...args: Parameters<Qp['failReceive']>): void {
          hushing(this.init.recvCq, true, () => {
            super.failReceive(...args);
          });
        }
      },
    },
  },
  'signaled-sends-carry-the-bit': {
    rules: [`${page}.unsolicited-send-success`, `${page}.solicited-needs-recv-queue`],
    effect: 'a send that succeeded has the Solicited Event bit',
    parts: {
      Qp: class extends Qp {
        override completeSend(...[wr, status, byteLen = 0]: Parameters<Qp['completeSend']>): void {
          const wc = this.completions.ofSend(wr, status, byteLen);
          const solicitedEvent = status === 'IBV_WC_SUCCESS';
          this.init.sendCq.add({ wc, queue: 'send', solicitedEvent, atUs: this.device.clock.nowUs });
        }
      },
    },
  },
  'backlog-delays-the-event': {
    rules: [`${page}.next-counted-from-call`],
    effect: 'a request is answered after as many CQEs as there were in the CQ',
    parts: {
      Cq: class extends Cq {
        #toPass = 0;

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          this.#toPass = this.cqes.length;
        }

        protected override gather(): void {
          if (this.#toPass === 0) super.gather();
          else this.#toPass -= 1;
        }
      },
    },
  },
  'widened-request-is-late': {
    rules: [`${page}.solicited-then-next`],
    effect: 'a request for any CQE after one for solicited CQEs counts from the second CQE on',
    parts: {
      Cq: class extends Cq {
        #isLate = false;

        override notify(scope: NotifyRequest): void {
          this.#isLate = this.request === 'solicited' && scope === 'any';
          super.notify(scope);
        }

        protected override matchesRequest(cqe: Cqe): boolean {
          if (!this.#isLate) return super.matchesRequest(cqe);
          this.#isLate = false;
          return this.isSolicited(cqe);
        }
      },
    },
  },
  'narrowing-disarms': {
    rules: [`${page}.next-then-solicited`, `${page}.mixed-any-order-next-wins`],
    effect: 'a request for solicited CQEs takes back one for any',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.request === 'any' && scope === 'solicited') this.request = undefined;
          else super.notify(scope);
        }
      },
    },
  },
  'selector-above-one-is-refused': {
    rules: [`${page}.no-threshold`, `${page}.nonzero-any-value`],
    effect: 'solicited_only may be 0 or 1',
    parts: {
      Cq: class extends Cq {
        override arm(solicitedOnly: number): void {
          demand(solicitedOnly === 0 || solicitedOnly === 1, 'EINVAL');
          super.arm(solicitedOnly);
        }
      },
    },
  },
  'get-arms': {
    rules: [`${page}.no-auto-rearm`],
    effect: 'taking an event arms its CQ',
    parts: {
      CompChannel: class extends CompChannel {
        override take(): Cq | undefined {
          const cq = super.take();
          cq?.notify('any');
          return cq;
        }
      },
    },
  },
};
