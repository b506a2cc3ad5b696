import type { AsyncEvents, AsyncEventType } from '../async/async-events';
import { AsyncEvent } from '../async/async-events';
import type { Device } from './device';
import { EventSource } from '../channel/event-file';

/** An opened device: ibv_open_device(3). */
export class Context extends EventSource {
  readonly asyncEvents: AsyncEvents;

  constructor(readonly device: Device) {
    super();
    const { descriptors, parts } = device;
    this.asyncEvents = new parts.AsyncEvents(descriptors.open());
  }

  get eventFile(): AsyncEvents {
    return this.asyncEvents;
  }

  raise(eventType: AsyncEventType, element: AsyncEvent['element']): void {
    this.asyncEvents.add(new AsyncEvent(eventType, element));
  }
}
