import { join } from 'node:path';
import type { KernelModule } from '../../contract';
import { deviceFolder, type Sysfs } from './sysfs';

/** Modules of devices that are made of software; what lies past such a device is its network card. */
const softModules = new Map([
  ['rxe', 'rdma_rxe'],
  ['siw', 'siw'],
]);

/** Those that every RDMA driver of the kernel is built on. */
const rdmaModules = ['ib_core', 'ib_uverbs'];

/**
 * The kernel modules that drive an RDMA device: that of the card, and that which makes an RDMA device of it, where the two
 * are not one.
 *
 * @param provider - the user-space provider of the device
 */
export function modulesOf(sysfs: Sysfs, device: string, provider: string): KernelModule[] {
  const soft = softModules.get(provider);
  const names = soft === undefined ? cardModules(sysfs, device) : [soft];
  return names.filter((name) => sysfs.names(moduleFolder(name)).length > 0).map((name) => describe(sysfs, name));
}

function cardModules(sysfs: Sysfs, device: string): string[] {
  const card = sysfs.target(deviceFolder(device), 'device/driver/module');
  if (card === '') return [];
  const onRdma = rdmaModules.flatMap((name) => sysfs.names(moduleFolder(name), 'holders'));
  return [card, ...sysfs.names(moduleFolder(card), 'holders').filter((name) => onRdma.includes(name))];
}

function describe(sysfs: Sysfs, name: string): KernelModule {
  const folder = moduleFolder(name);
  const version = sysfs.read(folder, 'version');
  const srcversion = sysfs.read(folder, 'srcversion');
  const buildId = buildIdOf(sysfs.bytes(folder, 'notes/.note.gnu.build-id'));
  return {
    name,
    ...(version !== '' && { version }),
    ...(srcversion !== '' && { srcversion }),
    ...(buildId !== undefined && { buildId }),
    parameters: parametersOf(sysfs, join(folder, 'parameters')),
  };
}

function parametersOf(sysfs: Sysfs, folder: string): Record<string, string> {
  return Object.fromEntries(
    sysfs.names(folder).flatMap((name) => {
      const value = sysfs.read(folder, name);
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** An ELF note has the sizes of its name and of its content in front, then its type, then both, each filled up to 4. */
export function buildIdOf(note: Buffer): string | undefined {
  if (note.length < 12) return undefined;
  const [nameSize, size] = [note.readUInt32LE(0), note.readUInt32LE(4)];
  const start = 12 + Math.ceil(nameSize / 4) * 4;
  return size > 0 && start + size <= note.length ? note.toString('hex', start, start + size) : undefined;
}

function moduleFolder(name: string): string {
  return join('sys/module', name);
}
