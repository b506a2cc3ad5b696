import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';

const moduleName = /(^|\/)rdma_rxe\.ko/m;

/** Why soft-RoCE cannot be made on this machine's own kernel, or `undefined` if it can. */
export function hostKernelRefusal(): string | undefined {
  if (!hasRxe()) return `kernel ${release()} has no rdma_rxe`;
  if (process.getuid?.() !== 0) return 'making an rxe link takes root';
  return undefined;
}

/** Whether the kernel has rdma_rxe loaded, built in, or as a module. */
function hasRxe(): boolean {
  if (existsSync('/sys/module/rdma_rxe')) return true;
  const folder = join('/lib/modules', release());
  return ['modules.dep', 'modules.builtin'].some((file) => {
    const path = join(folder, file);
    return existsSync(path) && moduleName.test(readFileSync(path, 'utf8'));
  });
}
