import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpio } from './cpio';
import type { Kernel } from './kernels/kernel';
import type { ModuleChoice } from './kernels/module-file';
import { ModuleTree, vmModules } from './kernels/modules';
import { needStaticBusybox } from '../support/programs';
import type { RdmaLink } from './kernels/rdma-links';

/** What the VM finds at its start. */
export interface InitramfsOptions {
  /** Whether the guest makes the link. */
  readonly link: boolean;
  readonly module: ModuleChoice;
}

/** The first file system of the VM: busybox, the kernel's modules and the guest's two scripts. */
export function buildInitramfs(kernel: Kernel, options: InitramfsOptions): Buffer {
  const { rdmaLink, file } = options.module;
  const replacements = new Map(file === undefined ? [] : [[rdmaLink.module, file.image]]);
  const modules = new ModuleTree(kernel.modulesDir, replacements).closure(vmModules(rdmaLink));
  const order = modules.map(({ name, optional }) => `${name} ${optional ? 'optional' : 'required'}\n`).join('');
  const guest = (name: string): Buffer => readFileSync(join(__dirname, 'guest', name));
  return cpio([
    { path: 'bin/busybox', data: readFileSync(needStaticBusybox()), executable: true },
    { path: 'init', data: guest('init.sh'), executable: true },
    { path: 'supervise.sh', data: guest('supervise.sh') },
    ...(options.link ? [{ path: 'link', data: Buffer.from(linkText(rdmaLink)) }] : []),
    { path: 'modules/order', data: Buffer.from(order) },
    ...modules.map(({ name, image }) => ({ path: `modules/${name}.ko`, data: image })),
  ]);
}

/** What the guest reads of the link that it makes. */
export function linkText({ device, linkType, gidIndex }: RdmaLink): string {
  return `${device} ${linkType} ${gidIndex}\n`;
}
