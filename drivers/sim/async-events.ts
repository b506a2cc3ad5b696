import { demand } from './refusal';
import type { Cq } from './cq';

/** struct ibv_async_event: ibv_get_async_event(3). */
export class AsyncEvent {
  constructor(
    readonly eventType: 'IBV_EVENT_CQ_ERR',
    readonly element: Cq,
  ) {}
}

/** The asynchronous events of a context. */
export class AsyncEvents {
  nonblocking = false;
  #events: AsyncEvent[] = [];

  add(event: AsyncEvent): void {
    this.#events.push(event);
  }

  /** Takes the oldest event; `undefined` when a get would have to wait for one. */
  take(): AsyncEvent | undefined {
    const event = this.#events.shift();
    if (event === undefined) demand(!this.nonblocking, 'EAGAIN');
    event?.element.asyncEvents.countTaken();
    return event;
  }

  get readable(): boolean {
    return this.#events.length > 0;
  }

  /** Events that nobody took die with the object that they name. */
  forget(element: Cq): void {
    this.#events = this.#events.filter((event) => event.element !== element);
  }
}

/** Events of one object that were taken and not yet acknowledged; destroying the object waits until there are none. */
export class OwedAcks {
  #owed = 0;

  countTaken(): void {
    this.#owed += 1;
  }

  acknowledge(nevents: number): void {
    this.#owed -= nevents;
  }

  get none(): boolean {
    return this.#owed <= 0;
  }
}
