import { UsageError, type CreateDriver, type DriverOptions, type Limits } from '../contract';
import { checkedMtu, refuseOptions } from '../refuse-options';
import { VerbsDriver } from '../verbs-driver';
import { SimBackend } from './backend';
import { soundParts, type Parts } from './device';
import { simulatedDut } from './dut';
import { faults, partsWith } from './faults';

/** Virtual time: what has to happen happens at once, and the simulator knows when nothing more can come. */
const limits: Limits = { eventMs: 1000, quietMs: 0 };

/** The reference simulator. */
export const createDriver: CreateDriver = (options) => Promise.resolve().then(() => simulator(options));

function simulator(options: DriverOptions): VerbsDriver {
  const { hcaId, port } = simulatedDut;
  refuseOptions('sim', options, {
    ibDev: hcaId,
    ibPort: port.portNum,
    gidIndex: port.gidIndex,
    kernel: null,
    module: null,
    rdmaCore: null,
    host: null,
  });
  const backend = new SimBackend(partsFor(options.fault));
  return new VerbsDriver(backend, limits, checkedMtu(backend.dut, options.mtu));
}

/** A simulator of these classes for a caller that has no other work than its scenarios. */
export function proverOf(parts: Parts): VerbsDriver {
  return new VerbsDriver(new SimBackend(parts, 'when idle'), limits);
}

function partsFor(faultName: string | undefined): typeof soundParts {
  if (faultName === undefined) return soundParts;
  const fault = Object.hasOwn(faults, faultName) ? faults[faultName] : undefined;
  if (fault === undefined) {
    throw new UsageError(`unknown fault "${faultName}"`, `the faults are ${Object.keys(faults).join(', ')}`);
  }
  return partsWith(fault);
}
