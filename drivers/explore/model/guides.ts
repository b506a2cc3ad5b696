import type { VerbName } from '../../verbs';
import { Device, simulatedCompVectors, simulatedMaxCqe } from '../../sim/device/device';
import type { QpInit } from '../../sim/qp/qp';
import { numberIn, type Guide, type Observation } from './guide';

/** The guides of devices: what belongs to a device finds its own there. */
const guides = new WeakMap<object, Guide>();

/** It makes a QP of UC that uses an SRQ. */
export const srqOfUc = 'ibv_create_qp.srq-only-rc-ud';

/** A device whose objects follow a guide. */
export function guidedDevice(guide: Guide): typeof Device {
  return class extends Device {
    /** As many as the device says that there are. */
    override readonly maxCqe: number = told(guide.observation, 'ibv_query_device', 'maxCqe') ?? simulatedMaxCqe;
    override readonly numCompVectors: number =
      told(guide.observation, 'ibv_open_device', 'numCompVectors') ?? simulatedCompVectors;

    constructor(...args: ConstructorParameters<typeof Device>) {
      super(...args);
      guides.set(this, guide);
    }

    protected override refuseSrqFor(qpType: QpInit['qpType']): void {
      const isMade = qpType === 'IBV_QPT_UC' && guide.observed?.returned !== null;
      if (!isMade || !guide.excuses(srqOfUc)) super.refuseSrqFor(qpType);
    }
  };
}

function told({ records }: Observation, verb: VerbName, member: string): number | undefined {
  return numberIn(records.find((record) => record?.verb === verb)?.outputs, member);
}

export function guideOf(device: object): Guide {
  const guide = guides.get(device);
  if (guide === undefined) throw new Error('the device has no guide');
  return guide;
}
