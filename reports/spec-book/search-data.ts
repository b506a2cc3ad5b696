import { rulesOfPage, sentencesIn } from './coverage';
import type { PageView } from './book';
import { textOfRuns } from './man-page';

/** What the search of a book finds. */
export interface SearchEntry {
  readonly id: number;
  readonly href: string;
  readonly title: string;
  readonly text: string;
  /** Of a rule. */
  readonly name: string;
  /** Where it is from. */
  readonly place: string;
}

/** Every rule and every sentence that says something. */
export function searchEntries(pages: readonly PageView[]): SearchEntry[] {
  const entries = pages.flatMap((page) => [
    ...rulesOfPage(page).map(({ id, slug, title, description = '', section }) => ({
      href: `${page.name}.html#${slug}`,
      title,
      text: description,
      name: id,
      place: `rule, ${page.name}(3), ${section}`,
    })),
    ...sentencesIn(page)
      .filter(({ state }) => state !== 'silent')
      .map(({ id, runs }) => ({
        href: `${page.name}.html#s-${id}`,
        title: textOfRuns(runs).replace(/\s+/g, ' ').trim(),
        text: '',
        name: '',
        place: `sentence, ${page.name}(3)`,
      })),
  ]);
  return entries.map((entry, id) => ({ id, ...entry }));
}
