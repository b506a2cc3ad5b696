import { Device, simulatedMaxCqe } from '../../sim/device/device';
import { numberIn, type Guide, type Observation } from './guide';

/** The guides of devices: what belongs to a device finds its own there. */
const guides = new WeakMap<object, Guide>();

/** A device whose objects follow a guide. */
export function guidedDevice(guide: Guide): typeof Device {
  return class extends Device {
    /** As many as the device says that it has. */
    override readonly maxCqe: number = maxCqeOf(guide.observation) ?? simulatedMaxCqe;

    constructor(...args: ConstructorParameters<typeof Device>) {
      super(...args);
      guides.set(this, guide);
    }
  };
}

function maxCqeOf({ records }: Observation): number | undefined {
  return numberIn(records.find((record) => record?.verb === 'ibv_query_device')?.outputs, 'maxCqe');
}

export function guideOf(device: object): Guide {
  const guide = guides.get(device);
  if (guide === undefined) throw new Error('the device has no guide');
  return guide;
}
