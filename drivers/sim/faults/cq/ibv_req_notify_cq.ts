import { CompChannel } from '../../channel/comp-channel';
import type { WcStatus } from '../../cq/completions';
import type { Context } from '../../device/context';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import type { Fault } from '../fault';
import type { Message } from '../../qp/message';
import { Qp } from '../../qp/qp';
import { Transmitter } from '../../qp/transmitter';
import { demand } from '../../refusal';
import { refusingWith } from '../returning';
import { ReturnValues, type Success, type Returned } from '../../return-values';
import type { VerbName } from '../../../pipeline/conventions';
import { hasImmediate, type SendRequest } from '../../qp/work-request';

class EventsGoToTheNewestChannel extends CompChannel {
  static readonly #newest = new WeakMap<Context, EventsGoToTheNewestChannel>();

  constructor(...args: ConstructorParameters<typeof CompChannel>) {
    super(...args);
    EventsGoToTheNewestChannel.#newest.set(this.context, this);
  }

  override add(cq: Cq): void {
    EventsGoToTheNewestChannel.#newest.get(this.context)?.events.push(cq);
  }
}

class HushedCq extends Cq {
  hushed = false;

  protected override matchesRequest(cqe: Cqe): boolean {
    return !this.hushed && super.matchesRequest(cqe);
  }
}

const page = 'ibv_req_notify_cq';

/** Planted faults of the rules of ibv_req_notify_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'stays-armed': {
    rules: [`${page}.one-shot`, `${page}.no-auto-rearm`, `${page}.event-may-cover-many`],
    effect: 'a request is not spent by its event',
    parts: {
      Cq: class extends Cq {
        protected override spendRequest(): void {
          // The request outlives its event.
        }
      },
    },
  },
  'ack-arms': {
    rules: [`${page}.silent-until-rearmed`],
    effect: 'an ack arms the CQ',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          this.notify('any');
        }
      },
    },
  },
  'poll-arms': {
    rules: [`${page}.silent-until-rearmed`],
    effect: 'a poll arms the CQ',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (cqes.length > 0) this.notify('any');
          return cqes;
        }
      },
    },
  },
  'arms-once': {
    rules: [`${page}.rearm-restores`],
    effect: 'a CQ can be armed only once',
    parts: {
      Cq: class extends Cq {
        #armed = false;

        override notify(scope: NotifyRequest): void {
          if (this.#armed && this.request === undefined) return;
          this.#armed = true;
          super.notify(scope);
        }
      },
    },
  },
  'needs-ack-to-arm': {
    rules: [`${page}.rearm-restores`],
    effect: 'a CQ with an unacknowledged event cannot be armed',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.compEvents.none) super.notify(scope);
        }
      },
    },
  },
  'backlog-notifies': {
    rules: [`${page}.existing-cqe-ignored`],
    effect: 'arming a CQ that is not empty adds an event',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          if (this.cqes.length === 0) return;
          this.spendRequest();
          this.channel?.add(this);
        }
      },
    },
  },
  'missed-cqes-notify': {
    rules: [`${page}.existing-cqe-ignored`, `${page}.drain-after-event`],
    effect: 'arming adds an event for CQEs that came while the CQ was not armed',
    parts: {
      Cq: class extends Cq {
        readonly #missed = new WeakSet<Cqe>();

        override add(cqe: Cqe): void {
          if (this.request === undefined) this.#missed.add(cqe);
          super.add(cqe);
        }

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          if (this.cqes.some((cqe) => this.#missed.has(cqe) && this.matchesRequest(cqe))) this.fire();
        }
      },
    },
  },
  'banks-requests': {
    rules: [
      `${page}.repeat-next-noop`,
      `${page}.repeat-solicited-noop`,
      `${page}.effective-after-event`,
      `${page}.mixed-single-event`,
    ],
    effect: 'each repeated request buys an event',
    parts: {
      Cq: class extends Cq {
        #banked = 0;

        override notify(scope: NotifyRequest): void {
          if (this.request !== undefined) this.#banked += 1;
          super.notify(scope);
        }

        protected override spendRequest(): void {
          if (this.#banked === 0) super.spendRequest();
          else this.#banked -= 1;
        }
      },
    },
  },
  'repeat-disarms': {
    rules: [`${page}.repeat-next-noop`, `${page}.effective-after-event`, `${page}.repeat-solicited-noop`],
    effect: 'the second equal request takes the first one back',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          if (this.request === scope) this.request = undefined;
          else super.notify(scope);
        }
      },
    },
  },
  'unsolicited-spends': {
    rules: [`${page}.nonzero-survives-unsolicited`, `${page}.nonzero-solicited-only`],
    effect: 'any CQE spends a request for solicited CQEs',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          super.add(cqe);
          this.request = undefined;
        }
      },
    },
  },
  'solicited-bit-lost': {
    rules: [`${page}.solicited-recv-send`, `${page}.solicited-recv-send-imm`, `${page}.solicited-recv-write-imm`],
    effect: 'no successful receive is solicited',
    parts: {
      Cq: class extends Cq {
        protected override isSolicited(cqe: Cqe): boolean {
          return cqe.wc.status !== 'IBV_WC_SUCCESS';
        }
      },
    },
  },
  'every-receive-solicited': {
    rules: [
      `${page}.unsolicited-recv-success`,
      `${page}.nonzero-survives-unsolicited`,
      `${page}.nonzero-solicited-only`,
      `${page}.solicited-origin-flag`,
    ],
    effect: 'every receive is solicited',
    parts: {
      Cq: class extends Cq {
        protected override isSolicited(): boolean {
          return true;
        }
      },
    },
  },
  'first-request-wins': {
    rules: [`${page}.solicited-then-next`, `${page}.mixed-any-order-next-wins`, `${page}.mixed-single-event`],
    effect: 'a pending request cannot be changed',
    parts: {
      Cq: class extends Cq {
        protected override combine(pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
          return pending ?? asked;
        }
      },
    },
  },
  'last-request-wins': {
    rules: [`${page}.next-then-solicited`, `${page}.mixed-any-order-next-wins`, `${page}.mixed-single-event`],
    effect: 'the last request replaces the pending one',
    parts: {
      Cq: class extends Cq {
        protected override combine(_pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
          return asked;
        }
      },
    },
  },
  'mixed-requests-fire-apart': {
    rules: [`${page}.mixed-single-event`],
    effect: 'requests of both kinds are answered one by one',
    parts: {
      Cq: class extends Cq {
        #both = false;

        override notify(scope: NotifyRequest): void {
          this.#both ||= this.request !== undefined && this.request !== scope;
          super.notify(scope);
        }

        protected override spendRequest(): void {
          this.request = this.#both ? 'solicited' : undefined;
          this.#both = false;
        }
      },
    },
  },
  'arming-returns-one': {
    rules: [`${page}.signature`, `${page}.returns-zero`],
    effect: 'arming returns 1 although it has armed the CQ',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          const sound = super.ofSuccess(verb, outcome);
          return verb === 'ibv_req_notify_cq' ? { ...sound, returned: 1 } : sound;
        }
      },
    },
  },
  'born-armed': {
    rules: [`${page}.arms-cq`],
    effect: 'a new CQ is armed',
    parts: {
      Cq: class extends Cq {
        protected override request: NotifyRequest | undefined = 'any';
      },
    },
  },
  'event-is-lost': {
    rules: [`${page}.arms-cq`, `${page}.fetched-by-get-event`, `${page}.sleep-until-cqe`, `${page}.any-cq-allowed`],
    effect: 'the request is spent without an event',
    parts: {
      Cq: class extends Cq {
        protected override fire(): void {
          this.spendRequest();
        }
      },
    },
  },
  'arming-wants-a-cqe': {
    rules: [`${page}.marks-only`],
    effect: 'arming an empty CQ is refused',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(this.cqes.length > 0, 'EAGAIN');
          super.notify(scope);
        }
      },
    },
  },
  'arming-wants-a-solicited-cqe': {
    rules: [`${page}.marks-only`],
    effect: 'arming for solicited CQEs is refused while there is none',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(scope === 'any' || this.cqes.some((cqe) => this.isSolicited(cqe)), 'EAGAIN');
          super.notify(scope);
        }
      },
    },
  },
  'solicited-arming-is-refused-negated': {
    rules: [`${page}.returns-errno`],
    effect: 'arming for solicited CQEs is refused with the negated errno',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(scope === 'any', 'EOPNOTSUPP');
          super.notify(scope);
        }
      },
      ...refusingWith(['ibv_req_notify_cq'], ({ errno }) => ({ returned: -errno })),
    },
  },
  'other-arming-is-refused-negated': {
    rules: [`${page}.returns-errno`],
    effect: 'arming for solicited CQEs is refused with the negated errno after a request for any CQE',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(scope === 'any' || this.request !== 'any', 'EBUSY');
          super.notify(scope);
        }
      },
      ...refusingWith(['ibv_req_notify_cq'], ({ errno }) => ({ returned: -errno })),
    },
  },
  'repeated-arming-gives-minus-one': {
    rules: [`${page}.returns-errno`],
    effect: 'a second request for solicited CQEs is refused with -1',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(scope === 'any' || this.request !== 'solicited', 'EBUSY');
          super.notify(scope);
        }
      },
      ...refusingWith(['ibv_req_notify_cq'], () => ({ returned: -1 })),
    },
  },
  'events-go-to-the-newest-channel': {
    rules: [
      `${page}.event-on-bound-channel`,
      'ibv_create_comp_channel.delivers-via-attached',
      'ibv_create_comp_channel.multiple-channels-steer',
      'ibv_create_cq.channel-used',
      'ibv_create_cq_ex.attr-channel',
    ],
    effect: 'events come out of the channel that was created last',
    parts: { CompChannel: EventsGoToTheNewestChannel },
  },
  'event-before-its-cqe': {
    rules: [`${page}.event-follows-cqe`, `${page}.sleep-until-cqe`, 'ibv_create_cq_ex.next-advances'],
    effect: 'the first poll after an event does not find its CQE',
    parts: {
      Cq: class extends Cq {
        #late = false;

        protected override fire(): void {
          super.fire();
          this.#late = true;
        }

        override poll(numEntries: number): Cqe[] {
          if (!this.#late) return super.poll(numEntries);
          this.#late = false;
          return [];
        }
      },
    },
  },
  'sends-never-notify': {
    rules: [
      `${page}.zero-any-cqe`,
      `${page}.zero-send-success`,
      `${page}.any-cq-allowed`,
      `${page}.zero-send-error`,
      `${page}.solicited-send-error`,
    ],
    effect: 'sends notify nobody',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return cqe.queue === 'receive' && super.matchesRequest(cqe);
        }
      },
    },
  },
  'receives-never-notify': {
    rules: [`${page}.zero-recv-success`],
    effect: 'receives notify nobody',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return cqe.queue === 'send' && super.matchesRequest(cqe);
        }
      },
    },
  },
  'any-leaves-solicited-out': {
    rules: [`${page}.zero-recv-solicited`],
    effect: 'a request for any CQE is not answered by a solicited one',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return this.request === 'any' ? !this.isSolicited(cqe) : super.matchesRequest(cqe);
        }
      },
    },
  },
  'failures-never-notify': {
    rules: [
      `${page}.zero-send-error`,
      `${page}.zero-recv-error`,
      `${page}.solicited-recv-error`,
      `${page}.solicited-send-error`,
    ],
    effect: 'failed work notifies nobody',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return cqe.wc.status === 'IBV_WC_SUCCESS' && super.matchesRequest(cqe);
        }
      },
    },
  },
  'only-one-means-solicited': {
    rules: [`${page}.nonzero-any-value`],
    effect: 'solicited_only is compared with 1',
    parts: {
      Cq: class extends Cq {
        override arm(solicitedOnly: number): void {
          super.arm(solicitedOnly === 1 ? 1 : 0);
        }
      },
    },
  },
  'low-byte-of-the-selector': {
    rules: [`${page}.nonzero-any-value`],
    effect: 'solicited_only is cut to 8 bits',
    parts: {
      Cq: class extends Cq {
        override arm(solicitedOnly: number): void {
          super.arm(solicitedOnly & 0xff);
        }
      },
    },
  },
  'selector-counts-cqes': {
    rules: [`${page}.no-threshold`, `${page}.nonzero-any-value`],
    effect: 'solicited_only is a number of CQEs to wait for',
    parts: {
      Cq: class extends Cq {
        #missing = 0;

        override arm(solicitedOnly: number): void {
          this.#missing = solicitedOnly;
          super.arm(solicitedOnly);
        }

        protected override gather(): void {
          this.#missing -= 1;
          if (this.#missing <= 0) super.gather();
        }
      },
    },
  },
  'solicited-bit-lost-with-immediate': {
    rules: [`${page}.solicited-recv-send-imm`, `${page}.solicited-recv-write-imm`],
    effect: 'a message with immediate is not solicited',
    parts: {
      Qp: class extends Qp {
        protected override isSolicited(message: Message): boolean {
          return !hasImmediate(message.wr) && super.isSolicited(message);
        }
      },
    },
  },
  'datagrams-are-not-solicited': {
    rules: [`${page}.solicited-recv-send`],
    effect: 'a datagram is not solicited',
    parts: {
      Qp: class extends Qp {
        protected override isSolicited(message: Message): boolean {
          return !this.isUd && super.isSolicited(message);
        }
      },
    },
  },
  'invalidations-are-not-solicited': {
    rules: [`${page}.solicited-recv-send`],
    effect: 'a Send with invalidate is not solicited',
    parts: {
      Qp: class extends Qp {
        protected override isSolicited(message: Message): boolean {
          return message.wr.opcode !== 'IBV_WR_SEND_WITH_INV' && super.isSolicited(message);
        }
      },
    },
  },
  'writes-are-not-solicited': {
    rules: [`${page}.solicited-recv-write-imm`],
    effect: 'an RDMA Write with immediate is not solicited',
    parts: {
      Qp: class extends Qp {
        protected override isSolicited(message: Message): boolean {
          return message.wr.opcode !== 'IBV_WR_RDMA_WRITE_WITH_IMM' && super.isSolicited(message);
        }
      },
    },
  },
  'immediate-solicits': {
    rules: [`${page}.solicited-origin-flag`, `${page}.unsolicited-recv-success`],
    effect: 'an immediate makes a receive solicited',
    parts: {
      Qp: class extends Qp {
        protected override isSolicited(message: Message): boolean {
          return hasImmediate(message.wr) || super.isSolicited(message);
        }
      },
    },
  },
  'unsignaled-is-not-solicited': {
    rules: [`${page}.solicited-origin-flag`],
    effect: 'IBV_SEND_SOLICITED counts only beside IBV_SEND_SIGNALED',
    parts: {
      Transmitter: class extends Transmitter {
        override attempt(...[wr, ...others]: Parameters<Transmitter['attempt']>): void {
          const isSignaled = wr.sendFlags.includes('IBV_SEND_SIGNALED');
          super.attempt(isSignaled ? wr : { ...wr, sendFlags: [] }, ...others);
        }
      },
    },
  },
  'solicited-bit-sticks': {
    rules: [`${page}.solicited-origin-flag`],
    effect: 'after one solicited message all are',
    parts: {
      Qp: class extends Qp {
        #seen = false;

        protected override isSolicited(message: Message): boolean {
          this.#seen ||= super.isSolicited(message);
          return this.#seen;
        }
      },
    },
  },
  'failed-receives-are-unsolicited': {
    rules: [`${page}.solicited-recv-error`],
    effect: 'a failed receive is as solicited as its message',
    parts: {
      Cq: class extends Cq {
        protected override isSolicited(cqe: Cqe): boolean {
          return cqe.queue === 'receive' ? cqe.solicitedEvent : super.isSolicited(cqe);
        }
      },
    },
  },
  'failed-sends-are-unsolicited': {
    rules: [`${page}.solicited-send-error`],
    effect: 'a failed send is unsolicited',
    parts: {
      Cq: class extends Cq {
        protected override isSolicited(cqe: Cqe): boolean {
          return cqe.queue === 'send' ? cqe.solicitedEvent : super.isSolicited(cqe);
        }
      },
    },
  },
  'sends-are-solicited': {
    rules: [
      `${page}.unsolicited-send-success`,
      `${page}.solicited-needs-recv-queue`,
      `${page}.unsolicited-send-own-flag`,
    ],
    effect: 'every send is solicited',
    parts: {
      Cq: class extends Cq {
        protected override isSolicited(cqe: Cqe): boolean {
          return cqe.queue === 'send' || super.isSolicited(cqe);
        }
      },
    },
  },
  'send-takes-its-own-flag': {
    rules: [`${page}.unsolicited-send-own-flag`, `${page}.solicited-needs-recv-queue`],
    effect: 'IBV_SEND_SOLICITED makes the send solicited',
    parts: {
      Qp: class extends Qp {
        override completeSend(wr: SendRequest, status: WcStatus, byteLen = 0): void {
          const wc = this.completions.ofSend(wr, status, byteLen);
          const solicitedEvent = wr.sendFlags.includes('IBV_SEND_SOLICITED');
          this.init.sendCq.add({ wc, queue: 'send', solicitedEvent, atUs: this.device.clock.nowUs });
        }
      },
    },
  },
  'notifies-only-when-empty': {
    rules: [`${page}.next-counted-from-call`, `${page}.zero-any-cqe`],
    effect: 'a CQE notifies only if the CQ was empty',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return this.cqes.length === 1 && super.matchesRequest(cqe);
        }
      },
    },
  },
  'repeat-widens': {
    rules: [`${page}.repeat-solicited-noop`],
    effect: 'a second request for solicited CQEs is taken for one for any',
    parts: {
      Cq: class extends Cq {
        protected override combine(pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
          return pending === asked ? 'any' : super.combine(pending, asked);
        }
      },
    },
  },
  'idle-cq-cannot-be-armed': {
    rules: [`${page}.any-cq-allowed`],
    effect: 'a CQ without queues cannot be armed',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          demand(this.users > 0, 'EINVAL');
          super.notify(scope);
        }
      },
    },
  },
  'srq-receives-are-silent': {
    rules: [`${page}.any-cq-allowed`],
    effect: 'receives from an SRQ notify nobody',
    parts: {
      Cq: HushedCq,
      Qp: class extends Qp {
        override completeReceive(...args: Parameters<Qp['completeReceive']>): void {
          const { recvCq, srq } = this.init;
          if (recvCq instanceof HushedCq) recvCq.hushed = srq !== undefined;
          super.completeReceive(...args);
          if (recvCq instanceof HushedCq) recvCq.hushed = false;
        }
      },
    },
  },
  'datagrams-are-silent': {
    rules: [`${page}.any-cq-allowed`, `${page}.solicited-recv-send`],
    effect: 'receives of UD QPs notify nobody',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return !cqe.wc.wcFlags.includes('IBV_WC_GRH') && super.matchesRequest(cqe);
        }
      },
    },
  },
  'poll-tells-of-the-rest': {
    rules: [`${page}.drain-after-event`],
    effect: 'a poll that leaves CQEs in an armed CQ adds an event',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          if (this.cqes.length > 0 && this.request !== undefined) this.fire();
          return cqes;
        }
      },
    },
  },
  'unannounced-cqes-are-lost': {
    rules: [`${page}.leftover-pollable`, `${page}.event-may-cover-many`, 'ibv_create_cq_ex.end-then-new-start'],
    effect: 'a CQE that comes after the event, before the CQ is armed again, is not kept',
    parts: {
      Cq: class extends Cq {
        #told = false;

        protected override fire(): void {
          super.fire();
          this.#told = true;
        }

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          this.#told = false;
        }

        override add(cqe: Cqe): void {
          if (!this.#told) super.add(cqe);
        }
      },
    },
  },
  'unarmed-cqes-are-lost': {
    rules: [`${page}.leftover-pollable`, 'ibv_create_cq_ex.direct-wr-id'],
    effect: 'a CQ with a channel keeps no CQE before it is armed for the first time',
    parts: {
      Cq: class extends Cq {
        #armed = false;

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          this.#armed = true;
        }

        override add(cqe: Cqe): void {
          if (this.channel === undefined || this.#armed) super.add(cqe);
        }
      },
    },
  },
  'ack-of-several-takes-cqes': {
    rules: [`${page}.event-without-polling`],
    effect: 'an ack of several events takes as many CQEs from the CQ',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents);
          if (nevents > 1) this.cqes.splice(0, nevents);
        }
      },
    },
  },
  'event-takes-its-cqe': {
    rules: [`${page}.event-without-polling`, 'ibv_create_cq_ex.next-advances', 'ibv_resize_cq.not-below-backlog'],
    effect: 'taking an event takes its CQE from the CQ',
    parts: {
      Cq: class extends Cq {
        override countTaken(): void {
          super.countTaken();
          this.cqes.shift();
        }
      },
    },
  },
};
