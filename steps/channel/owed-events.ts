import type { AsyncEvent, CompChannel, Context, Cq, CqEvent, Driver } from '../../drivers/contract';

/** Takes events and counts which of them are owed an ack. */
export class OwedEvents {
  readonly #cqEvents = new Map<Cq, number>();
  readonly #asyncEvents = new Set<AsyncEvent>();

  constructor(readonly driver: Driver) {}

  /** Takes a completion event: ibv_get_cq_event(3). */
  async takeCqEvent(channel: CompChannel): Promise<CqEvent> {
    const event = await this.driver.getCqEvent(channel);
    this.#cqEvents.set(event.cq, this.of(event.cq) + 1);
    return event;
  }

  /** Acknowledges events of a CQ in one call: ibv_ack_cq_events(3). */
  async acknowledge(cq: Cq, nevents: number): Promise<void> {
    await this.driver.ackCqEvents(cq, nevents);
    this.#cqEvents.set(cq, this.of(cq) - nevents);
  }

  /** Takes an asynchronous event: ibv_get_async_event(3). */
  async takeAsyncEvent(context: Context): Promise<AsyncEvent> {
    const event = await this.driver.getAsyncEvent(context);
    this.#asyncEvents.add(event);
    return event;
  }

  /** Events of a CQ that were taken and not acknowledged. */
  of(cq: Cq): number {
    return this.#cqEvents.get(cq) ?? 0;
  }

  /** Asynchronous events that were taken and not acknowledged, in order. */
  get asyncEvents(): readonly AsyncEvent[] {
    return [...this.#asyncEvents];
  }

  /** Acknowledges an asynchronous event: ibv_ack_async_event(3). */
  async acknowledgeAsync(event: AsyncEvent): Promise<void> {
    await this.driver.ackAsyncEvent(event);
    this.#asyncEvents.delete(event);
  }

  /** Acknowledges those among `events`, so that they do not hold up the destruction of their object. */
  async acknowledgeAmong(events: readonly AsyncEvent[]): Promise<void> {
    for (const event of this.asyncEvents) if (events.includes(event)) await this.acknowledgeAsync(event);
  }

  async acknowledgeAll(): Promise<void> {
    for (const [cq, count] of this.#cqEvents) if (count > 0) await this.acknowledge(cq, count);
    for (const event of this.asyncEvents) await this.acknowledgeAsync(event);
  }
}
