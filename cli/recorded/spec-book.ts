import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { faults } from '../../drivers/sim/faults';
import { loadClauses, type Clauses } from '../../catalog/clauses';
import { oneLine } from '../../catalog/plain-text';
import type { BookInput } from '../../reports/spec-book/book-input';
import { renderBook } from '../../reports/spec-book/site';
import { loadTies } from '../../catalog/ties';
import { checkEdition } from '../lint/check-pages';
import { knownDeviations } from '../inputs/deviations';
import { readEdition } from '../inputs/man-pages';
import { OutFolder } from '../out/out-folder';
import { root, suiteCommit, suiteVersion } from '../common/project';
import { runsOfThisSuite } from '../inputs/runs-of-this-suite';
import { featureSources } from '../inputs/feature-sources';

/** What the user asks of `verbspec spec-book`. */
export interface SpecBookOptions {
  /** Folders of runs, or their verdicts.json. */
  readonly runs: readonly string[];
  /** Folders of man pages; the installed ones otherwise. */
  readonly man?: readonly string[];
  /** Compare the pages with the sentences that are known, instead of a book. */
  readonly check: boolean;
  readonly out?: string;
}

/**
 * Writes the spec book, or lists where the man pages differ from those that the rules were written from.
 *
 * @returns the exit code
 */
export function specBook({ runs, man = [], check, out }: SpecBookOptions): number {
  const clauses = loadClauses();
  const ties = loadTies();
  const names = [...new Set([...clauses.values()].map(({ page }) => page))];
  if (check) {
    if (runs.length > 0) throw new UsageError('--check takes no runs', 'name folders of man pages with --man');
    const editions = (man.length === 0 ? [undefined] : man).map((folder) => readEdition(names, folder));
    return Math.max(...editions.map((edition) => checkEdition(edition, ties, toStdout)));
  }
  if (man.length > 1) throw new UsageError('a book is of one edition of the man pages', 'name --man once');
  const recorded = runsOfThisSuite(runs, clauses);
  const { version, pages } = readEdition(names, man[0]);
  const named = { runs: recorded.map(({ verdicts }) => verdicts), folders: recorded.map(({ folder }) => folder) };
  const input = { edition: version, pages, ties, clauses, ...named, ...projectParts(clauses) };
  writeBook(input, out ?? join(root, 'reports', 'out', 'spec-book'));
  return 0;
}

function projectParts(clauses: Clauses): Pick<BookInput, 'features' | 'faults' | 'deviations' | 'suite'> {
  return {
    features: featureSources(),
    faults: Object.entries(faults).map(([name, { rules, effect }]) => ({ name, rules, effect })),
    deviations: knownDeviations(clauses),
    suite: { version: suiteVersion(), commit: suiteCommit() },
  };
}

function writeBook(input: BookInput, folder: string): void {
  const files = renderBook(input);
  const out = new OutFolder(folder, 'spec-book');
  try {
    for (const [name, content] of files) writeFileSync(join(out.partial, name), content);
    out.keep('whole');
  } catch (error) {
    throw new HarnessError(
      `cannot write ${out.final}: ${(error as Error).message}`,
      'free space or name another --out',
    );
  } finally {
    out.end();
  }
  const path = relative(process.cwd(), join(out.final, 'index.html'));
  toStdout(`spec book  ${oneLine(path.startsWith('..') ? join(out.final, 'index.html') : path)}\n`);
}

function toStdout(text: string): void {
  process.stdout.write(text);
}
