import { HarnessError, UsageError, type DriverOptions, type ModuleEdges } from '../../drivers/contract';
import { NotExecuted, type Execute } from '../../drivers/explore/explorer';
import type { Sizes } from '../../drivers/explore/generate/sizes';
import type { Backend } from '../../drivers/pipeline/backend';
import { refuseOptions } from '../../drivers/pipeline/refuse-options';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';
import { executeInParts } from '../../drivers/programs/in-parts';
import { untilDeadline, untilNothingHappens, type Patience } from '../../drivers/programs/run-program';
import { executesWhole, type WholeRun } from '../../drivers/programs/whole';
import { loadDriver } from '../../drivers/registry';
import { SimBackend } from '../../drivers/sim/backend';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { partsFor } from '../../drivers/sim/faults';
import { runDeterministic } from '../../drivers/soft-roce/deterministic';
import { variants } from '../../drivers/sim/lawful';
import type { Program } from '../../drivers/programs/program';
import { programDeadlineMs } from './deadline';
import { avoidedOn } from './avoided-on';
import { clausesNotKept } from './known';
import { sizesOf } from './sizes-of';
import { chosen } from '../../drivers/sim/lawful/chosen';

/** The device under test. */
export interface Device {
  readonly backend: Backend;
  readonly patience: Patience;
  /** Clauses that it is known not to keep, or that another authority than the page promises. */
  readonly excused: ReadonlySet<string>;
  /** Those of them around which programs are made. */
  readonly avoided: ReadonlySet<string>;
  /** What its queues take. */
  readonly sizes: Sizes;
  /** Executes programs where the device is, if it can. */
  readonly execute?: Execute;
  /** What its kernel module has executed until now, where it records that. */
  readonly edges?: () => ModuleEdges | undefined;
  readonly close: () => Promise<void>;
}

/** Milliseconds on the clock of this machine that a deterministic VM has, which boots for one program. */
const wallMs = 180_000;

/** Milliseconds that a settle takes on soft-RoCE, whose retries take longer than its silences; in virtual time they cost nothing. */
const quietMs = 2000;

/** What the user asks of a device. */
export interface DeviceOptions extends DriverOptions {
  /** The schedule of a VM that is a function of its image and its command line. */
  readonly deterministic?: number;
}

/** Starts the device that the options name. @throws UsageError */
export async function startDevice(driver: string, options: DeviceOptions): Promise<Device> {
  if (options.deterministic !== undefined) refuseDeterministic(driver, options);
  return driver === 'sim' ? simulated(options) : loaded(driver, options);
}

async function simulated(options: DriverOptions): Promise<Device> {
  const { hcaId, port } = simulatedDut;
  const own = { ibDev: hcaId, ibPort: port.portNum, gidIndex: port.gidIndex, kernel: null };
  refuseOptions('sim', options, own);
  const parts = partsFor(options.fault);
  const { parts: made = parts, dut = simulatedDut } = (await chosen(parts, options)) ?? {};
  const names = options.variant?.split(',') ?? [];
  const broken = names.flatMap((name) => [...(variants[name]?.breaks ?? []), ...(variants[name]?.departs ?? [])]);
  const backend = new SimBackend(made, undefined, dut);
  return {
    backend,
    patience: untilNothingHappens,
    excused: new Set(broken),
    avoided: new Set(broken),
    sizes: await sizesOf(backend, untilNothingHappens),
    close: () => Promise.resolve(),
  };
}

async function loaded(name: string, options: DeviceOptions): Promise<Device> {
  const driver = await loadDriver(name)(options);
  if (!(driver instanceof VerbsDriver)) {
    await driver.close();
    throw new UsageError(`driver ${name} has no backend that programs could run on`, 'use sim, soft-roce or hca');
  }
  const { backend, limits } = driver;
  const excused = clausesNotKept({ driver: name, dut: driver.dut });
  const patience = untilDeadline(backend, limits.eventMs);
  return {
    backend,
    patience,
    excused,
    avoided: await avoidedOn(backend, patience, excused, options.deterministic === undefined),
    sizes: await sizesOf(backend, patience),
    ...executing(name, backend, limits.quietMs, options),
    edges: () => driver.edges,
    close: () => driver.close(),
  };
}

/** The kernel of the machine has other input than its command line, and a module of the user's is not in the image. */
function refuseDeterministic(driver: string, { kernel, module }: DeviceOptions): void {
  if (driver !== 'soft-roce') throw new UsageError('--deterministic is for --driver soft-roce', 'leave it out');
  if (kernel === undefined || kernel === 'host') {
    throw new UsageError('--deterministic takes the kernel of a VM', 'name one with --kernel, such as 6.1');
  }
  if (module !== undefined) throw new UsageError('--deterministic takes no --module', 'leave one of them out');
}

/** Each program in a VM of its own, or by one request to the host process. */
export function executing(
  driver: string,
  backend: Backend,
  usualQuietMs: number,
  options: Pick<DeviceOptions, 'deterministic' | 'kernel' | 'progress'>,
): Pick<Device, 'execute'> {
  const { deterministic: seed, kernel, progress } = options;
  if (seed !== undefined && kernel !== undefined) {
    const execute: Execute = async (program) => {
      const deadlineMs = programDeadlineMs(program, quietMs);
      const times = { deadlineMs, quietMs, wallMs };
      const { runs } = await runDeterministic({ kernel, programs: [program], seed, ...times, progress });
      return recordsOf(runs[0]);
    };
    return { execute };
  }
  if (!executesWhole(backend)) return {};
  const once = async (program: Program): Promise<WholeRun | undefined> => {
    await backend.begin();
    const settleMs = driver === 'soft-roce' ? quietMs : usualQuietMs;
    const deadlineMs = programDeadlineMs(program, settleMs);
    const run = await executeInParts(backend, program, { deadlineMs, quietMs: settleMs });
    await backend.end();
    return run;
  };
  return { execute: async (program) => recordsOf(await unlessLateOnce(() => once(program))) };
}

/**
 * A call that has not returned when the time of its program is up may be the doing of a busy machine: that counts if it is
 * so when the program is run again.
 *
 * @throws NotExecuted if it is not, with the first run: the program may have led to something that it waits for rightly
 */
async function unlessLateOnce(once: () => Promise<WholeRun | undefined>): Promise<WholeRun | undefined> {
  const run = await once();
  if (run?.isLate !== true) return run;
  const again = await once();
  if (again?.isLate === true) return again;
  const what = 'a call had not returned in its time, and returns when the program is run again';
  throw new NotExecuted(what, recordsOf(run));
}

/** @throws NotExecuted if the host does not make a call of the program */
function recordsOf(run: WholeRun | undefined): WholeRun['records'] {
  if (run === undefined) throw new HarnessError('the host has not answered for the program');
  if (run.refusal !== undefined) throw new NotExecuted(run.refusal.message);
  return run.records;
}
