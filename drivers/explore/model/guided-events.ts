import { isRefusal } from '../../pipeline/conventions';
import { AsyncEvent, type AsyncElement, type AsyncEventType } from '../../sim/async/async-events';
import type { Cq } from '../../sim/cq/cq';
import type { Parts } from '../../sim/device/device';
import type { Handles } from '../../sim/handles';
import { Refusal } from '../../sim/refusal';
import type { Guide } from './guide';

/** An event that waits to be taken. */
interface Waiting<T> {
  readonly event: T;
  readonly isOptional: boolean;
}

/** Events of a port tell of what happens outside of the program. */
const foreign: ReadonlySet<string> = new Set<AsyncEventType | string>([
  'IBV_EVENT_PORT_ACTIVE',
  'IBV_EVENT_PORT_ERR',
  'IBV_EVENT_CLIENT_REREGISTER',
  'IBV_EVENT_GID_CHANGE',
  'IBV_EVENT_LID_CHANGE',
  'IBV_EVENT_PKEY_CHANGE',
  'IBV_EVENT_SM_CHANGE',
]);

/** Whether a call was refused by the device. */
function wasRefused({ observed }: Guide): boolean {
  return observed !== undefined && observed.blocked !== true && isRefusal(observed.verb, observed.returned);
}

/** Whether the device said to poll(2) that there is nothing. */
function saidNothing({ observed }: Guide): boolean {
  return observed?.verb === 'poll' && observed.returned === 0;
}

/** Completion channels that follow the device where they may. */
export function guidedChannel(of: Parts, guide: Guide, handles: () => Handles): Partial<Parts> {
  return {
    CompChannel: class extends of.CompChannel {
      #waiting: Waiting<Cq>[] = [];

      override add(cq: Cq): void {
        const hasJustMade = this.#waiting.some((one) => one.event === cq && guide.isFresh(one));
        if (hasJustMade) guide.ledger.take('coalesced-event');
        const one = { event: cq, isOptional: hasJustMade };
        guide.bear(one);
        this.#waiting.push(one);
      }

      #mayBeEmpty(): boolean {
        return this.#waiting.every((one) => one.isOptional || guide.isFresh(one));
      }

      override beginGet(): void {
        if (this.#waiting.length > 0 && wasRefused(guide) && this.#mayBeEmpty()) {
          guide.ledger.take('late-event');
          throw new Refusal('EAGAIN');
        }
        super.beginGet();
      }

      override get readable(): boolean {
        if (saidNothing(guide) && this.#mayBeEmpty()) return false;
        return this.#waiting.length > 0;
      }

      override take(): Cq | undefined {
        const named = guide.observed?.outputs.cq;
        const name = named === undefined ? undefined : guide.nameOf('device', named);
        const like = this.#waiting.find(({ event }) => guide.nameOf('model', handles().of(event)) === name);
        const taken = like ?? this.#waiting.find(({ isOptional }) => !isOptional) ?? this.#waiting[0];
        if (taken === undefined) return undefined;
        if (taken !== this.#waiting[0]) guide.ledger.take('order-of-events');
        this.#waiting = this.#waiting.filter((one) => one !== taken);
        taken.event.countTaken();
        return taken.event;
      }

      override forget(cq: Cq): void {
        this.#waiting = this.#waiting.filter(({ event }) => event !== cq);
        super.forget(cq);
      }
    },
  };
}

/** Asynchronous events that follow the device where they may. */
export function guidedAsyncEvents(of: Parts, guide: Guide, handles: () => Handles): Partial<Parts> {
  const mayStayAway = ({ eventType }: AsyncEvent): boolean => {
    if (eventType === 'IBV_EVENT_COMM_EST' || eventType === 'IBV_EVENT_QP_ACCESS_ERR') return true;
    if (eventType === 'IBV_EVENT_CQ_ERR') return !guide.has('cq-overrun-event');
    return eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED' && !guide.has('last-wqe-event');
  };
  return {
    AsyncEvents: class extends of.AsyncEvents {
      /** Those whose QP may be told to have failed. */
      readonly #failed = new Set<AsyncElement>();

      override add(event: AsyncEvent): void {
        guide.bear(event);
        this.#failed.add(event.element);
        super.add(event);
      }

      #mayBeEmpty(): boolean {
        return this.events.every((event) => mayStayAway(event) || guide.isFresh(event));
      }

      override beginGet(): void {
        if (this.#foreignEvent() !== undefined) return;
        if (this.events.length > 0 && wasRefused(guide) && this.#mayBeEmpty()) {
          guide.ledger.take('optional-event');
          throw new Refusal('EAGAIN');
        }
        super.beginGet();
      }

      override get readable(): boolean {
        if (saidNothing(guide) && this.#mayBeEmpty()) return false;
        if (this.events.length > 0) return true;
        if (guide.observed?.verb !== 'poll' || guide.observed.returned !== 1) return false;
        const next = guide.following('ibv_get_async_event');
        const isForeign = next === undefined || foreign.has(String(next.outputs.eventType));
        if (isForeign) guide.ledger.take('foreign-event');
        return isForeign;
      }

      /** An event that the device had and the program has not caused. */
      #foreignEvent(): AsyncEvent | undefined {
        const { observed } = guide;
        if (observed?.verb !== 'ibv_get_async_event' || observed.returned !== 0) return undefined;
        const { eventType, element } = observed.outputs;
        if (foreign.has(String(eventType)) && typeof element === 'number') {
          guide.ledger.take('foreign-event');
          return new AsyncEvent(eventType as AsyncEventType, element);
        }
        return eventType === 'IBV_EVENT_QP_FATAL' ? this.#fatalEvent(element) : undefined;
      }

      #fatalEvent(element: unknown): AsyncEvent | undefined {
        const name = guide.nameOf('device', element);
        const qp = name === undefined ? undefined : this.#elementOf(name);
        if (typeof qp !== 'object' || !('init' in qp) || !('receives' in qp)) return undefined;
        const { sendCq, recvCq } = qp.init;
        const isCaused = [qp, sendCq, recvCq].some((cause) => this.#failed.has(cause));
        if (!isCaused) return undefined;
        guide.ledger.take('fatal-event');
        this.events = this.events.filter((event) => event.element !== qp || event.eventType !== 'IBV_EVENT_QP_ACCESS_ERR');
        return new AsyncEvent('IBV_EVENT_QP_FATAL', qp);
      }

      #elementOf(name: string): AsyncElement {
        for (const handle of handles().list()) {
          if (guide.nameOf('model', handle) === name) return handles().find(handle) as AsyncElement;
        }
        return undefined;
      }

      override take(): AsyncEvent | undefined {
        const stranger = this.#foreignEvent();
        if (stranger !== undefined) {
          if (typeof stranger.element === 'object') stranger.element.asyncEvents.countTaken();
          return stranger;
        }
        const { eventType, element } = guide.observed?.outputs ?? {};
        const name = guide.nameOf('device', element);
        const like = this.events.find(
          (event) =>
            event.eventType === eventType &&
            typeof event.element === 'object' &&
            guide.nameOf('model', handles().of(event.element)) === name,
        );
        const next = like ?? this.events.find((event) => !mayStayAway(event)) ?? this.events[0];
        if (next === undefined) return undefined;
        if (next !== this.events[0]) guide.ledger.take('order-of-events');
        this.events = [next, ...this.events.filter((event) => event !== next)];
        return super.take();
      }
    },
  };
}
