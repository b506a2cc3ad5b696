import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { makeFolder } from '../../drivers/support/files';
import { oneLine } from '../../catalog/plain-text';
import { earlierName, foreignRun, holdingOf, mainFiles } from './holding';
import { markName, markOf, writeMark, type Mark, type State } from './mark';
import { moveMarked, namesOf, removeOwn, tryRename } from './publish';
import { realFolder, remedy } from './target';

const runNumber = /^\d+$/;

/**
 * The folder of `verbspec run --repeat`, with a run in each of `1`, `2`, ... What was there before lies in `earlier` until
 * the last run has ended, so that an interruption or a kill never leaves less than there was.
 */
export class RepeatFolder {
  readonly #folder: string;
  readonly #earlier: string;
  readonly #entries: readonly string[];
  #isComplete = false;

  /**
   * Puts aside what earlier runs have left.
   *
   * @throws UsageError if runs are there that verbspec did not write
   */
  constructor(folder: string, times: number) {
    this.#folder = realFolder(folder);
    this.#earlier = join(this.#folder, earlierName);
    this.#entries = [...Array.from({ length: times }, (_, index) => `${index + 1}/`), `${earlierName}/`];
    this.#refuseForeign();
    try {
      makeFolder(this.#folder);
      this.#putAside();
      this.#mark('interrupted');
    } catch (error) {
      throw new HarnessError(`cannot write results to ${this.#folder}: ${(error as Error).message}`, remedy);
    }
  }

  /** The folder of a run. */
  run(number: number): string {
    return join(this.#folder, String(number));
  }

  /** All runs have ended. */
  complete(): void {
    this.#isComplete = true;
    this.#mark('whole');
    removeOwn(this.#earlier, { kind: 'run' });
  }

  /**
   * Puts what was there before back if none of the runs has results.
   *
   * @returns where it is if some of the runs have
   */
  end(): string | undefined {
    if (this.#isComplete) return undefined;
    const hasRuns = this.#runs().length > 0;
    if (hasRuns) return existsSync(this.#earlier) ? this.#earlier : undefined;
    rmSync(join(this.#folder, markName), { force: true });
    if (existsSync(this.#earlier)) {
      moveMarked(this.#earlier, markOf(this.#earlier), this.#folder);
      rmdirSync(this.#earlier);
    } else if (readdirSync(this.#folder).length === 0) rmdirSync(this.#folder);
    return undefined;
  }

  /** Files of others beside the runs are nobody's business; what would be taken for a run, or removed as one, is. */
  #refuseForeign(): void {
    if (!existsSync(this.#folder)) return;
    const why = this.#foreign();
    if (why !== undefined) throw new UsageError(`${this.#folder} ${why}`, `${remedy}, or move what is there`);
  }

  #foreign(): string | undefined {
    const mark = markOf(this.#folder);
    const names = readdirSync(this.#folder);
    if (mark !== undefined && mark.kind !== 'repeat') {
      const isHalfMoved = (name: string): boolean => name === earlierName && this.#isHalfMoved(mark);
      const holding = holdingOf(this.#folder, 'repeat', isHalfMoved);
      return holding.state === 'foreign' ? holding.why : undefined;
    }
    if (mark === undefined && names.includes(mainFiles.run)) return `holds ${mainFiles.run} and no ${markName} of it`;
    const runs = names.filter((name) => runNumber.test(name) || (name === earlierName && !this.#isHalfMoved(mark)));
    const foreign = runs.find((name) => foreignRun(this.#folder, name, mark));
    return foreign && `holds ${oneLine(foreign)}, which verbspec did not write`;
  }

  /** Where an earlier repetition did not come to its end, what it had put aside counts for more than its runs. */
  #putAside(): void {
    const mark = markOf(this.#folder);
    if (mark === undefined) return;
    const aside = markOf(this.#earlier);
    if (aside === undefined || mark.state === 'whole') {
      if (aside !== undefined) removeOwn(this.#earlier, { kind: 'run' });
      moveMarked(this.#folder, mark, this.#earlier);
      return;
    }
    const onTheirWayBack = namesOf(aside).filter(
      (name) => name !== earlierName && !existsSync(join(this.#earlier, name)),
    );
    for (const name of onTheirWayBack) tryRename(join(this.#folder, name), join(this.#earlier, name), ['ENOENT']);
    for (const name of this.#runs()) removeOwn(join(this.#folder, name), { kind: 'run' });
  }

  /** Whether what lies aside is on its way there; the mark follows last. */
  #isHalfMoved(mark: Mark | undefined): boolean {
    if (mark === undefined || existsSync(join(this.#earlier, markName))) return false;
    return existsSync(this.#earlier) && readdirSync(this.#earlier).every((name) => namesOf(mark).includes(name));
  }

  #runs(): string[] {
    return readdirSync(this.#folder).filter((name) => runNumber.test(name));
  }

  #mark(state: State): void {
    writeMark(this.#folder, { kind: 'repeat', state, entries: this.#entries });
  }
}
