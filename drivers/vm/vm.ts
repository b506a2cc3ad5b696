import { HarnessError, type ModuleEdges } from '../contract';
import type { Carrier, HostProcess } from '../native/carriers/carrier';
import { resolveKernel, type Kernel, type OnProgress } from './kernels/kernel';
import { KernelLog } from './kernel-log';
import type { Role } from './control';
import { EdgeMap } from './edges/edge-map';
import { Machine } from './machine';
import { demandVermagic, type ModuleChoice } from './kernels/module-file';
import { moduleDependencies, ModuleTree, vmModules } from './kernels/modules';
import { needProgram, needStaticBusybox } from '../support/programs';
import type { VmClock } from './qemu';
import { rxe } from './kernels/rdma-links';

/** Memory of the VM: enough for the guest, a Node process and what both cache. */
const MEMORY_MB = 1024;

export interface VmOptions {
  /** As `--kernel` has it: `6.1`, `6.1.0-56-amd64`, or a folder. */
  readonly kernel: string;
  /** Command of the host process that bears a number. The program is an absolute path; the VM sees this machine's files. */
  readonly hostCommand: (session: number) => readonly string[];
  readonly progress: OnProgress;
  readonly memoryMb?: number;
  /** The clock of the VM, `wall` by default. Host processes have to know of one that is virtual. */
  readonly time?: VmClock;
  /** Whether the VM makes the link; true by default. */
  readonly link?: boolean;
  /** The link and its module; by default soft-RoCE as the kernel has it. */
  readonly module?: ModuleChoice;
}

/**
 * Boots a VM whose kernel has a soft-RoCE device rxe0, or that of another link, and runs host processes there. A VM
 * that has ended, because its kernel panicked or a process could not be killed, or whose kernel has complained, is
 * replaced at the next start.
 *
 * @param role - what the processes are for
 * @throws UsageError for an unknown kernel or a module that is not for it, HarnessError if the VM cannot be made
 */
export async function startVm(options: VmOptions, role: Role = 'host'): Promise<Carrier> {
  checkMachine(options);
  const kernel = await kernelFor(options);
  const carrier = new VmCarrier(kernel, options, role);
  await carrier.boot();
  return carrier;
}

/** Finds the kernel, with all modules that the VM loads. */
async function kernelFor({
  kernel: wanted,
  module: { rdmaLink, file } = stockRxe,
  progress,
}: VmOptions): Promise<Kernel> {
  const own = vmModules(rdmaLink).filter(({ name }) => file === undefined || name !== rdmaLink.module);
  const needed = [...own.map(({ name }) => name), ...(file === undefined ? [] : moduleDependencies(file.image))];
  const kernel = await resolveKernel(wanted, progress, needed);
  if (file !== undefined) demandVermagic(file, kernel.release, new ModuleTree(kernel.modulesDir).vermagic());
  return kernel;
}

/** What is missing is reported before anything is fetched or booted. */
function checkMachine({ link }: VmOptions): void {
  if (process.arch !== 'x64')
    throw new HarnessError(`the VM runs x86-64 programs only, and this machine is ${process.arch}`);
  needProgram('qemu-system-x86_64');
  needStaticBusybox();
  if (link !== false) needProgram('rdma');
}

const stockRxe: ModuleChoice = { rdmaLink: rxe };

class VmCarrier implements Carrier {
  readonly #kernel: Kernel;
  readonly #options: VmOptions;
  readonly #role: Role;
  readonly #log = new KernelLog();
  readonly #edgeMap: EdgeMap | undefined;
  #machine: Machine | undefined;
  #closed = false;

  constructor(kernel: Kernel, options: VmOptions, role: Role) {
    this.#kernel = kernel;
    this.#options = options;
    this.#role = role;
    if (options.module?.file?.functions !== undefined) this.#edgeMap = new EdgeMap();
  }

  get #time(): VmClock {
    return this.#options.time ?? 'wall';
  }

  get virtualTime(): boolean {
    return this.#time === 'virtual';
  }

  async boot(): Promise<Machine> {
    const { link = true, module = stockRxe, memoryMb = MEMORY_MB, progress } = this.#options;
    const time = this.#time;
    const withModule = module.file === undefined ? '' : ` with ${module.file.path}`;
    progress(`booting kernel ${this.#kernel.release}${withModule} in a VM`);
    const startedAt = Date.now();
    const edges = this.#edgeMap && { edgeFile: this.#edgeMap.file };
    const machine = new Machine(this.#kernel, { link, module, memoryMb, time, ...edges }, this.#log);
    this.#machine = machine;
    await machine.ready();
    progress(`the VM is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return machine;
  }

  async start(session: number): Promise<HostProcess> {
    if (this.#closed) throw new HarnessError('the VM has been closed');
    if (this.needsFreshKernel()) await this.#machine?.close();
    const machine = this.#machine?.alive === true ? this.#machine : await this.boot();
    return machine.start(this.#options.hostCommand(session), this.#role);
  }

  needsFreshKernel(): boolean {
    return this.#machine?.alive === true && this.#machine.hasComplained;
  }

  distrustKernel(): void {
    this.#machine?.distrust();
  }

  /** A VM that has ended is replaced by one whose link is up. */
  async setPortUp(up: boolean): Promise<void> {
    const machine = this.#machine?.alive === true ? this.#machine : undefined;
    if (machine === undefined && !up) throw new HarnessError('the VM has ended, and its link with it');
    await machine?.setPortUp(up);
  }

  kernelLog(): string {
    return this.#log.takeNew();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#machine?.close();
    this.#edgeMap?.end();
  }

  get edges(): ModuleEdges | undefined {
    const { dutModule, functions } = this.#options.module?.file ?? {};
    if (this.#edgeMap === undefined || dutModule === undefined || functions === undefined) return undefined;
    return { module: dutModule, functions, reached: this.#edgeMap.reached(functions) };
  }
}
