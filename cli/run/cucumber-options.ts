import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSources, type IRunConfiguration, type IRunEnvironment } from '@cucumber/cucumber/api';
import formatters from '@cucumber/cucumber/lib/formatter/builtin/index';
import { HarnessError, UsageError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { isFound } from './bounded-expression';
import { root } from '../common/project';
import { featureRules } from '../inputs/features';

/**
 * Looks at what the user asks of Cucumber before a device is made ready for it.
 *
 * @throws UsageError naming the first thing that cannot be
 */
export async function checkCucumberOptions(
  { formats, runtime, sources }: IRunConfiguration,
  environment: IRunEnvironment,
): Promise<void> {
  if (runtime.parallel > 0) throw new UsageError('--parallel: all scenarios share one device', 'leave it out');
  for (const formatter of [formats.stdout, ...Object.values(formats.files)]) refuseUnknownFormatter(formatter);
  for (const file of Object.keys(formats.files)) refuseUnwritable(file);
  for (const name of sources.names) refuseEndlessName(name);
  await loadSources({ ...sources, order: 'defined' }, environment).catch((error: unknown) => {
    throw cucumberRefusalOf(error);
  });
}

/** What Cucumber says of options that it cannot follow; code of the user's that ends the process breaks the set-up. */
export function cucumberRefusalOf(error: unknown): HarnessError {
  const { cause = error } = error as { cause?: unknown };
  if (cause instanceof HarnessError) return cause;
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return new UsageError(`Cucumber refuses its options: ${oneLine(line)}`);
}

function refuseUnknownFormatter(formatter: string): void {
  if (Object.hasOwn(formatters, formatter) || isModule(formatter)) return;
  const known = Object.keys(formatters).join(', ');
  throw new UsageError(`--format ${formatter}: there is no such formatter`, `name a module, or one of ${known}`);
}

function isModule(name: string): boolean {
  if (name.startsWith('file://')) return existsSync(fileURLToPath(name));
  if (/^[./]/.test(name)) return existsSync(resolve(root, name));
  try {
    createRequire(join(root, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Cucumber would make the folders, wherever they are. */
function refuseUnwritable(file: string): void {
  const path = resolve(root, file);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) {
    throw new UsageError(`--format: there is no folder ${dirname(path)}`, 'make it, or name another file');
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new UsageError(`--format: ${path} is a folder`, 'name a file');
  }
}

/** Cucumber looks for it in the names of the scenarios, and no signal would end that. */
function refuseEndlessName(expression: string): void {
  try {
    for (const { scenarios } of featureRules()) for (const { name } of scenarios) isFound(expression, name);
  } catch (error) {
    throw new UsageError(`--name ${expression}: ${(error as Error).message}`, 'write a simpler one');
  }
}
