import type { ListedClause } from '../../catalog/clauses';
import { draftMark } from '../../catalog/drafts';
import { sketchOf } from '../../catalog/fingerprint';
import type { PageTies, TiedSentence } from '../../catalog/ties';
import type { ManPage } from '../../reports/spec-book/man-page';
import { classify, type ClassifiedSentence } from './classify';

/** What lies beside each other for a man page that nobody has worked on yet. */
export interface PageDraft {
  readonly clauses: readonly ListedClause[];
  readonly ties: PageTies;
  /** The text of its feature. */
  readonly feature: string;
}

/** Drafts a clause for each sentence of a page that may say something; of the sentence there is no word in it. */
export function draftPage(page: ManPage, edition: string): PageDraft {
  const sentences = classify(page);
  const ids = idsOf(page.name, sentences);
  return {
    clauses: sentences.flatMap((sentence) => clauseOf(sentence, ids.get(sentence))),
    ties: { edition, sentences: sentences.map((sentence) => tieOf(sentence, ids.get(sentence))) },
    feature: `@${page.name}\nFeature: ${page.name}(3) - ${draftMark}: in a few words\n`,
  };
}

/** The slugs are for somebody to replace. */
function idsOf(page: string, sentences: readonly ClassifiedSentence[]): ReadonlyMap<ClassifiedSentence, string> {
  const telling = sentences.filter(({ note }) => note === undefined);
  return new Map(telling.map((sentence, index) => [sentence, `${page}.todo-${index + 1}`]));
}

function clauseOf({ section, position, level }: ClassifiedSentence, id: string | undefined): ListedClause[] {
  if (id === undefined) return [];
  const statement = `${draftMark}: sentence ${position} of ${section}, in our own words`;
  return [{ id, section, authority: 'page', level, testable: 'loopback', statement }];
}

/** What is known of a sentence that stands in no list yet. */
export function tieOf({ id, text, note }: ClassifiedSentence, clause?: string): TiedSentence {
  const standing = clause === undefined ? note && { note } : { clauses: [clause] };
  return { fingerprint: id, sketch: sketchOf(text), ...standing };
}
