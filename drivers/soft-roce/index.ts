import { HarnessError, UsageError, type CreateDriver, type DriverOptions, type Limits, type VmTime } from '../contract';
import type { Carrier, HostProcess } from '../native/carriers/carrier';
import { builtHostProgram, LocalCarrier } from '../native/carriers/local-carrier';
import { RdmaCore } from '../native/linux/rdma-core';
import { startDriver } from '../native/client/start';
import { refuseOptions } from '../pipeline/refuse-options';
import { hostKernelRefusal } from './host-kernel';
import { HostLink } from './host-link';
import { chooseModule, type ModuleChoice } from '../vm/kernels/module-file';
import { kvmRefusal } from '../vm/kvm';
import { rxe } from '../vm/kernels/rdma-links';
import { startVm } from '../vm/vm';

/**
 * In an emulated VM 257 of 262 events were there when the host process could look for the first time, and the last came
 * 8 ms after its message was posted; 18 ms with ten processes on two cores, where eight answers take 50 ms.
 */
const limits: Limits = { eventMs: 5_000, quietMs: 20 };

/** Release of the kernel in the VM where this machine's own cannot be used and none was named. */
const defaultRelease = '6.1';

/**
 * Soft-RoCE: makes an rxe device, on this machine's kernel or in a VM, and is the hca driver on it. In a VM the module is
 * a choice of the user's, soft-iWARP's among them.
 */
export const createDriver: CreateDriver = async (options) => {
  const kernel = kernelOf(options);
  const module: ModuleChoice = options.module === undefined ? { rdmaLink: rxe } : chooseModule(options.module);
  const { rdmaLink, file } = module;
  // On this machine's kernel the device has a new name in each run.
  refuseOptions('soft-roce', options, {
    fault: null,
    profile: null,
    variant: null,
    network: null,
    host: null,
    ibPort: 1,
    ibDev: kernel === 'host' ? null : rdmaLink.device,
  });
  if (kernel === 'host' && options.vmTime !== undefined) {
    throw new UsageError('--kernel host takes no --vm-time', 'leave it out: there is no VM');
  }
  const rdmaCore = options.rdmaCore === undefined ? undefined : new RdmaCore(options.rdmaCore, rdmaLink.linkType);
  const { device, carrier } =
    kernel === 'host' ? await onHost(rdmaCore) : await inVm({ kernel, rdmaCore, module }, options);
  const { gidIndex = rdmaLink.gidIndex, mtu, progress } = options;
  const chosen = { ...(rdmaCore && { rdmaCore: rdmaCore.folder }), ...(file && { module: file.dutModule }) };
  return startDriver(carrier, { device, portNum: 1, gidIndex, limits, ownsDevice: true, progress, ...chosen }, mtu);
};

/** The kernel that the user names; a module of his own is for a VM, so that this machine's kernel keeps its own. */
function kernelOf({ kernel, module }: DriverOptions): string {
  if (module === undefined) return kernel ?? (hostKernelRefusal() === undefined ? 'host' : defaultRelease);
  if (kernel !== 'host') return kernel ?? defaultRelease;
  throw new UsageError('--kernel host takes no --module', `name a kernel for a VM, such as --kernel ${defaultRelease}`);
}

/** A device, and what starts host processes where it is. */
interface Place {
  readonly device: string;
  readonly carrier: Carrier;
}

async function onHost(rdmaCore: RdmaCore | undefined): Promise<Place> {
  const refusal = hostKernelRefusal();
  if (refusal !== undefined) {
    throw new HarnessError(
      refusal,
      `use a VM (--kernel ${defaultRelease}), or run as root on a kernel that has rdma_rxe`,
    );
  }
  const link = await HostLink.make();
  return { device: link.device, carrier: new HostLinkCarrier(link, rdmaCore) };
}

/** What a VM is made of. */
interface VmParts {
  readonly kernel: string;
  readonly rdmaCore: RdmaCore | undefined;
  readonly module: ModuleChoice;
}

async function inVm({ kernel, rdmaCore, module }: VmParts, options: DriverOptions): Promise<Place> {
  const { progress, vmTime: time = timeUsually() } = options;
  const program = builtHostProgram();
  const onItsClock = time === 'virtual' ? ['--virtual-time'] : [];
  const hostCommand = (session: number): readonly string[] => {
    // An optimising compiler that is emulated itself takes more time than it saves.
    const onInstalled = [process.execPath, '--no-opt', program, '--session', String(session), ...onItsClock];
    return rdmaCore?.around(onInstalled, true) ?? onInstalled;
  };
  return { device: module.rdmaLink.device, carrier: await startVm({ kernel, module, hostCommand, progress, time }) };
}

/** A processor that is not emulated has a clock of its own. */
function timeUsually(): VmTime {
  return kvmRefusal() === undefined ? 'wall' : 'virtual';
}

/** Host processes on this machine, whose device goes with the last of them. */
class HostLinkCarrier extends LocalCarrier {
  constructor(
    readonly link: HostLink,
    rdmaCore: RdmaCore | undefined,
  ) {
    super({ kernelModules: ['rdma_rxe'], ...(rdmaCore && { rdmaCore }) });
  }

  /** The link is removed at the exit of this process; the kernel would wait there for a host that has it open. */
  override async start(session: number): Promise<HostProcess> {
    const host = await super.start(session);
    const kill = (): void => {
      host.kill();
    };
    process.prependListener('exit', kill);
    void host.ended.then(() => process.off('exit', kill));
    return host;
  }

  setPortUp(up: boolean): Promise<void> {
    return this.link.setPortUp(up);
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      await this.link.remove();
    }
  }
}
