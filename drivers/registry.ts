import { resolve } from 'node:path';
import { HarnessError, UsageError, type CreateDriver } from './contract';
import { isFileOrFolder } from './support/files';
import { guardedFactory } from './users-driver';

/** The drivers that come with verbspec, loaded when they are asked for. */
const modules: Readonly<Record<string, string>> = { sim: './sim', 'soft-roce': './soft-roce', hca: './hca' };

export const driverNames: readonly string[] = Object.keys(modules);

/**
 * The factory of a driver, by name or by the path of a module that exports `createDriver`.
 *
 * @throws {@link UsageError} if there is none, or it cannot be loaded
 */
export function loadDriver(name: string): CreateDriver {
  const createDriver = load(name);
  if (typeof createDriver !== 'function') throw new UsageError(`${name} exports no createDriver()`);
  return isOwn(name) ? (createDriver as CreateDriver) : guardedFactory(createDriver as CreateDriver, name);
}

function isOwn(name: string): boolean {
  return Object.hasOwn(modules, name);
}

/** What a module exports as `createDriver`. */
function load(name: string): unknown {
  const path = (isOwn(name) ? modules[name] : undefined) ?? modulePath(name);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module is known at run time only
    return (require(path) as { createDriver?: unknown } | null | undefined)?.createDriver;
  } catch (error) {
    if (error instanceof HarnessError) throw new HarnessError(`driver ${name} cannot be loaded: ${error.message}`);
    throw new UsageError(`driver ${name} cannot be loaded: ${causeOf(error)}`, `fix ${name}, or use another driver`);
  }
}

/** The first line that says anything; swc marks its own with a cross. */
function causeOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '')?.replace(/^[x×] /, '') ?? 'it does not say why';
}

function modulePath(name: string): string {
  const path = resolve(name);
  if (/[/.]/.test(name) && isFileOrFolder(path)) return path;
  throw new UsageError(
    `unknown driver "${name}"`,
    `the drivers are ${driverNames.join(', ')}, or the path of a module`,
  );
}
