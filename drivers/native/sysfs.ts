import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = '/sys/class/infiniband';

/** Network interface behind a GID of a port, or an empty string. */
export function netdevOf(device: string, portNum: number, gidIndex: number): string {
  return orEmpty(() =>
    readFileSync(join(folder, device, 'ports', String(portNum), 'gid_attrs/ndevs', String(gidIndex)), 'utf8').trim(),
  );
}

/** Name of the kernel driver of the device behind an RDMA device, or an empty string; software devices have none. */
export function kernelDriverOf(device: string): string {
  return orEmpty(() => basename(readlinkSync(join(folder, device, 'device/driver'))));
}

/** What sysfs does not tell on this kernel stays empty: it only describes the device, nothing hangs on it. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
