import type { Descriptor } from '../descriptors';
import { demand } from '../refusal';

/** An object with a file out of which events come. */
export abstract class EventSource {
  abstract get eventFile(): EventFile<unknown>;
}

/** A file out of which events come, one after the other: of a completion channel, or of a context. */
export class EventFile<T> extends EventSource {
  protected events: T[] = [];

  constructor(readonly descriptor: Descriptor) {
    super();
  }

  get eventFile(): this {
    return this;
  }

  add(event: T): void {
    this.events.push(event);
  }

  /**
   * Refuses a get that would have to wait, if the file is non-blocking.
   * Rules ibv_get_cq_event.fd-nonblock-empty-get, .blocking-by-default,
   * ibv_get_async_event.fd-nonblock-empty-get, .blocking.
   */
  beginGet(): void {
    demand(this.readable || !this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
  }

  /** Takes the oldest event; `undefined` when a get has to wait for one. */
  take(): T | undefined {
    return this.events.shift();
  }

  /**
   * How many microseconds poll(2) waits for an event.
   * Rules ibv_get_cq_event.fd-poll-timeout, ibv_get_async_event.fd-poll-timeout.
   */
  pollUs(timeoutMs: number): number {
    return timeoutMs * 1000;
  }

  /**
   * Whether poll(2) finds POLLIN.
   * Rules ibv_get_cq_event.fd-pollin-on-event, .fd-poll-timeout, ibv_get_async_event.fd-pollin-on-event, .fd-poll-timeout.
   */
  get readable(): boolean {
    return this.events.length > 0;
  }
}
