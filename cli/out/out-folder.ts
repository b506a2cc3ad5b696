import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { makeTemporaryFolder } from '../../drivers/support/temporary-folder';
import { entriesIn } from './entries';
import { markName, writeMark, type ResultsKind, type State } from './mark';
import { discardLeftover, moveBeside, publish, type Published } from './publish';
import { remedy, Target } from './target';

/** Codes of errors where a path leads through what is not a folder. */
const notAFolder = ['ENOTDIR', 'EEXIST', 'ELOOP'];

/** What a run cannot make again, the most needed first. */
const essentials = ['messages.ndjson', 'verdicts.json'] as const;

/**
 * The folder of results. It is filled beside its final place and moved there at the end, so that runs at the same time do
 * not mix, and nobody reads half a result. What lies in the final place goes only if its mark says that verbspec wrote it.
 */
export class OutFolder {
  /** Where files are written while the run lasts. */
  readonly partial: string;
  readonly #target: Target;
  #state: State | undefined;
  #inTheMaking: string | undefined;
  #ended = false;
  #published: string | undefined;

  /**
   * @param isFixed - whether a folder that is there cannot be moved; the system is asked unless given
   * @throws UsageError if something is there that verbspec did not write
   */
  constructor(folder: string, kind: ResultsKind = 'run', isFixed?: (folder: string) => boolean) {
    const target = new Target(folder, kind, isFixed);
    this.#target = target;
    try {
      this.partial = makeTemporaryFolder(target.parent, target.temporaryPrefix, {
        mode: 0o777,
        discard: (path) => {
          discardLeftover(path, target);
        },
      });
    } catch (error) {
      const { message, code = '' } = error as NodeJS.ErrnoException;
      const wrong = `cannot write results to ${target.final}: ${message}`;
      throw notAFolder.includes(code) ? new UsageError(wrong, remedy) : new HarnessError(wrong, remedy);
    }
    const holding = target.holding();
    if (holding.state !== 'foreign') return;
    this.end();
    throw new UsageError(`${target.final} ${holding.why}`, `${remedy}, or move what is there`);
  }

  /** Where the results are to be found, once there are any. */
  get path(): string {
    return this.#published ?? this.final;
  }

  /** Where the results are to go. */
  get final(): string {
    return this.#target.final;
  }

  /** From now on there is something to keep, however the run ends. */
  keep(state: State): void {
    this.#state = state;
  }

  /** Does work that makes a file or a folder, which is left out if the run ends in the middle of it. */
  async making<Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result> {
    this.#inTheMaking = name;
    const result = await work(join(this.partial, name));
    this.#inTheMaking = undefined;
    return result;
  }

  /** Leaves something out that could not be made whole. */
  remove(name: string): void {
    rmSync(join(this.partial, name), { recursive: true, force: true });
  }

  /**
   * Publishes what is to be kept, and leaves nothing behind of a run that has no results. Safe to call twice.
   *
   * @returns where the results are, if they are elsewhere than in their final place
   * @throws HarnessError if they could not go where they were to go
   */
  end(): string | undefined {
    if (this.#ended) return undefined;
    this.#ended = true;
    if (this.#inTheMaking !== undefined) this.remove(this.#inTheMaking);
    if (this.#state === undefined) {
      rmSync(this.partial, { recursive: true, force: true });
      return undefined;
    }
    const { path, refusal } = this.#publish(this.#state);
    this.#published = path;
    if (refusal === undefined) return path === this.final ? undefined : path;
    throw new HarnessError(`cannot write results to ${this.final}: ${refusal}`);
  }

  #publish(state: State): Published {
    try {
      this.#mark(state);
    } catch (error) {
      return this.#publishReduced((error as Error).message);
    }
    const { path, refusal } = this.#place(state);
    return { path, ...(refusal !== undefined && { refusal: `${refusal}; the results are in ${path}` }) };
  }

  #mark(state: State): void {
    const entries = [...entriesIn(this.partial)].map(({ path }) => path);
    writeMark(this.partial, { kind: this.#target.kind, state, entries });
  }

  /** Where not even the mark fits, all else has to make room for what cannot be made again. */
  #publishReduced(refusal: string): Published {
    for (const name of readdirSync(this.partial)) if (!essentials.some((one) => one === name)) this.remove(name);
    const remedyOfFull = 'free space or name another --out';
    if (!existsSync(join(this.partial, essentials[0]))) {
      rmSync(this.partial, { recursive: true, force: true });
      return { path: this.final, refusal: `${refusal}; ${remedyOfFull}` };
    }
    let path: string;
    try {
      this.#mark('incomplete');
      ({ path } = this.#place('incomplete'));
    } catch {
      this.remove(markName);
      ({ path } = this.#moveBeside('incomplete'));
    }
    return { path, refusal: `${refusal}; what fits is in ${path}; ${remedyOfFull}` };
  }

  /** What a volume has taken in part, the next run there puts in order. */
  #place(state: State): Published {
    try {
      return publish(this.partial, state, this.#target);
    } catch (error) {
      const refusal = (error as Error).message;
      return this.#target.isVolume ? { path: this.partial, refusal } : { ...this.#moveBeside('new'), refusal };
    }
  }

  #moveBeside(why: 'incomplete' | 'new'): Published {
    try {
      return { path: moveBeside(this.partial, this.#target, why) };
    } catch {
      return { path: this.partial };
    }
  }
}
