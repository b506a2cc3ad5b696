import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needProgram, needStaticBusybox } from '../../support/programs';
import { cpio } from '../cpio';
import { linkText } from '../initramfs';
import type { Kernel } from '../kernels/kernel';
import { ModuleTree } from '../kernels/modules';
import type { ModuleToLoad } from '../kernels/module-to-load';
import type { RdmaLink } from '../kernels/rdma-links';
import type { Noise } from './schedule';
import { programsWithLibraries } from './shared-objects';

/** What a deterministic VM is to do. */
export interface Task {
  /** Lines that the runner reads. */
  readonly programs: string;
  readonly noises: readonly Noise[];
  /** Paths of the runner and of the noise. */
  readonly runner: string;
  readonly noise: string;
}

/** Modules of a VM that has no ports and no file system of this machine: what makes the device, and no more. */
export function modulesOf({ companions, module }: RdmaLink): readonly ModuleToLoad[] {
  return [{ name: 'dummy' }, { name: 'ib_uverbs' }, ...companions, { name: module }];
}

/** The one file system of a deterministic VM: all that it reads. */
export function buildImage(kernel: Kernel, link: RdmaLink, task: Task): Buffer {
  const modules = new ModuleTree(kernel.modulesDir).closure(modulesOf(link));
  const order = modules.map(({ name, optional }) => `${name} ${optional ? 'optional' : 'required'}\n`).join('');
  const noises = task.noises.map(({ seed, niceness }) => `${seed} ${niceness}\n`).join('');
  return cpio([
    { path: 'init', data: readFileSync(join(__dirname, 'guest.sh')), executable: true },
    { path: 'bin/busybox', data: readFileSync(needStaticBusybox()), executable: true },
    ...programsWithLibraries([task.runner, task.noise, needProgram('rdma')], link.linkType),
    { path: 'link', data: Buffer.from(linkText(link)) },
    { path: 'noises', data: Buffer.from(noises) },
    { path: 'programs', data: Buffer.from(task.programs) },
    { path: 'modules/order', data: Buffer.from(order) },
    ...modules.map(({ name, image }) => ({ path: `modules/${name}.ko`, data: image })),
  ]);
}
