import { UsageError, type CreateDriver, type Limits } from '../contract';
import { VerbsDriver } from '../verbs-driver';
import { SimBackend } from './backend';
import { soundParts } from './device';
import { faults, partsWith } from './faults';

/** Virtual time: what has to happen happens at once, and the simulator knows when nothing more can come. */
const limits: Limits = { eventMs: 1000, quietMs: 0 };

/** The reference simulator. */
export const createDriver: CreateDriver = ({ ibDev, kernel, fault: faultName, mtu }) => {
  if (ibDev !== undefined && ibDev !== 'sim0') {
    throw new UsageError(`the simulator has no device "${ibDev}"`, 'its one device is sim0');
  }
  if (kernel !== undefined) throw new UsageError('the simulator has no kernel', 'leave --kernel out');
  return Promise.resolve(new VerbsDriver(new SimBackend(partsFor(faultName)), limits, mtu));
};

function partsFor(faultName: string | undefined): typeof soundParts {
  if (faultName === undefined) return soundParts;
  const fault = faults[faultName];
  if (fault === undefined) {
    throw new UsageError(`unknown fault "${faultName}"`, `the faults are ${Object.keys(faults).join(', ')}`);
  }
  return partsWith(fault);
}
