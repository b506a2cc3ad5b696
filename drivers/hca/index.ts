import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError, type CreateDriver, type Limits } from '../contract';
import { namesIn } from '../files';
import { LocalCarrier } from '../native/local-carrier';
import { RdmaCore } from '../native/rdma-core';
import { startDriver } from '../native/start';
import { refuseOptions } from '../refuse-options';

/** A device carries out loopback work in far less; the rest is for a busy machine. */
const limits: Limits = { eventMs: 10_000, quietMs: 100 };

/** Any device that libibverbs lists on this machine. */
export const createDriver: CreateDriver = async (options) => {
  refuseOptions('hca', options, { kernel: null, module: null, fault: null });
  const { ibDev: device, ibPort: portNum = 1, gidIndex = 0, mtu } = options;
  if (device === undefined) throw new UsageError('--driver hca needs a device', `name it with -d; ${knownDevices()}`);
  const rdmaCore = options.rdmaCore === undefined ? undefined : new RdmaCore(options.rdmaCore);
  const carrier = new LocalCarrier({ kernelModules: modulesOf(device), ...(rdmaCore && { rdmaCore }) });
  return startDriver(
    carrier,
    { device, portNum, gidIndex, limits, ...(rdmaCore && { rdmaCore: rdmaCore.folder }) },
    mtu,
  );
};

/** The module that drives the device; one that is no hardware's, such as soft-RoCE, has none of its own. */
function modulesOf(device: string): string[] {
  try {
    return [basename(readlinkSync(`/sys/class/infiniband/${device}/device/driver/module`))];
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function knownDevices(): string {
  return `this machine has ${namesIn('/sys/class/infiniband').join(', ') || 'none'}`;
}
