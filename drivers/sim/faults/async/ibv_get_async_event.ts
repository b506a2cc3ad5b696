import type { RecvWr } from '../../../contract';
import type { VerbName } from '../../../pipeline/conventions';
import {
  AsyncEvent,
  AsyncEvents,
  type AsyncElement,
  type AsyncEventType,
  type QpEventType,
} from '../../async/async-events';
import type { Context } from '../../device/context';
import { Cq } from '../../cq/cq';
import { Device, type Parts } from '../../device/device';
import type { Fault } from '../fault';
import { OverrunWhenFull, SilentWhenOverrun } from '../cq/overrunning';
import { Qp } from '../../qp/qp';
import { demand, Refusal } from '../../refusal';
import { Requester } from '../../qp/requester';
import { Responder } from '../../qp/responder';
import { ReturnValues, type Success, type Returned } from '../../return-values';
import { Srq } from '../../srq/srq';
import { succeedingWith } from '../returning';

/** Objects of one kind that have been made in a context, or on a device. */
class Siblings<Home extends object, T> {
  readonly #byHome = new WeakMap<Home, T[]>();

  add(home: Home, object: T): void {
    this.#byHome.set(home, [...this.of(home), object]);
  }

  of(home: Home): readonly T[] {
    return this.#byHome.get(home) ?? [];
  }

  /** Another one than `object`, if there is one. */
  otherThan(home: Home, object: T): T {
    return this.of(home).find((other) => other !== object) ?? object;
  }
}

const cqs = new Siblings<Context, Cq>();

class CqWithSiblings extends Cq {
  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    cqs.add(this.context, this);
  }
}

const qps = new Siblings<Device, Qp>();

class QpWithSiblings extends Qp {
  constructor(...args: ConstructorParameters<typeof Qp>) {
    super(...args);
    qps.add(this.device, this);
  }
}

const srqs = new Siblings<Context, Srq>();

class SrqWithSiblings extends Srq {
  constructor(...args: ConstructorParameters<typeof Srq>) {
    super(...args);
    srqs.add(this.pd.context, this);
  }
}

/** Events of whose objects no ack counts. */
function notAcknowledging(isIt: (element: AsyncElement) => boolean): Partial<Parts> {
  return {
    AsyncEvents: class extends AsyncEvents {
      override acknowledge(event: AsyncEvent): void {
        if (!isIt(event.element)) super.acknowledge(event);
      }
    },
  };
}

/** More than any scenario owes. */
const allEvents = 1000;

const page = 'ibv_get_async_event';
const destroyWaits = [`${page}.destroy-cq-waits`, `${page}.destroy-qp-waits`, `${page}.destroy-srq-waits`];

/** Planted faults of the rules of ibv_get_async_event(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'event-misses-the-waiting-get': {
    rules: [`${page}.waits-next`, `${page}.blocking`, `${page}.one-thread-receives`],
    effect: 'an event that comes while a get waits is lost',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #waiting = false;

        override take(): AsyncEvent | undefined {
          const event = super.take();
          this.#waiting = event === undefined;
          return event;
        }

        override add(event: AsyncEvent): void {
          if (!this.#waiting) super.add(event);
        }
      },
    },
  },
  'async-get-misses-what-is-there': {
    rules: [`${page}.waits-next`, `${page}.get-returns-zero`, `${page}.fd-get-after-pollin`],
    effect: 'a get fails when an event is there already',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override beginGet(): void {
          demand(!this.readable, 'EAGAIN');
        }
      },
    },
  },
  'element-of-the-event-before': {
    rules: [`${page}.element-by-type`],
    effect: 'an event names what the event before should have named',
    parts: {
      /** The member of the union is read that the event before had. */
      AsyncEvents: class extends AsyncEvents {
        #before: AsyncElement;

        override add(event: AsyncEvent): void {
          super.add(new AsyncEvent(event.eventType, this.#before ?? event.element));
          this.#before = event.element;
        }
      },
    },
  },
  'cq-event-names-another': {
    rules: [`${page}.element-cq`, 'ibv_poll_cq.overrun-async-event', `${page}.event-cq-err`],
    effect: 'the event of a CQ names another CQ',
    parts: {
      Cq: class extends CqWithSiblings {
        protected override fail(): void {
          this.overrun = true;
          this.context.raise('IBV_EVENT_CQ_ERR', cqs.otherThan(this.context, this));
        }
      },
    },
  },
  'cq-event-names-all': {
    rules: [`${page}.element-cq`],
    effect: 'the event of a CQ is raised for all CQs',
    parts: {
      Cq: class extends CqWithSiblings {
        protected override fail(): void {
          this.overrun = true;
          for (const cq of cqs.of(this.context)) this.context.raise('IBV_EVENT_CQ_ERR', cq);
        }
      },
    },
  },
  'qp-event-names-another': {
    rules: [
      `${page}.element-qp`,
      `${page}.event-comm-est`,
      `${page}.event-last-wqe`,
      `${page}.event-qp-access-err`,
      `${page}.event-sq-drained`,
    ],
    effect: 'the event of a QP names another QP',
    parts: {
      Qp: class extends QpWithSiblings {
        override raise(eventType: QpEventType): void {
          this.pd.context.raise(eventType, qps.otherThan(this.device, this));
        }
      },
    },
  },
  'qp-event-names-all': {
    rules: [`${page}.element-qp`, `${page}.event-last-wqe`, `${page}.event-qp-access-err`, `${page}.event-comm-est`],
    effect: 'the event of a QP is raised for all QPs',
    parts: {
      Qp: class extends QpWithSiblings {
        override raise(eventType: QpEventType): void {
          for (const qp of qps.of(this.device)) this.pd.context.raise(eventType, qp);
        }
      },
    },
  },
  'srq-event-names-another': {
    rules: [`${page}.element-srq`],
    effect: 'the event of an SRQ names another SRQ',
    parts: {
      Srq: class extends SrqWithSiblings {
        protected override reachLimit(): void {
          this.limit = 0;
          this.pd.context.raise('IBV_EVENT_SRQ_LIMIT_REACHED', srqs.otherThan(this.pd.context, this));
        }
      },
    },
  },
  'srq-event-names-all': {
    rules: [`${page}.element-srq`],
    effect: 'the event of an SRQ is raised for all SRQs',
    parts: {
      Srq: class extends SrqWithSiblings {
        protected override reachLimit(): void {
          this.limit = 0;
          for (const srq of srqs.of(this.pd.context)) this.pd.context.raise('IBV_EVENT_SRQ_LIMIT_REACHED', srq);
        }
      },
    },
  },
  'port-counted-from-zero': {
    rules: [`${page}.element-port`, `${page}.event-port-err`],
    effect: 'port events count the ports from 0',
    parts: {
      Device: class extends Device {
        override portChanged(eventType: AsyncEventType): void {
          for (const context of this.contexts) context.raise(eventType, this.port.portNum - 1);
        }
      },
    },
  },
  'port-that-comes-back-counted-from-zero': {
    rules: [`${page}.event-port-active`],
    effect: 'the event of a port that comes back counts the ports from 0',
    parts: {
      Device: class extends Device {
        override portChanged(eventType: AsyncEventType): void {
          const first = eventType === 'IBV_EVENT_PORT_ACTIVE' ? 0 : 1;
          for (const context of this.contexts) context.raise(eventType, this.port.portNum - 1 + first);
        }
      },
    },
  },
  'link-down-is-silent': {
    rules: [`${page}.event-port-err`],
    effect: 'a link that goes down raises no event',
    parts: {
      Device: class extends Device {
        override portChanged(eventType: AsyncEventType): void {
          if (eventType !== 'IBV_EVENT_PORT_ERR') super.portChanged(eventType);
        }
      },
    },
  },
  'link-up-is-silent': {
    rules: [`${page}.event-port-active`],
    effect: 'a link that comes up raises no event',
    parts: {
      Device: class extends Device {
        override portChanged(eventType: AsyncEventType): void {
          if (eventType !== 'IBV_EVENT_PORT_ACTIVE') super.portChanged(eventType);
        }
      },
    },
  },
  'link-change-raises-both': {
    rules: [`${page}.event-port-active`],
    effect: 'any change of the link raises both events of it',
    parts: {
      Device: class extends Device {
        override portChanged(): void {
          super.portChanged('IBV_EVENT_PORT_ERR');
          super.portChanged('IBV_EVENT_PORT_ACTIVE');
        }
      },
    },
  },
  'port-says-the-opposite': {
    rules: [`${page}.element-port`, `${page}.event-port-err`, `${page}.event-port-active`],
    effect: 'the state of the port is the one before its event',
    parts: {
      Device: class extends Device {
        override portChanged(eventType: AsyncEventType): void {
          super.portChanged(eventType);
          this.port.isUp = eventType === 'IBV_EVENT_PORT_ERR';
        }
      },
    },
  },
  'access-error-at-the-requester': {
    rules: [`${page}.event-qp-access-err`],
    effect: 'a QP whose request is refused gets the access error of its peer',
    parts: {
      Qp: class extends Qp {
        override completeSend(...[wr, status, byteLen]: Parameters<Qp['completeSend']>): void {
          super.completeSend(wr, status, byteLen);
          if (status === 'IBV_WC_REM_ACCESS_ERR') this.raise('IBV_EVENT_QP_ACCESS_ERR');
        }
      },
    },
  },
  'comm-est-at-both-ends': {
    rules: [`${page}.event-comm-est`],
    effect: 'a message at a QP in RTR raises the event for its sender as well',
    parts: {
      Qp: QpWithSiblings,
      Responder: class extends Responder {
        protected override communicationEstablished(): void {
          for (const qp of qps.of(this.qp.device)) qp.raise('IBV_EVENT_COMM_EST');
        }
      },
    },
  },
  'drained-is-silent': {
    rules: [`${page}.event-sq-drained`],
    effect: 'a send queue that has been drained raises no event',
    parts: {
      Requester: class extends Requester {
        protected override drained(): void {
          // The send queue stops and nobody is told.
        }
      },
    },
  },
  'drained-before-it-is': {
    rules: [`${page}.event-sq-drained`],
    effect: 'a send queue counts as drained while a message is in progress',
    parts: {
      Requester: class extends Requester {
        override checkDrained(): void {
          if (this.inProgress !== undefined && this.tellsDrained) this.drained();
        }
      },
    },
  },
  'drained-unasked': {
    rules: [`${page}.event-sq-drained`],
    effect: 'a send queue that has been drained raises an event that nobody has asked for',
    parts: {
      Requester: class extends Requester {
        protected override get tellsDrained(): boolean {
          return this.qp.state === 'IBV_QPS_SQD';
        }
      },
    },
  },
  'drained-ever-after': {
    rules: [`${page}.event-sq-drained`],
    effect: 'a QP that sends again after it was drained raises the event with each send',
    parts: {
      Requester: class extends Requester {
        protected override get tellsDrained(): boolean {
          return this.qp.attr.enSqdAsyncNotify === true;
        }
      },
    },
  },
  'last-wqe-is-silent': {
    rules: [`${page}.event-last-wqe`],
    effect: 'a QP on an SRQ goes to the error state without an event',
    parts: {
      Qp: class extends Qp {
        protected override reachLastWqe(): void {
          // As of a QP without an SRQ.
        }
      },
    },
  },
  'last-wqe-of-all-on-the-srq': {
    rules: [`${page}.event-last-wqe`],
    effect: 'each QP on the SRQ gets the event of one of them',
    parts: {
      Qp: class extends QpWithSiblings {
        protected override reachLastWqe(): void {
          for (const qp of qps.of(this.device)) {
            if (qp.init.srq === this.init.srq) qp.raise('IBV_EVENT_QP_LAST_WQE_REACHED');
          }
        }
      },
    },
  },
  'last-wqe-of-own-receives': {
    rules: [`${page}.event-last-wqe`],
    effect: 'a QP without an SRQ raises the event of one that has an SRQ',
    parts: {
      Qp: class extends Qp {
        override enterError(): void {
          super.enterError();
          if (this.init.srq === undefined) this.reachLastWqe();
        }
      },
    },
  },
  'cq-err-is-silent': {
    rules: [`${page}.event-cq-err`, 'ibv_poll_cq.overrun-async-event', `${page}.element-cq`],
    effect: 'a CQ overruns without an event',
    parts: { Cq: SilentWhenOverrun },
  },
  'cq-err-when-full': {
    rules: [
      `${page}.event-cq-err`,
      'ibv_create_cq.min-size',
      'ibv_poll_cq.overrun-async-event',
      'ibv_create_cq_ex.end-then-new-start',
    ],
    effect: 'a CQ that is just full raises the event',
    parts: { Cq: OverrunWhenFull },
  },
  'srq-limit-is-silent': {
    rules: [`${page}.event-srq-limit`],
    effect: 'an SRQ falls below its limit without an event',
    parts: {
      Srq: class extends Srq {
        protected override reachLimit(): void {
          this.limit = 0;
        }
      },
    },
  },
  'srq-limit-at-first-receive': {
    rules: [`${page}.event-srq-limit`],
    effect: 'an SRQ that has a limit raises the event at the next receive',
    parts: {
      Srq: class extends Srq {
        override take(): RecvWr | undefined {
          const wr = super.take();
          if (this.limit > 0) this.reachLimit();
          return wr;
        }
      },
    },
  },
  'async-ack-is-ignored': {
    rules: [`${page}.ack`, ...destroyWaits],
    effect: 'an event stays owed after its ack',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override acknowledge(): void {
          // What is owed stays owed.
        }
      },
    },
  },
  'ack-of-a-qp-event-is-ignored': {
    rules: [`${page}.ack`, `${page}.destroy-qp-waits`],
    effect: 'an event of a QP stays owed after its ack',
    parts: notAcknowledging((element) => element instanceof Qp),
  },
  'ack-of-an-srq-event-is-ignored': {
    rules: [`${page}.ack-returns-nothing`, `${page}.destroy-srq-waits`],
    effect: 'an event of an SRQ stays owed after its ack',
    parts: notAcknowledging((element) => element instanceof Srq),
  },
  'async-ack-settles-all': {
    rules: [`${page}.every-event-acked`],
    effect: 'one ack settles all events of an object',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override acknowledge({ element }: AsyncEvent): void {
          if (typeof element === 'object') element.asyncEvents.acknowledge(allEvents);
        }
      },
    },
  },
  'untaken-async-event-is-owed': {
    rules: destroyWaits,
    effect: 'an event is owed an ack before it is taken',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override add(event: AsyncEvent): void {
          super.add(event);
          if (typeof event.element === 'object') event.element.asyncEvents.countTaken();
        }
      },
    },
  },
  'destroy-cq-ignores-async-events': {
    rules: [`${page}.destroy-cq-waits`],
    effect: 'destroying a CQ waits for completion events alone',
    parts: {
      Cq: class extends Cq {
        override get destroyable(): boolean {
          return this.compEvents.none;
        }
      },
    },
  },
  'destroy-cq-waits-for-all': {
    rules: [`${page}.destroy-cq-waits`, 'ibv_get_cq_event.destroy-waits-for-acks'],
    effect: 'destroying a CQ waits for the events of other CQs as well',
    parts: {
      Cq: class extends CqWithSiblings {
        override get destroyable(): boolean {
          return cqs.of(this.context).every(({ asyncEvents }) => asyncEvents.none);
        }
      },
    },
  },
  'destroy-qp-ignores-async-events': {
    rules: [`${page}.destroy-qp-waits`],
    effect: 'destroying a QP does not wait for acks',
    parts: {
      Qp: class extends Qp {
        override get destroyable(): boolean {
          return true;
        }
      },
    },
  },
  'destroy-srq-ignores-async-events': {
    rules: [`${page}.destroy-srq-waits`, `${page}.every-event-acked`, `${page}.fd-get-after-pollin`],
    effect: 'destroying an SRQ does not wait for acks',
    parts: {
      Srq: class extends Srq {
        override get destroyable(): boolean {
          return true;
        }
      },
    },
  },
  'event-survives-its-object': {
    rules: [`${page}.no-event-after-destroy`],
    effect: 'an event can be taken after its object was destroyed',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override forget(): void {
          // What is queued stays queued.
        }
      },
    },
  },
  'events-come-after-the-end': {
    rules: [`${page}.no-event-after-destroy`],
    effect: 'what was on its way when an object was destroyed raises its event all the same',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override add(event: AsyncEvent): void {
          this.events.push(event);
        }
      },
    },
  },
  'destroy-forgets-all-events': {
    rules: [`${page}.no-event-after-destroy`],
    effect: 'destroying an object drops the events of others too',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override forget(): void {
          this.events = [];
        }
      },
    },
  },
  'async-get-does-not-block': {
    rules: [`${page}.blocking`],
    effect: 'a get fails when there is no event, though nobody asked for that',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override beginGet(): void {
          demand(this.readable, 'EAGAIN');
        }
      },
    },
  },
  'one-event-for-all-gets': {
    rules: [`${page}.one-thread-receives`],
    effect: 'every get that waits receives the same event',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        #gets = 0;

        override beginGet(): void {
          super.beginGet();
          this.#gets += 1;
        }

        override take(): AsyncEvent | undefined {
          const [event] = this.events;
          if (event === undefined) return undefined;
          this.#gets -= 1;
          return this.#gets === 0 ? super.take() : event;
        }
      },
    },
  },
  'async-nonblock-is-ignored': {
    rules: [`${page}.fd-nonblock`, `${page}.fd-nonblock-empty-get`, `${page}.get-returns-minus-one`],
    effect: 'a get waits in spite of O_NONBLOCK',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override beginGet(): void {
          // A get always waits.
        }
      },
    },
  },
  'async-nonblock-finds-nothing': {
    rules: [`${page}.fd-nonblock`, `${page}.fd-get-after-pollin`],
    effect: 'with O_NONBLOCK a get fails though there is an event',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override beginGet(): void {
          demand(!this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
        }
      },
    },
  },
  'empty-async-get-is-invalid': {
    rules: [`${page}.fd-nonblock-empty-get`],
    effect: 'a get from an empty queue fails with EINVAL',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override beginGet(): void {
          demand(this.readable || !this.descriptor.flags.includes('O_NONBLOCK'), 'EINVAL');
        }
      },
    },
  },
  'async-fd-is-never-readable': {
    rules: [`${page}.fd-pollin-on-event`],
    effect: 'poll() never reports the queue as readable',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override get readable(): boolean {
          return false;
        }
      },
    },
  },
  'async-fd-stays-readable': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() reports an event that was taken already',
    parts: {
      /** A limit of an SRQ alone does it, so that few scenarios wait for an event that is not there. */
      AsyncEvents: class extends AsyncEvents {
        #stale = false;

        override take(): AsyncEvent | undefined {
          const event = super.take();
          this.#stale ||= event?.eventType === 'IBV_EVENT_SRQ_LIMIT_REACHED';
          return event;
        }

        override get readable(): boolean {
          return this.#stale || super.readable;
        }
      },
    },
  },
  'async-poll-gives-up-at-once': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() on the queue does not wait before it returns 0',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override pollUs(): number {
          return 0;
        }
      },
    },
  },
  'async-poll-fails-when-time-has-elapsed': {
    rules: [`${page}.fd-poll-timeout`],
    effect: 'poll() fails when no event came in time',
    parts: {
      ReturnValues: class extends ReturnValues {
        static readonly verbs = ['poll'];

        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          if (verb !== 'poll' || outcome.returned !== 0) return super.ofSuccess(verb, outcome);
          return this.ofRefusal(verb, new Refusal('ETIMEDOUT'));
        }
      },
    },
  },
  'async-get-returns-one': {
    rules: [`${page}.get-returns-zero`],
    effect: 'a get that gives an event returns 1',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofSuccess(verb: VerbName, outcome: Success): Returned {
          return { ...super.ofSuccess(verb, outcome), ...(verb === 'ibv_get_async_event' && { returned: 1 }) };
        }
      },
    },
  },
  'async-get-returns-negative-errno': {
    rules: [`${page}.get-returns-minus-one`, `${page}.fd-nonblock-empty-get`],
    effect: 'a get that fails returns the negated errno',
    parts: {
      ReturnValues: class extends ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const returned = super.ofRefusal(verb, refusal);
          return verb === 'ibv_get_async_event' ? { ...returned, returned: -refusal.errno } : returned;
        }
      },
    },
  },
  'async-ack-returns-zero': {
    rules: [`${page}.ack-returns-nothing`],
    effect: 'an ack returns 0 instead of nothing',
    parts: succeedingWith(['ibv_ack_async_event'], () => ({ returned: 0 })),
  },
};
