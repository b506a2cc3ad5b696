import { cpSync, existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HarnessError, UsageError } from '../drivers/contract';
import { makeTemporaryFolder } from '../drivers/temporary-folder';
import { repeatedRuns } from './recorded-runs';

/** Files that a folder of a run's results has. */
export const marksOfRun = ['verdicts.json', 'messages.ndjson'];

/** Codes of errors where a path leads through a file. */
const notAFolder = ['ENOTDIR', 'EEXIST'];
const remedy = 'name another folder with --out';

/**
 * The folder of a run's results. It is filled beside its final place and moved there when the run ends, so that runs at
 * the same time do not mix, and nobody reads half a result.
 */
export class OutFolder {
  /** Where files are written while the run lasts. */
  readonly partial: string;
  /** Where the results are found afterwards. */
  readonly final: string;
  #worthKeeping = false;
  #ended = false;

  /** @param marks - names of files; a folder that holds something and none of them is never replaced */
  constructor(folder: string, marks: readonly string[] = marksOfRun) {
    this.final = finalPath(folder, marks);
    try {
      this.partial = makeTemporaryFolder(dirname(this.final), `.${basename(this.final)}.`);
    } catch (error) {
      const { message, code = '' } = error as NodeJS.ErrnoException;
      const wrong = `cannot write results to ${this.final}: ${message}`;
      throw notAFolder.includes(code) ? new UsageError(wrong, remedy) : new HarnessError(wrong, remedy);
    }
  }

  /** Puts the results in their place; those of an earlier run go. */
  #publish(): void {
    try {
      if (isMountPoint(this.final)) this.#refill();
      else this.#replace();
    } catch (error) {
      const found = `the results are in ${this.partial} until the next run`;
      throw new HarnessError(`cannot write results to ${this.final}: ${(error as Error).message}`, found);
    }
  }

  #replace(): void {
    const old = `${this.partial}-old`;
    while (!tryRename(this.partial, this.final, ['ENOTEMPTY', 'EEXIST'])) {
      tryRename(this.final, old, ['ENOENT']);
      rmSync(old, { recursive: true, force: true });
    }
  }

  /** A volume cannot be moved or replaced, only its content. */
  #refill(): void {
    for (const name of readdirSync(this.final)) rmSync(join(this.final, name), { recursive: true });
    cpSync(this.partial, this.final, { recursive: true });
    rmSync(this.partial, { recursive: true });
  }

  /** From now on there is something to keep, however the run ends. */
  keep(): void {
    this.#worthKeeping = true;
  }

  /** What there is, is worth nothing: results of an earlier run stay. */
  drop(): void {
    this.#worthKeeping = false;
  }

  /** Publishes what is to be kept, and leaves nothing behind of a run that has no results. Safe to call twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#worthKeeping) this.#publish();
    else rmSync(this.partial, { recursive: true, force: true });
  }
}

/** Where results go: a folder that is not there yet, is empty, or holds earlier results. */
function finalPath(folder: string, marks: readonly string[]): string {
  const path = resolve(folder);
  if (!existsSync(path)) return path;
  const files = filesIn(path);
  if (files.length === 0 || marks.some((mark) => files.includes(mark))) return realpathSync(path);
  if (marks === marksOfRun && holdsRepeatedRuns(path, files)) return realpathSync(path);
  throw new UsageError(`${path} is not empty and holds no earlier results`, remedy);
}

/** Whether `--repeat` has filled the folder, and nobody has put anything beside its runs. */
function holdsRepeatedRuns(folder: string, files: readonly string[]): boolean {
  return files.length === repeatedRuns(folder).length;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    const wrong = notAFolder.includes(code) ? 'is no folder' : `cannot be read: ${message}`;
    throw new UsageError(`${folder} ${wrong}`, remedy);
  }
}

/** A folder on another device than the one that it lies in, such as a container's volume. */
function isMountPoint(folder: string): boolean {
  return existsSync(folder) && statSync(folder).dev !== statSync(dirname(folder)).dev;
}

/**
 * @param expected - codes of errors that come when other runs do the same at the same time
 * @returns whether there was none of them
 */
function tryRename(from: string, to: string, expected: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
