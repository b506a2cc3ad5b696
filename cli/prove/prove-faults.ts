import { join, resolve } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { isFileOrFolder } from '../../drivers/support/files';
import type { Fault } from '../../drivers/sim/faults/fault';
import { oneLine } from '../../catalog/plain-text';
import { root } from '../common/project';

/** What a module of faults exports. */
export interface FaultModule {
  readonly faults: Readonly<Record<string, Fault>>;
}

/** The faults that come with verbspec. */
export const plantedFaults = join(root, 'drivers', 'sim', 'faults.ts');

/** @throws {@link UsageError} if there is no such module, it cannot be loaded, or it exports no faults */
export function loadFaults(path: string): FaultModule {
  const { faults } = load(path);
  if (typeof faults !== 'object' || Object.keys(faults).length === 0) throw new UsageError(`${path} exports no faults`);
  const bad = Object.entries(faults).find(([, fault]) => !isFault(fault));
  if (bad) throw new UsageError(`${path}: "${bad[0]}" is not a fault`, 'it has to have effect, rules and parts');
  return { faults };
}

function load(path: string): Partial<FaultModule> {
  const file = resolve(path);
  if (!isFileOrFolder(file)) throw new UsageError(`there is no module of faults ${path}`);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module is known at run time only
    const { faults } = (require(file) ?? {}) as Partial<FaultModule>;
    return { ...(faults && { faults }) };
  } catch (error) {
    const why = `${path} cannot be loaded: ${oneLine((error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '')}`;
    throw error instanceof HarnessError ? new HarnessError(why) : new UsageError(why, `fix ${path}`);
  }
}

function isFault(fault: unknown): boolean {
  const { effect, rules, parts } = (fault ?? {}) as Partial<Fault>;
  return typeof effect === 'string' && Array.isArray(rules) && typeof parts === 'object';
}
