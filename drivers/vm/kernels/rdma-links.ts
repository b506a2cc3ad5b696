import type { ModuleToLoad } from './module-to-load';

/** An RDMA link that the kernel makes in software, as the VM makes it. */
export interface RdmaLink {
  /** Name of its kernel module. */
  readonly module: string;
  /** Its type for `rdma link add`, and the name of its provider in libibverbs. */
  readonly linkType: string;
  /** Name of its device. */
  readonly device: string;
  /** Index of the GID by which connections go: rxe has that of an IPv4 address at 1, after the link-local one. */
  readonly gidIndex: number;
  /** What it asks of the kernel by name at run time, and what only the module of the user may list as a dependency. */
  readonly companions: readonly ModuleToLoad[];
}

/** Soft-RoCE. Since 6.15 its crc32 is not a module of the crypto layer. */
export const rxe: RdmaLink = {
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
const siw: RdmaLink = {
  module: 'siw',
  linkType: 'siw',
  device: 'siw0',
  gidIndex: 0,
  companions: [
    { name: 'crc32c_generic', optional: true },
    { name: 'libcrc32c', optional: true },
  ],
};

export const rdmaLinks: readonly RdmaLink[] = [rxe, siw];

/** The link whose kernel module has this name. */
export function rdmaLinkOf(module: string): RdmaLink | undefined {
  return rdmaLinks.find((link) => link.module === module);
}
