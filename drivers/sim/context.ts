import type { AsyncEvents, AsyncEventType } from './async-events';
import { AsyncEvent } from './async-events';
import type { Descriptor } from './descriptors';
import type { Device } from './device';
import { EventSource } from './event-file';

/** An opened device: ibv_open_device(3). */
export class Context extends EventSource {
  readonly asyncEvents: AsyncEvents;
  readonly #commands: Descriptor;

  constructor(readonly device: Device) {
    super();
    const { descriptors, parts } = device;
    this.#commands = descriptors.open();
    this.asyncEvents = new parts.AsyncEvents(descriptors.open());
  }

  get eventFile(): AsyncEvents {
    return this.asyncEvents;
  }

  raise(eventType: AsyncEventType, element: AsyncEvent['element']): void {
    this.asyncEvents.add(new AsyncEvent(eventType, element));
  }

  close(): void {
    this.device.descriptors.close(this.#commands);
    this.device.descriptors.close(this.asyncEvents.descriptor);
  }
}
