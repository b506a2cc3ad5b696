import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../drivers/contract';
import type { NamedRun } from '../../reports/gate/combine-runs';
import { oneLine } from '../../catalog/plain-text';
import { parseVerdicts, type Verdicts } from '../../reports/judge/verdicts';
import { readNamedFile, resultsBytesMax } from './read-file';

/** A run that was recorded earlier. */
export interface RecordedRunFiles extends NamedRun {
  /** Folder of its results. */
  readonly folder: string;
}

/** What the verdicts of a run are called. */
export const verdictsFile = 'verdicts.json';

const remedy = 'name the results of `verbspec run`';

/**
 * Reads what runs have left: a folder of `verbspec run --out`, a folder of a repeated run, which is all of its runs, or a
 * verdicts.json.
 *
 * @throws UsageError naming the first that is none, or that is named twice: it would count twice
 */
export function readRuns(paths: readonly string[]): RecordedRunFiles[] {
  const files = paths.flatMap(filesOf);
  const real = files.map((file) => realpathSync(file));
  const repeated = files.find((_, index) => real.indexOf(real[index] ?? '') !== index);
  if (repeated !== undefined) throw new UsageError(`${repeated} is named twice`, 'name each run once');
  return files.map(readRun);
}

/** The runs in a folder that `verbspec run --repeat` has filled, in their order; none in any other. */
export function repeatedRuns(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const numbers = readdirSync(folder).filter((name) => /^[1-9]\d*$/.test(name));
  return numbers
    .sort((one, other) => Number(one) - Number(other))
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, verdictsFile)));
}

function filesOf(path: string): string[] {
  if (!existsSync(path))
    throw new UsageError(`there is no run ${path}`, 'name the folder of a run, or a verdicts.json');
  if (!statSync(path).isDirectory()) return [path];
  const own = join(path, verdictsFile);
  if (existsSync(own)) return [own];
  const repeated = repeatedRuns(path).map((folder) => join(folder, verdictsFile));
  if (repeated.length === 0) throw new UsageError(`${path} holds no verdicts.json`, 'name the folder of a run');
  return repeated;
}

function readRun(path: string): RecordedRunFiles {
  return { name: path, folder: dirname(path), verdicts: readVerdicts(path) };
}

/** Reads a verdicts.json. @throws UsageError naming it if it is none */
export function readVerdicts(path: string): Verdicts {
  const text = readNamedFile(path, resultsBytesMax, path, remedy);
  try {
    return parseVerdicts(text, path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = oneLine((error as Error).message);
    const what = error instanceof SyntaxError ? `is not valid JSON: ${message}` : `cannot be used: ${message}`;
    throw new UsageError(`${path} ${what}`, remedy);
  }
}
