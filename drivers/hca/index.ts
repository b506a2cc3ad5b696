import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError, type CreateDriver, type DriverOptions, type Limits } from '../contract';
import { namesIn } from '../support/files';
import type { Carrier } from '../native/carriers/carrier';
import { LocalCarrier } from '../native/carriers/local-carrier';
import { RdmaCore } from '../native/linux/rdma-core';
import { RemoteCarrier } from '../native/carriers/remote-carrier';
import { remoteTargetOf } from '../native/carriers/remote-target';
import { startDriver } from '../native/client/start';
import { refuseOptions } from '../pipeline/refuse-options';

/** A device carries out loopback work in far less; the rest is for a busy machine. */
const limits: Limits = { eventMs: 10_000, quietMs: 100 };

/** Over a network a deadline comes after ssh has had the time to report that the connection is gone. */
const remoteSlowness = 2;

/** Any device that libibverbs lists, on this machine or on another one. */
export const createDriver: CreateDriver = async (options) => {
  const foreign = {
    kernel: null,
    module: null,
    vmTime: null,
    fault: null,
    profile: null,
    variant: null,
    network: null,
  };
  refuseOptions('hca', options, foreign);
  const { ibDev: device, ibPort: portNum = 1, gidIndex = 0, mtu, progress } = options;
  if (device === undefined)
    throw new UsageError('--driver hca needs a device', `name it with -d; ${whereToLook(options.host)}`);
  const { carrier, ...rest } = placeOf(device, options);
  return startDriver(carrier, { device, portNum, gidIndex, limits, progress, ...rest }, mtu);
};

/** How the device is reached, and what that means for the client. */
interface Place {
  readonly carrier: Carrier;
  readonly rdmaCore?: string;
  readonly slowness?: number;
}

function placeOf(device: string, { host, rdmaCore: folder }: DriverOptions): Place {
  if (host !== undefined && folder !== undefined) {
    throw new UsageError('--rdma-core is for devices of this machine', 'leave it out, or run verbspec on that machine');
  }
  if (host !== undefined) return { carrier: new RemoteCarrier(remoteTargetOf(host)), slowness: remoteSlowness };
  const rdmaCore = folder === undefined ? undefined : new RdmaCore(folder);
  const carrier = new LocalCarrier({ kernelModules: modulesOf(device), ...(rdmaCore && { rdmaCore }) });
  return { carrier, ...(rdmaCore && { rdmaCore: rdmaCore.folder }) };
}

/** The module that drives the device; one that is no hardware's, such as soft-RoCE, has none of its own. */
function modulesOf(device: string): string[] {
  try {
    return [basename(readlinkSync(`/sys/class/infiniband/${device}/device/driver/module`))];
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function whereToLook(host: string | undefined): string {
  if (host !== undefined) return `\`ibv_devices\` on ${remoteTargetOf(host).destination} lists those there are`;
  return `this machine has ${namesIn('/sys/class/infiniband').join(', ') || 'none'}`;
}
