import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpio } from './cpio';
import type { Kernel } from './kernel';
import { ModuleTree, vmModules } from './modules';
import { needStaticBusybox } from './programs';

/** What the VM finds at its start. */
export interface InitramfsOptions {
  /** Whether the guest makes the link rxe0. */
  readonly link: boolean;
}

/** The first file system of the VM: busybox, the kernel's modules and the guest's two scripts. */
export function buildInitramfs(kernel: Kernel, options: InitramfsOptions): Buffer {
  const modules = new ModuleTree(kernel.modulesDir).closure(vmModules);
  const order = modules.map(({ name, optional }) => `${name} ${optional ? 'optional' : 'required'}\n`).join('');
  const guest = (name: string): Buffer => readFileSync(join(__dirname, 'guest', name));
  return cpio([
    { path: 'bin/busybox', data: readFileSync(needStaticBusybox()), executable: true },
    { path: 'init', data: guest('init.sh'), executable: true },
    { path: 'supervise.sh', data: guest('supervise.sh') },
    ...(options.link ? [{ path: 'link', data: Buffer.alloc(0) }] : []),
    { path: 'modules/order', data: Buffer.from(order) },
    ...modules.map(({ name, image }) => ({ path: `modules/${name}.ko`, data: image })),
  ]);
}
