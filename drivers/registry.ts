import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError, type CreateDriver } from './contract';

/** The drivers that come with verbspec, loaded when they are asked for. */
const modules: Readonly<Record<string, string>> = { sim: './sim', 'soft-roce': './soft-roce', hca: './hca' };

export const driverNames: readonly string[] = Object.keys(modules);

/**
 * The factory of a driver, by name or by the path of a module that exports `createDriver`.
 *
 * @throws {@link UsageError} if there is none
 */
export function loadDriver(name: string): CreateDriver {
  const path = modules[name] ?? modulePath(name);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module is known at run time only
  const { createDriver } = require(path) as { createDriver?: CreateDriver };
  if (typeof createDriver !== 'function') throw new UsageError(`${name} exports no createDriver()`);
  return createDriver;
}

function modulePath(name: string): string {
  const path = resolve(name);
  if (/[/.]/.test(name) && existsSync(path)) return path;
  throw new UsageError(
    `unknown driver "${name}"`,
    `the drivers are ${driverNames.join(', ')}, or the path of a module`,
  );
}
