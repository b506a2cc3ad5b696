import type { ModuleToLoad } from './module-to-load';

/** A software RDMA device of the kernel, as the VM makes it. */
export interface Provider {
  /** Name of its kernel module. */
  readonly module: string;
  /** Type of its links for `rdma link add`, and name of its provider in libibverbs. */
  readonly linkType: string;
  /** Name of its device. */
  readonly device: string;
  /** Index of the GID by which connections go: rxe has that of an IPv4 address at 1, after the link-local one. */
  readonly gidIndex: number;
  /** What it asks of the kernel by name at run time, and what only the module of the user may list as a dependency. */
  readonly companions: readonly ModuleToLoad[];
}

/** Soft-RoCE. Its crc32 is no module of the crypto layer any more since 6.15. */
export const rxe: Provider = {
  module: 'rdma_rxe',
  linkType: 'rxe',
  device: 'rxe0',
  gidIndex: 1,
  companions: [
    { name: 'crc32_generic', optional: true },
    { name: 'crc32_pclmul', optional: true },
  ],
};

/** Soft-iWARP. */
const siw: Provider = {
  module: 'siw',
  linkType: 'siw',
  device: 'siw0',
  gidIndex: 0,
  companions: [
    { name: 'crc32c_generic', optional: true },
    { name: 'libcrc32c', optional: true },
  ],
};

export const providers: readonly Provider[] = [rxe, siw];

/** The provider whose kernel module bears this name. */
export function providerOf(module: string): Provider | undefined {
  return providers.find((provider) => provider.module === module);
}
