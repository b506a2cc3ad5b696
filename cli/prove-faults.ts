import { join, resolve } from 'node:path';
import { UsageError } from '../drivers/contract';
import { isFileOrFolder } from '../drivers/files';
import type { Fault } from '../drivers/sim/faults';
import type { Dependency } from '../reports/proof';
import { root } from './project';

/** What a module of faults exports. */
export interface FaultModule {
  readonly faults: Readonly<Record<string, Fault>>;
  readonly dependencies?: readonly Dependency[];
}

/** The faults that come with verbspec. */
export const plantedFaults = join(root, 'drivers', 'sim', 'faults.ts');

/** @throws {@link UsageError} if there is no such module, or it exports no faults */
export function loadFaults(path: string): FaultModule {
  const file = resolve(path);
  if (!isFileOrFolder(file)) throw new UsageError(`there is no module of faults ${path}`);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module is known at run time only
  const module = require(file) as Partial<FaultModule>;
  if (module.faults === undefined) throw new UsageError(`${path} exports no faults`);
  return { faults: module.faults, ...(module.dependencies && { dependencies: module.dependencies }) };
}
