import { Device } from '../../sim/device/device';
import type { Guide } from './guide';

/** The guides of devices: what belongs to a device finds its own there. */
const guides = new WeakMap<object, Guide>();

/** A device whose objects follow a guide. */
export function guidedDevice(guide: Guide): typeof Device {
  return class extends Device {
    constructor(...args: ConstructorParameters<typeof Device>) {
      super(...args);
      guides.set(this, guide);
    }
  };
}

export function guideOf(device: object): Guide {
  const guide = guides.get(device);
  if (guide === undefined) throw new Error('the device has no guide');
  return guide;
}
