import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessError } from '../contract';
import { namesIn } from '../support/files';
import { isAlive } from '../support/temporary-folder';
import { runProgram, runNow, type Program } from '../support/programs';
import { rxe } from '../vm/kernels/rdma-links';

/** Interfaces of this project: `vspec` and the process that made them. */
const prefix = 'vspec';
const ownName = new RegExp(`^${prefix}(\\d+)$`);
const devicesFolder = '/sys/class/infiniband';
const interfacesFolder = '/sys/class/net';
const emptyGid = /^[0:]*$/;
/** Milliseconds for the kernel to bring a port to its state, or to fill in the GID of its address. */
const portMaxMs = 10_000;
const lookEveryMs = 20;

/** Of the table's thousand entries the link fills the first two. */
const gidsKept = 8;

const { gidIndex } = rxe;

/**
 * A soft-RoCE device on this machine's own kernel, over a dummy interface; both bear the number of this process, so
 * that runs do not meet. Both go with this process, unless it is killed; the next run removes them then.
 */
export class HostLink {
  readonly netdev = `${prefix}${process.pid}`;
  readonly device = deviceOf(this.netdev);
  readonly #port = join(devicesFolder, this.device, 'ports/1');
  #gidsBefore: string | undefined;

  /** Makes the device. @throws HarnessError naming what the kernel refused */
  static async make(): Promise<HostLink> {
    await removeAbandonedLinks();
    const link = new HostLink();
    try {
      await link.#make();
    } catch (error) {
      await link.remove().catch(() => undefined); // tried again at the end of the process
      throw error;
    }
    return link;
  }

  async #make(): Promise<void> {
    for (const module of ['rdma_rxe', 'dummy']) {
      if (!existsSync(join('/sys/module', module))) await runProgram('modprobe', [module]);
    }
    process.once('exit', this.#removeAtExit);
    runNow('ip', ['link', 'add', this.netdev, 'type', 'dummy']);
    await runProgram('ip', ['address', 'add', addressOf(process.pid), 'dev', this.netdev]);
    await runProgram('ip', ['link', 'set', this.netdev, 'up']);
    await runProgram('rdma', ['link', 'add', this.device, 'type', 'rxe', 'netdev', this.netdev]);
    await this.#until(`got no GID at index ${gidIndex}`, () => !emptyGid.test(this.#gid(gidIndex)));
  }

  /**
   * Takes the link down or up, and waits until the port says so and has the GIDs that it had before.
   *
   * @throws HarnessError if the port does not follow
   */
  async setPortUp(up: boolean): Promise<void> {
    if (!up && this.#isActive()) this.#gidsBefore = this.#gids();
    await runProgram('ip', ['link', 'set', this.netdev, up ? 'up' : 'down']);
    const hasFollowed = (): boolean => this.#isActive() === up;
    const hasItsGids = (): boolean => !up || (this.#gidsBefore ?? this.#gids()) === this.#gids();
    await this.#until(`has no port that went ${up ? 'up' : 'down'}`, () => hasFollowed() && hasItsGids());
  }

  #isActive(): boolean {
    return this.#read('state') === '4: ACTIVE';
  }

  #gids(): string {
    return Array.from({ length: gidsKept }, (_, index) => this.#gid(index)).join();
  }

  #gid(index: number): string {
    return this.#read(join('gids', String(index)));
  }

  #read(attribute: string): string {
    return readFileSync(join(this.#port, attribute), 'utf8').trim();
  }

  async #until(failure: string, isSo: () => boolean): Promise<void> {
    for (let waitedMs = 0; !isSo(); waitedMs += lookEveryMs) {
      if (waitedMs > portMaxMs) throw new HarnessError(`${this.device} ${failure}`, 'see dmesg');
      await delay(lookEveryMs);
    }
  }

  /** Removes the device and its interface, as far as they were made. @throws HarnessError naming what stays */
  async remove(): Promise<void> {
    await removeLink(this.netdev);
    process.off('exit', this.#removeAtExit);
  }

  /** Nobody is left to report a failure to. */
  readonly #removeAtExit = (): void => {
    for (const { path, program, args } of removalsOf(this.netdev)) {
      try {
        if (existsSync(path)) runNow(program, args);
      } catch {
        continue;
      }
    }
  };
}

function deviceOf(netdev: string): string {
  return `rxe_${netdev}`;
}

/** An address of the range for benchmarks, which no network uses. */
function addressOf(pid: number): string {
  return `198.18.${(pid >> 8) & 0xff}.${pid & 0xff}/32`;
}

/** Removes the links of runs that were killed. @throws HarnessError naming what stays */
export async function removeAbandonedLinks(): Promise<void> {
  for (const name of namesIn(interfacesFolder)) {
    const pid = ownName.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeLink(name);
  }
}

/** Something to remove: where the kernel shows it while it is there, and the command. */
interface Removal {
  readonly path: string;
  readonly program: Program;
  readonly args: readonly string[];
}

function removalsOf(netdev: string): readonly Removal[] {
  const device = deviceOf(netdev);
  return [
    { path: join(devicesFolder, device), program: 'rdma', args: ['link', 'delete', device] },
    { path: join(interfacesFolder, netdev), program: 'ip', args: ['link', 'delete', netdev] },
  ];
}

/** The device goes with its interface, and another run may remove both: what counts is that nothing is left. */
async function removeLink(netdev: string): Promise<void> {
  const causes: string[] = [];
  for (const { path, program, args } of removalsOf(netdev)) {
    if (!existsSync(path)) continue;
    await runProgram(program, args).catch((error: unknown) => causes.push(error instanceof Error ? error.message : ''));
  }
  const left = removalsOf(netdev).find(({ path }) => existsSync(path));
  if (left === undefined) return;
  const { path, program, args } = left;
  throw new HarnessError(
    `the link ${basename(path)} could not be removed: ${causes.join(', ')}`,
    `remove it by hand: ${program} ${args.join(' ')}`,
  );
}
