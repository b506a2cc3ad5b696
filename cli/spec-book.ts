import { loadClauses } from '../reports/clauses';
import { loadTies } from '../reports/spec-book/ties';
import { checkEdition } from './check-pages';
import { readEdition } from './man-pages';

/** What the user asks of `verbspec spec-book`. */
export interface SpecBookOptions {
  /** Folders of runs, or their verdicts.json. */
  readonly runs: readonly string[];
  /** Folder of man pages; the installed ones otherwise. */
  readonly man?: readonly string[];
  /** Hold the pages against the sentences that are known, instead of a book. */
  readonly check: boolean;
  readonly out: string;
}

/** @returns the exit code */
export function specBook({ man = [], check }: SpecBookOptions): number {
  const clauses = loadClauses();
  const ties = loadTies();
  const names = [...new Set([...clauses.values()].map(({ page }) => page))];
  const editions = (man.length === 0 ? [undefined] : man).map((folder) => readEdition(names, folder));
  if (check) return Math.max(...editions.map((edition) => checkEdition(edition, ties, toStdout)));
  return 0;
}

function toStdout(text: string): void {
  process.stdout.write(text);
}
