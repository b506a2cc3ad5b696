import { HarnessError } from '../../drivers/contract';
import { loadTies } from '../../catalog/ties';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { clauseSentences } from '../../reports/run-page/page-sentences';
import { readEdition } from './man-pages';

/**
 * What the man pages that are installed say of the rules that did not conform, by the id of the clause; nothing where this
 * machine has no pages or cannot render them.
 */
export function manSentences({ scenarios }: Pick<JudgedRun, 'scenarios'>): ReadonlyMap<string, readonly string[]> {
  const amiss = scenarios.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
  const ids = new Set(amiss.flatMap(({ clauseIds }) => clauseIds));
  const ties = loadTies();
  const pages = [...ties].flatMap(([page, { sentences }]) =>
    sentences.some(({ clauses = [] }) => clauses.some((id) => ids.has(id))) ? [page] : [],
  );
  try {
    return pages.length === 0 ? new Map() : clauseSentences(readEdition(pages).pages, ties);
  } catch (error) {
    if (error instanceof HarnessError) return new Map();
    throw error;
  }
}
