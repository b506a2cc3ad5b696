import { cpus } from 'node:os';
import { join, parse } from 'node:path';

/** Runs that have to come to the same verdicts. */
export interface Plan {
  /** As progress calls them: `sim`, `rxe 6.1`. */
  readonly name: string;
  /** Arguments of `verbspec run`, without order and folder. */
  readonly args: readonly string[];
  readonly runs: number;
  /** Further arguments: of the first run, the second, ... and from the start again. */
  readonly variants?: readonly (readonly string[])[];
  /** Busy processes beside them. */
  readonly load: number;
}

/** What the user asks for. */
export interface SoakOptions {
  /** Runs on the simulator. */
  readonly sim?: number;
  /** Runs on soft-RoCE, for each kernel. */
  readonly softRoce?: number;
  readonly kernel?: readonly string[];
  /** Clocks of the VM, which the runs on soft-RoCE take turns with. */
  readonly vmTime?: readonly string[];
  /** Another driver, which runs with `runs`. */
  readonly driver?: string;
  readonly runs: number;
  readonly load?: number;
}

const simRunsUsually = 50;
const softRoceRunsUsually = 20;
const kernelsUsually = ['6.1'];

/** Busy processes beside the runs on a device: twice as many as the machine has cores. */
const loadUsually = 2 * cpus().length;

/**
 * The plans that the options make. Without a word about drivers there are those of the simulator and of soft-RoCE; who
 * names any gets no other.
 *
 * @param more - arguments for each `verbspec run`
 */
export function plansOf(options: SoakOptions, more: readonly string[]): readonly Plan[] {
  const { driver, runs, kernel: kernels = kernelsUsually, vmTime, load } = options;
  const isNamed = options.sim !== undefined || options.softRoce !== undefined || driver !== undefined;
  const sim = options.sim ?? (isNamed ? 0 : simRunsUsually);
  const softRoce = options.softRoce ?? (isNamed ? 0 : softRoceRunsUsually);
  const plans: Plan[] = [
    { name: 'sim', args: ['--driver', 'sim', ...more], runs: sim, load: load ?? 0 },
    ...kernels.map((kernel) => ({
      name: `rxe ${parse(kernel).base}`,
      args: ['--driver', 'soft-roce', '--kernel', kernel, ...more],
      ...(vmTime && { variants: vmTime.map((clock) => ['--vm-time', clock]) }),
      runs: softRoce,
      load: load ?? loadUsually,
    })),
    ...(driver === undefined
      ? []
      : [{ name: parse(driver).name, args: ['--driver', driver, ...more], runs, load: load ?? loadUsually }]),
  ];
  return plans.filter((plan) => plan.runs > 0);
}

/** All arguments of a run, which counts from 1. */
export function argumentsOf({ args, variants = [] }: Plan, run: number): readonly string[] {
  return [...args, ...(variants[(run - 1) % variants.length] ?? [])];
}

/** The folder of a run within the results. */
export function folderOf({ name }: Plan, run: number): string {
  return join(name.replace(/[^\w.-]/g, '-'), `run-${run}`);
}
