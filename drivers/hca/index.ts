import { UsageError, type CreateDriver, type Limits } from '../contract';
import { namesIn } from '../files';
import type { Carrier } from '../native/carrier';
import { LocalCarrier } from '../native/local-carrier';
import { RdmaCore } from '../native/rdma-core';
import { RemoteCarrier } from '../native/remote-carrier';
import { remoteTargetOf } from '../native/remote-target';
import { startDriver } from '../native/start';
import { refuseOptions } from '../refuse-options';

/** A device carries out loopback work in far less; the rest is for a busy machine. */
const limits: Limits = { eventMs: 10_000, quietMs: 100 };

/** Over a network a deadline comes after ssh has had the time to tell that the connection is gone. */
const remoteSlowness = 2;

/** Any device that libibverbs lists, on this machine or on another one. */
export const createDriver: CreateDriver = async (options) => {
  refuseOptions('hca', options, { kernel: null, fault: null });
  const { ibDev: device, ibPort: portNum = 1, gidIndex = 0, mtu } = options;
  if (device === undefined)
    throw new UsageError('--driver hca needs a device', `name it with -d; ${whereToLook(options.host)}`);
  const { carrier, ...rest } = placeOf(options.host, options.rdmaCore);
  return startDriver(carrier, { device, portNum, gidIndex, limits, ...rest }, mtu);
};

function placeOf(
  host: string | undefined,
  folder: string | undefined,
): { readonly carrier: Carrier; readonly rdmaCore?: string; readonly slowness?: number } {
  if (host !== undefined && folder !== undefined) {
    throw new UsageError(
      '--rdma-core is for devices of this machine',
      'leave it out, or run verbspec where the device is',
    );
  }
  if (host !== undefined) return { carrier: new RemoteCarrier(remoteTargetOf(host)), slowness: remoteSlowness };
  if (folder === undefined) return { carrier: new LocalCarrier() };
  const rdmaCore = new RdmaCore(folder);
  return { carrier: new LocalCarrier({ rdmaCore }), rdmaCore: rdmaCore.folder };
}

function whereToLook(host: string | undefined): string {
  if (host !== undefined) return `\`ibv_devices\` on ${remoteTargetOf(host).destination} lists those there are`;
  return `this machine has ${namesIn('/sys/class/infiniband').join(', ') || 'none'}`;
}
