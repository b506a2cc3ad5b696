import { tiesByFingerprint, type Ties } from '../../catalog/ties';
import { sentencesOf, textOfRuns, type ManPage } from '../spec-book/man-page';

/** The sentences of man pages that clauses stand on, in the words of these pages, by the id of the clause. */
export function clauseSentences(pages: readonly ManPage[], ties: Ties): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const page of pages) {
    const of = ties.get(page.name);
    const own = of === undefined ? undefined : tiesByFingerprint(of);
    for (const { id, runs } of sentencesOf(page)) {
      for (const clause of own?.get(id)?.clauses ?? []) {
        found.set(clause, [...(found.get(clause) ?? []), textOfRuns(runs)]);
      }
    }
  }
  return found;
}
