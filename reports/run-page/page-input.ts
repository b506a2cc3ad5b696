import type { Causes } from '../diagnosis/causes';
import type { JudgedRun } from '../judge/judged-run';

/** What the page of a run is made of. */
export interface PageInput {
  readonly judged: JudgedRun;
  readonly causes: Causes;
  /** The exit code and what it is for: `exit 1: 2 rules violated`. */
  readonly exit: string;
  /** Whether a signal has cut the run off. */
  readonly interrupted: boolean;
  /** The folder of the results as the user knows it, for commands. */
  readonly folder: string;
  /** Files and folders among the results that a link may lead to; a folder ends in a slash. */
  readonly files: readonly string[];
  /** What the man pages that are installed say, by the id of the clause. */
  readonly sentences: ReadonlyMap<string, readonly string[]>;
}
