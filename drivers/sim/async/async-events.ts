import type { Cq } from '../cq/cq';
import { EventFile } from '../channel/event-file';
import type { Qp } from '../qp/qp';
import type { Srq } from '../srq/srq';

export type QpEventType =
  | 'IBV_EVENT_QP_FATAL'
  | 'IBV_EVENT_QP_REQ_ERR'
  | 'IBV_EVENT_QP_ACCESS_ERR'
  | 'IBV_EVENT_COMM_EST'
  | 'IBV_EVENT_SQ_DRAINED'
  | 'IBV_EVENT_QP_LAST_WQE_REACHED';

export type AsyncEventType =
  | QpEventType
  | 'IBV_EVENT_CQ_ERR'
  | 'IBV_EVENT_SRQ_ERR'
  | 'IBV_EVENT_SRQ_LIMIT_REACHED'
  | 'IBV_EVENT_PORT_ACTIVE'
  | 'IBV_EVENT_PORT_ERR'
  | 'IBV_EVENT_CLIENT_REREGISTER'
  | 'IBV_EVENT_GID_CHANGE'
  | 'IBV_EVENT_DEVICE_FATAL';

/** What an event names: an object, a port by its number, or nothing. */
export type AsyncElement = Cq | Qp | Srq | number | undefined;

/** struct ibv_async_event: ibv_get_async_event(3). */
export class AsyncEvent {
  constructor(
    readonly eventType: AsyncEventType,
    readonly element: AsyncElement,
  ) {}
}

/** The asynchronous events of a context. */
export class AsyncEvents extends EventFile<AsyncEvent> {
  protected readonly forgotten = new Set<AsyncElement>();

  override add(event: AsyncEvent): void {
    if (!this.forgotten.has(event.element)) super.add(event);
  }

  override take(): AsyncEvent | undefined {
    const event = super.take();
    if (event !== undefined) owedAcksOf(event)?.countTaken();
    return event;
  }

  /** Rules ibv_get_async_event.ack, .every-event-acked. */
  acknowledge(event: AsyncEvent): void {
    owedAcksOf(event)?.acknowledge(1);
  }

  /** Events that nobody took die with the object that they name, and no others come. Rule ibv_get_async_event.no-event-after-destroy. */
  forget(element: Cq | Qp | Srq): void {
    this.forgotten.add(element);
    this.events = this.events.filter((event) => event.element !== element);
  }
}

function owedAcksOf({ element }: AsyncEvent): OwedAcks | undefined {
  return typeof element === 'object' ? element.asyncEvents : undefined;
}

/** Events of one object that were taken and not yet acknowledged; destroying the object waits until there are none. */
export class OwedAcks {
  protected owed = 0;

  countTaken(): void {
    this.owed += 1;
  }

  acknowledge(nevents: number): void {
    this.owed -= nevents;
  }

  get none(): boolean {
    return this.owed <= 0;
  }

  /** Whether more was acknowledged than was taken. */
  get hasSurplus(): boolean {
    return this.owed < 0;
  }
}
