import type { CreateDriver, DriverOptions, Limits } from '../contract';
import { InProcessDriver } from '../in-process-driver';
import { checkedMtu, refuseOptions } from '../refuse-options';
import { SimBackend } from './backend';
import { simulatedDut } from './dut';
import { partsFor } from './faults';

/** Virtual time: what has to happen happens at once, and the simulator knows when nothing more can come. */
export const limits: Limits = { eventMs: 1000, quietMs: 0 };

/** The reference simulator. */
export const createDriver: CreateDriver = (options) => Promise.resolve().then(() => simulator(options));

function simulator(options: DriverOptions): InProcessDriver {
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
  return new InProcessDriver(backend, limits, checkedMtu(backend.dut, options.mtu));
}
