import { HarnessError, UsageError, type CreateDriver, type DriverOptions, type Limits } from '../contract';
import type { Carrier } from '../native/carrier';
import { NativeBackend } from '../native/client';
import { hostProgram, LocalCarrier } from '../native/local-carrier';
import { VerbsDriver } from '../verbs-driver';
import { hostKernelRefusal } from './host-kernel';
import { gidIndex as addressGidIndex, HostLink } from './host-link';
import { startVm } from './vm';

/** In an emulated VM a message and its event take well under half a second; the event follows its CQE within 100 ms. */
const limits: Limits = { eventMs: 10_000, quietMs: 150 };

/** Release of the kernel in the VM where this machine's own cannot be used and none was named. */
const defaultRelease = '6.1';

/** Soft-RoCE: makes an rxe device, on this machine's kernel or in a VM, and is the hca driver on it. */
export const createDriver: CreateDriver = async (options) => {
  const { kernel = hostKernelRefusal() === undefined ? 'host' : defaultRelease, ibDev, mtu } = options;
  const { device, carrier } = kernel === 'host' ? await onHost() : await inVm(kernel, options);
  if (ibDev !== undefined && ibDev !== device) {
    await carrier.close();
    throw new UsageError(`soft-RoCE has no device "${ibDev}"`, `its one device is ${device}; leave -d out`);
  }
  const { ibPort: portNum = 1, gidIndex = addressGidIndex } = options;
  return new VerbsDriver(await NativeBackend.start(carrier, { device, portNum, gidIndex, limits }), limits, mtu);
};

/** A device, and what starts host processes where it is. */
interface Place {
  readonly device: string;
  readonly carrier: Carrier;
}

async function onHost(): Promise<Place> {
  const refusal = hostKernelRefusal();
  if (refusal !== undefined) {
    throw new HarnessError(
      refusal,
      `use a VM (--kernel ${defaultRelease}), or run as root on a kernel that has rdma_rxe`,
    );
  }
  const link = await HostLink.make();
  return { device: link.device, carrier: new HostLinkCarrier(link) };
}

async function inVm(kernel: string, { progress }: DriverOptions): Promise<Place> {
  const hostCommand = (session: number): string[] => [process.execPath, hostProgram, '--session', String(session)];
  return { device: 'rxe0', carrier: await startVm({ kernel, hostCommand, progress }) };
}

/** Host processes on this machine, whose device goes with the last of them. */
class HostLinkCarrier extends LocalCarrier {
  constructor(readonly link: HostLink) {
    super();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.link.remove();
  }
}
