import { realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** Version of rdma-core from the file of its libibverbs: `44.0` for `libibverbs.so.1.14.44.0`; else the file's name. */
export function rdmaCoreVersion(libraryPath: string | null): string {
  if (libraryPath === null) return '';
  const name = basename(realpathSync(libraryPath));
  return /^libibverbs\.so\.\d+\.\d+\.(\d+\.\d+)$/.exec(name)?.[1] ?? name;
}

/** Name of the provider from the file of its code: `rxe` for `librxe-rdmav34.so`, `mlx5` for `libmlx5.so.1.24.44.0`. */
export function providerName(providerPath: string | null): string | undefined {
  if (providerPath === null) return undefined;
  const name = /^lib(.+?)(-rdmav\d+)?\.so/.exec(basename(providerPath))?.[1];
  return name === 'ibverbs' ? undefined : name;
}
