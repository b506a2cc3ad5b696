import { UsageError, type DriverOptions } from '../../drivers/contract';
import type { Backend } from '../../drivers/pipeline/backend';
import { refuseOptions } from '../../drivers/pipeline/refuse-options';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';
import { untilDeadline, untilNothingHappens, type Patience } from '../../drivers/programs/run-program';
import { loadDriver } from '../../drivers/registry';
import { SimBackend } from '../../drivers/sim/backend';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { partsFor } from '../../drivers/sim/faults';
import { variants } from '../../drivers/sim/lawful';
import { chosen } from '../../drivers/sim/lawful/chosen';

/** The device under test. */
export interface Device {
  readonly backend: Backend;
  readonly patience: Patience;
  /** Clauses that it is known not to keep, or that another authority than the page promises. */
  readonly excused: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

/** Starts the device that the options name. @throws UsageError */
export async function startDevice(driver: string, options: DriverOptions): Promise<Device> {
  return driver === 'sim' ? simulated(options) : loaded(driver, options);
}

async function simulated(options: DriverOptions): Promise<Device> {
  const { hcaId, port } = simulatedDut;
  const own = { ibDev: hcaId, ibPort: port.portNum, gidIndex: port.gidIndex, kernel: null };
  refuseOptions('sim', options, own);
  const parts = partsFor(options.fault);
  const { parts: made = parts, dut = simulatedDut } = (await chosen(parts, options)) ?? {};
  const names = options.variant?.split(',') ?? [];
  const excused = names.flatMap((name) => [...(variants[name]?.breaks ?? []), ...(variants[name]?.departs ?? [])]);
  return {
    backend: new SimBackend(made, undefined, dut),
    patience: untilNothingHappens,
    excused: new Set(excused),
    close: () => Promise.resolve(),
  };
}

async function loaded(name: string, options: DriverOptions): Promise<Device> {
  const driver = await loadDriver(name)(options);
  if (!(driver instanceof VerbsDriver)) {
    await driver.close();
    throw new UsageError(`driver ${name} has no backend that programs could run on`, 'use sim, soft-roce or hca');
  }
  const { backend, limits } = driver;
  return {
    backend,
    patience: untilDeadline(backend, limits.eventMs),
    excused: new Set(),
    close: () => driver.close(),
  };
}
