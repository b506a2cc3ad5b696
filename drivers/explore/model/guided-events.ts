import type { TraceStruct } from '../../contract';
import { AsyncEvent, AsyncEvents, type AsyncElement, type AsyncEventType } from '../../sim/async/async-events';
import { Context } from '../../sim/device/context';
import type { Device } from '../../sim/device/device';
import { Refusal } from '../../sim/refusal';
import type { ProgramRecord } from '../../programs/program';
import type { Guide } from './guide';
import { saidNothing, wasRefused } from './guided-channel';
import { guideOf } from './guides';

/** Events of a port tell of what happens outside of the program. */
export const foreignEvents: ReadonlySet<unknown> = new Set([
  'IBV_EVENT_PORT_ACTIVE',
  'IBV_EVENT_PORT_ERR',
  'IBV_EVENT_CLIENT_REREGISTER',
  'IBV_EVENT_GID_CHANGE',
  'IBV_EVENT_LID_CHANGE',
  'IBV_EVENT_PKEY_CHANGE',
  'IBV_EVENT_SM_CHANGE',
]);

/** Ports are counted from 1. */
const firstPort = 1;

const linkEvents: ReadonlySet<unknown> = new Set(['IBV_EVENT_PORT_ACTIVE', 'IBV_EVENT_PORT_ERR']);

/** Events by which a QP may say that it has failed. */
const failureEvents: ReadonlySet<unknown> = new Set(['IBV_EVENT_QP_FATAL', 'IBV_EVENT_QP_REQ_ERR']);

export const sqDrained = 'ibv_get_async_event.event-sq-drained';
/** The event is raised again for a QP that is in IBV_QPS_ERR. No page has a clause about it. */
export const lastWqeAgain = 'IBV_EVENT_QP_LAST_WQE_REACHED once for a QP';
const lastWqe = 'ibv_get_async_event.event-last-wqe';

/** Whether nobody asked for the event. */
function isUnasked({ eventType, element }: AsyncEvent): boolean {
  if (eventType !== 'IBV_EVENT_SQ_DRAINED' || typeof element !== 'object' || !('attr' in element)) return false;
  return element.attr.enSqdAsyncNotify !== true;
}

/** Asynchronous events that follow the device where they may. */
export class GuidedAsyncEvents extends AsyncEvents {
  #guide: Guide | undefined;

  /** @param guide - that of the device whose events these are */
  follow(guide: Guide): void {
    this.#guide = guide;
  }

  private get guide(): Guide {
    if (this.#guide === undefined) throw new Error('the events have no guide');
    return this.#guide;
  }

  #mayStayAway(event: AsyncEvent): boolean {
    const { eventType, element } = event;
    if (eventType === 'IBV_EVENT_COMM_EST' || eventType === 'IBV_EVENT_QP_ACCESS_ERR') return true;
    if (eventType === 'IBV_EVENT_CQ_ERR') return !this.guide.has('cq-overrun-event');
    if (eventType === 'IBV_EVENT_SQ_DRAINED') return this.#unsure.has(event) || this.guide.isKnownFor(sqDrained);
    if (eventType !== 'IBV_EVENT_QP_LAST_WQE_REACHED') return false;
    const neverReceived = this.guide.failedEarly.has(element);
    return neverReceived || !this.guide.has('last-wqe-event') || this.guide.isKnownFor(lastWqe);
  }

  /** Those whose QP may report that it has failed. */
  readonly #failed = new Set<AsyncElement>();

  /** The last call that has waited. */
  #askedAt = -1;

  /** The last call at which something was looked for that it has waited for, and when that was. */
  #wait: { readonly at: number; readonly epoch: number } | undefined;

  /** Events of send queues that had nothing to drain, or were not asked to tell. */
  readonly #unsure = new WeakSet<AsyncEvent>();

  /** QPs that have had the event of their last WQE. */
  readonly #lastWqes = new Set<AsyncElement>();

  override add(event: AsyncEvent): void {
    if (event.eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED') this.#lastWqes.add(event.element);
    this.guide.bear(event, event.eventType);
    const { eventType, element } = event;
    const isUnsure = typeof element === 'object' && this.guide.unsureDrains.has(element);
    if (eventType === 'IBV_EVENT_SQ_DRAINED' && isUnsure) this.#unsure.add(event);
    this.#failed.add(event.element);
    super.add(event);
  }

  #mayBeEmpty(): boolean {
    return this.events.every((event) => this.#mayStayAway(event) || this.guide.isFresh(event));
  }

  /** A call that waits tells that the events that may stay away have done so, except for those that a get beside it takes. */
  #dropUnraised(): void {
    const { observed, at } = this.guide;
    if (this.#askedAt === at || (observed?.waited ?? 0) === 0) return;
    this.#askedAt = at;
    if (this.events.length === 0 || !this.events.every((event) => this.#mayStayAway(event))) return;
    this.guide.ledger.take('optional-event');
    this.events = this.events.filter((event) => this.#isTakenAtOnce(event));
  }

  /** Whether a get that comes later takes the event without a wait. */
  #isTakenAtOnce(event: AsyncEvent): boolean {
    return this.#isTakenLater(event, ({ waited = 0 }) => waited === 0);
  }

  /** Whether a get that comes later, or has begun and waits, takes the event. */
  #isTakenLater({ eventType, element }: AsyncEvent, isMeant: (get: ProgramRecord) => boolean): boolean {
    const { guide } = this;
    const name = typeof element === 'object' ? guide.nameOf('model', guide.handles.of(element)) : undefined;
    return guide.observation.records
      .slice(guide.at + 1)
      .some(
        (record) =>
          record?.verb === 'ibv_get_async_event' &&
          isMeant(record) &&
          record.outputs.eventType === eventType &&
          guide.nameOf('device', record.outputs.element) === name,
      );
  }

  override beginGet(): void {
    this.#dropUnraised();
    if (this.#foreignEvent() !== undefined) return;
    if (this.events.length > 0 && wasRefused(this.guide) && this.#mayBeEmpty()) {
      this.guide.ledger.take('optional-event');
      if (this.events.some(({ eventType }) => eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED'))
        this.guide.excuses(lastWqe);
      throw new Refusal('EAGAIN');
    }
    super.beginGet();
  }

  override get readable(): boolean {
    this.#dropUnraised();
    if (saidNothing(this.guide) && this.#mayBeEmpty()) return false;
    if (this.events.length > 0) return true;
    if (this.#waitsStill()) return false;
    if (this.guide.observed?.verb !== 'poll' || this.guide.observed.returned !== 1) return false;
    const next = this.guide.following('ibv_get_async_event', 'context');
    const { eventType, element } = next?.outputs ?? {};
    if (eventType === 'IBV_EVENT_CQ_ERR') return this.#lossyCq(element) !== undefined;
    if (eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED') return this.#toldLastWqe(element) !== undefined;
    if (eventType === 'IBV_EVENT_QP_ACCESS_ERR') return this.#violationEvent(element) !== undefined;
    if (this.#mayTellOfFailure()) return true;
    const isForeign = next === undefined || foreignEvents.has(eventType) || failureEvents.has(eventType);
    if (isForeign) this.guide.ledger.take('foreign-event');
    return isForeign;
  }

  /** Whether a call that has waited is still where it began: what has ended its wait is not there yet. */
  #waitsStill(): boolean {
    const { at, epoch, observed } = this.guide;
    if ((observed?.waited ?? 0) === 0) return false;
    if (this.#wait?.at !== at) this.#wait = { at, epoch };
    return this.#wait.epoch === epoch;
  }

  /** Whether a device that tells of failed QPs may do so of one now, which nobody gets: its QP is destroyed before. */
  #mayTellOfFailure(): boolean {
    const { failedQps, observation } = this.guide;
    const isLeft = [...failedQps.values()].some(({ failures, told }) => told.length < 2 * failures);
    const tells = observation.records.some((record) => failureEvents.has(record?.outputs.eventType));
    if (isLeft && tells) this.guide.ledger.take('fatal-event');
    return isLeft && tells;
  }

  /** An event that the device had and the program has not caused. */
  #foreignEvent(): AsyncEvent | undefined {
    const { observed } = this.guide;
    if (observed?.verb !== 'ibv_get_async_event' || observed.returned !== 0) return undefined;
    const { eventType, element } = observed.outputs;
    if (foreignEvents.has(eventType) && typeof element === 'number' && element >= firstPort) {
      if (this.#isOfTheLink(observed.outputs)) return undefined;
      this.guide.ledger.take('foreign-event');
      return new AsyncEvent(eventType as AsyncEventType, element);
    }
    if (eventType === 'IBV_EVENT_CQ_ERR') return this.#repeatedOverrun(element);
    if (eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED') return this.#lastWqeAgain(element);
    if (eventType === 'IBV_EVENT_QP_REQ_ERR') return this.#failureEvent(eventType, element);
    if (eventType === 'IBV_EVENT_QP_ACCESS_ERR') return this.#violationEvent(element);
    if (eventType !== 'IBV_EVENT_QP_FATAL') return undefined;
    return this.#failureEvent(eventType, element) ?? this.#fatalEvent(element);
  }

  /** Whether it is an event of a link which the program moves. */
  #isOfTheLink({ eventType, element }: TraceStruct): boolean {
    return linkEvents.has(eventType) && element === this.guide.observation.movedPort;
  }

  /** A QP that has failed at memory which it may not use may say so. */
  #violationEvent(element: unknown): AsyncEvent | undefined {
    const qp = this.#named(element);
    const isViolated = typeof qp === 'object' && this.guide.locallyViolated.has(qp);
    return isViolated ? this.#failureEvent('IBV_EVENT_QP_ACCESS_ERR', element) : undefined;
  }

  /** What the device names. */
  #named(element: unknown): AsyncElement {
    const name = this.guide.nameOf('device', element);
    return name === undefined ? undefined : this.#elementOf(name);
  }

  /** A QP that has failed at its work may say so each time, once by each type. */
  #failureEvent(
    eventType: 'IBV_EVENT_QP_FATAL' | 'IBV_EVENT_QP_REQ_ERR' | 'IBV_EVENT_QP_ACCESS_ERR',
    element: unknown,
  ): AsyncEvent | undefined {
    const qp = this.#named(element);
    const failed = typeof qp === 'object' ? this.guide.failedQps.get(qp) : undefined;
    const times = failed?.told.filter((type) => type === eventType).length ?? 0;
    if (failed === undefined || times >= failed.failures) return undefined;
    this.guide.ledger.take(eventType === 'IBV_EVENT_QP_ACCESS_ERR' ? 'violation-event' : 'fatal-event');
    return new AsyncEvent(eventType, qp);
  }

  /** A QP that has said so before, on a device that is known to say it more than once. */
  #lastWqeAgain(element: unknown): AsyncEvent | undefined {
    const qp = this.#toldLastWqe(element);
    const isLastWqe = (event: AsyncEvent): boolean => event.eventType === 'IBV_EVENT_QP_LAST_WQE_REACHED';
    if (qp === undefined || this.events.some((event) => event.element === qp && isLastWqe(event))) return undefined;
    return this.guide.excuses(lastWqeAgain) ? new AsyncEvent('IBV_EVENT_QP_LAST_WQE_REACHED', qp) : undefined;
  }

  #toldLastWqe(element: unknown): AsyncElement {
    const qp = this.#named(element);
    return this.#lastWqes.has(qp) && this.guide.isKnownFor(lastWqeAgain) ? qp : undefined;
  }

  /** A CQ that has said that it was overrun may say so of each CQE that it loses from then on. */
  #repeatedOverrun(element: unknown): AsyncEvent | undefined {
    const cq = this.#lossyCq(element);
    if (cq === undefined || this.events.some((event) => event.element === cq)) return undefined;
    this.guide.ledger.take('event-of-each-lost-cqe');
    return new AsyncEvent('IBV_EVENT_CQ_ERR', cq);
  }

  #tellOfLost(cq: object): void {
    this.guide.lostAgain.set(cq, (this.guide.lostAgain.get(cq) ?? 0) - 1);
  }

  /** The CQ of the device that has lost more CQEs than it has told of. */
  #lossyCq(element: unknown): Exclude<AsyncElement, number | undefined> | undefined {
    const cq = this.#named(element);
    return typeof cq === 'object' && (this.guide.lostAgain.get(cq) ?? 0) > 0 ? cq : undefined;
  }

  #fatalEvent(element: unknown): AsyncEvent | undefined {
    const qp = this.#named(element);
    if (typeof qp !== 'object' || !('init' in qp) || !('receives' in qp)) return undefined;
    const { sendCq, recvCq } = qp.init;
    const isCaused = [qp, sendCq, recvCq].some((cause) => this.#failed.has(cause));
    if (!isCaused) return undefined;
    this.guide.ledger.take('fatal-event');
    this.events = this.events.filter((event) => event.element !== qp || event.eventType !== 'IBV_EVENT_QP_ACCESS_ERR');
    return new AsyncEvent('IBV_EVENT_QP_FATAL', qp);
  }

  #elementOf(name: string): AsyncElement {
    for (const handle of this.guide.handles.list()) {
      if (this.guide.nameOf('model', handle) === name) return this.guide.handles.find(handle) as AsyncElement;
    }
    return undefined;
  }

  override take(): AsyncEvent | undefined {
    if (this.guide.observed?.blocked === true && this.events.every((event) => this.#mayStayAway(event)))
      return undefined;
    const stranger = this.#foreignEvent();
    if (stranger !== undefined) {
      if (typeof stranger.element === 'object') {
        stranger.element.asyncEvents.countTaken();
        if (stranger.eventType === 'IBV_EVENT_CQ_ERR') this.#tellOfLost(stranger.element);
        this.guide.failedQps.get(stranger.element)?.told.push(stranger.eventType);
      }
      return stranger;
    }
    const { eventType, element } = this.guide.observed?.outputs ?? {};
    const name = this.guide.nameOf('device', element);
    // Those of a port come one after the other, as its link has moved.
    const like = this.events.find((event) =>
      typeof event.element === 'object'
        ? event.eventType === eventType && this.guide.nameOf('model', this.guide.handles.of(event.element)) === name
        : event.element === element,
    );
    const waits = (this.guide.observed?.waited ?? 0) > 0;
    const next =
      like ??
      this.events.find((event) => !this.#mayStayAway(event) && !(waits && this.#isTakenLater(event, () => true)));
    if (next === undefined) return undefined;
    if (next !== this.events[0]) this.guide.ledger.take('order-of-events');
    this.events = [next, ...this.events.filter((event) => event !== next)];
    if (isUnasked(next)) this.guide.excuses(sqDrained);
    return super.take();
  }
}

/** A context whose events follow its device. */
export class GuidedContext extends Context {
  constructor(device: Device) {
    super(device);
    if (this.asyncEvents instanceof GuidedAsyncEvents) this.asyncEvents.follow(guideOf(device));
  }
}
