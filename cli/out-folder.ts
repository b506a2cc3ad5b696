import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HarnessError, UsageError } from '../drivers/contract';

/** Files that a folder of results has; another folder is never replaced. */
const marks = ['verdicts.json', 'messages.ndjson'];

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

  constructor(folder: string) {
    this.final = resolve(folder);
    if (!replaceable(this.final)) {
      throw new UsageError(`${this.final} is not empty and holds no earlier results`, 'name another folder with --out');
    }
    try {
      mkdirSync(dirname(this.final), { recursive: true });
      removeAbandoned(this.final);
      this.partial = mkdtempSync(`${partialPrefix(this.final)}${process.pid}-`);
    } catch (error) {
      const { message } = error as Error;
      throw new HarnessError(`cannot write results to ${this.final}: ${message}`, 'name another folder with --out');
    }
  }

  /** Puts the results in their place; those of an earlier run go. */
  #publish(): void {
    const old = `${this.partial}-old`;
    while (!tryRename(this.partial, this.final)) {
      tryRename(this.final, old);
      rmSync(old, { recursive: true, force: true });
    }
  }

  /** From now on there is something to keep, however the run ends. */
  keep(): void {
    this.#worthKeeping = true;
  }

  /** Publishes what is to be kept, and leaves nothing behind of a run that has no results. Safe to call twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#worthKeeping) this.#publish();
    else rmSync(this.partial, { recursive: true, force: true });
  }
}

function replaceable(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const files = readdirSync(folder);
  return files.length === 0 || marks.some((mark) => files.includes(mark));
}

/** @returns false where the target stands in the way or the source is gone, as other runs do it at the same time */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function partialPrefix(final: string): string {
  return join(dirname(final), `.${basename(final)}.`);
}

/** Removes what runs have left that were killed and could not tidy up. */
function removeAbandoned(final: string): void {
  const prefix = basename(partialPrefix(final));
  for (const name of readdirSync(dirname(final))) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : NaN;
    if (pid > 0 && !isAlive(pid)) rmSync(join(dirname(final), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
