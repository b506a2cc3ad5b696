import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { namesIn } from '../checks';
import { HarnessError } from '../contract';
import { run } from './programs';

/** Interfaces of this project: `vspec` and the process that made them. */
const prefix = 'vspec';
const emptyGid = /^[0:]*$/;
/** Milliseconds for the kernel to fill in the GID of the address. */
const gidMaxMs = 10_000;
const lookEveryMs = 20;

/** The GID of an interface's IPv4 address is index 1 on rxe; index 0 is that of its link-local address. */
export const gidIndex = 1;

/**
 * A soft-RoCE device on this machine's own kernel, over a dummy interface; both bear the number of this process, so
 * that runs do not meet.
 */
export class HostLink {
  readonly netdev = `${prefix}${process.pid}`;
  readonly device = `rxe_${this.netdev}`;

  /** Makes the device. @throws HarnessError naming what the kernel refused */
  static async make(): Promise<HostLink> {
    await removeAbandoned();
    const link = new HostLink();
    try {
      await link.#make();
    } catch (error) {
      await link.remove();
      throw error;
    }
    return link;
  }

  async #make(): Promise<void> {
    for (const module of ['rdma_rxe', 'dummy']) {
      if (!existsSync(join('/sys/module', module))) await run('modprobe', [module]);
    }
    await run('ip', ['link', 'add', this.netdev, 'type', 'dummy']);
    await run('ip', ['address', 'add', addressOf(process.pid), 'dev', this.netdev]);
    await run('ip', ['link', 'set', this.netdev, 'up']);
    await run('rdma', ['link', 'add', this.device, 'type', 'rxe', 'netdev', this.netdev]);
    const gid = join('/sys/class/infiniband', this.device, 'ports/1/gids', String(gidIndex));
    for (let waitedMs = 0; emptyGid.test(readFileSync(gid, 'utf8').trim()); waitedMs += lookEveryMs) {
      if (waitedMs > gidMaxMs) throw new HarnessError(`${this.device} got no GID at index ${gidIndex}`, 'see dmesg');
      await delay(lookEveryMs);
    }
  }

  /** Removes the device and its interface, as far as they were made. */
  async remove(): Promise<void> {
    await removeLink(this.netdev);
  }
}

/** An address of the range for benchmarks, which no network uses. */
function addressOf(pid: number): string {
  return `198.18.${(pid >> 8) & 0xff}.${pid & 0xff}/32`;
}

/** Removes what runs have left that were killed. */
async function removeAbandoned(): Promise<void> {
  const interfaces = namesIn('/sys/class/net').filter((name) => name.startsWith(prefix));
  for (const name of interfaces) {
    if (!namesIn('/proc').includes(name.slice(prefix.length))) await removeLink(name);
  }
}

async function removeLink(netdev: string): Promise<void> {
  if (namesIn('/sys/class/infiniband').includes(`rxe_${netdev}`))
    await run('rdma', ['link', 'delete', `rxe_${netdev}`]);
  if (namesIn('/sys/class/net').includes(netdev)) await run('ip', ['link', 'delete', netdev]);
}
