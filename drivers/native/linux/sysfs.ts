import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * What the kernel reports about RDMA devices in files. What it does not report on this machine is empty: it only describes
 * the device, nothing hangs on it.
 */
export class Sysfs {
  /** @param root - the folder that has `sys/`, `proc/` and `etc/` */
  constructor(readonly root = '/') {}

  /** The text of a file, trimmed; empty if it cannot be read. */
  read(...path: readonly string[]): string {
    return orElse('', () => readFileSync(join(this.root, ...path), 'utf8').trim());
  }

  bytes(...path: readonly string[]): Buffer {
    return orElse(Buffer.alloc(0), () => readFileSync(join(this.root, ...path)));
  }

  /** Names in a folder, in order. */
  names(...path: readonly string[]): readonly string[] {
    return orElse([], () => readdirSync(join(this.root, ...path)).sort());
  }

  /** Name of what a link points to. */
  target(...path: readonly string[]): string {
    return orElse('', () => basename(readlinkSync(join(this.root, ...path))));
  }

  /** Network interface behind a GID of a port. */
  netdevOf(device: string, portNum: number, gidIndex: number): string {
    return this.read(portFolder(device, portNum), 'gid_attrs/ndevs', String(gidIndex));
  }

  /** Type of a GID, such as `RoCE v2`. */
  gidTypeOf(device: string, portNum: number, gidIndex: number): string {
    return this.read(portFolder(device, portNum), 'gid_attrs/types', String(gidIndex));
  }

  /** Name of the kernel driver of the device behind an RDMA device; software devices have none. */
  kernelDriverOf(device: string): string {
    return this.target(deviceFolder(device), 'device/driver');
  }
}

export function deviceFolder(device: string): string {
  return join('sys/class/infiniband', device);
}

export function portFolder(device: string, portNum: number): string {
  return join(deviceFolder(device), 'ports', String(portNum));
}

function orElse<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return otherwise;
    throw error;
  }
}
