import type { ClauseLevel } from '../../catalog/clauses';
import type { RuleVerdict } from '../../catalog/verdict';
import type { PageView, SentenceView } from './book';
import type { DutVerdict, RuleView } from './rule-view';

/** How many of something have what they ought to have. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** How much of a page is covered. */
export interface PageCoverage {
  readonly page: string;
  /** Sentences that say something, and those of them with a rule. */
  readonly sentences: Share;
  readonly gaps: number;
  /** Rules by level, and those of them with a scenario. */
  readonly levels: Readonly<Record<ClauseLevel, Share>>;
  readonly rules: Share;
}

/** The levels, the most binding first. */
export const levels: readonly ClauseLevel[] = ['must', 'should', 'may', 'info'];

/** The rules of a page with the sentences that they stand on. */
export function rulesOfPage({ sections, elsewhere }: PageView): RuleView[] {
  return [...sentencesIn({ sections }).flatMap(({ rules }) => rules), ...elsewhere.flatMap(({ rules }) => rules)];
}

/** All sentences of a page. */
export function sentencesIn({ sections }: Pick<PageView, 'sections'>): SentenceView[] {
  return sections.flatMap(({ blocks }) => blocks.flatMap(({ sentences }) => sentences));
}

/** Counts what of a page has rules and scenarios. */
export function coverageOf(page: PageView): PageCoverage {
  const sentences = sentencesIn(page).filter(({ state }) => state !== 'silent');
  const gaps = sentences.filter(({ state }) => state === 'gap').length;
  const rules = rulesOfPage(page);
  const shares = levels.map((level) => [level, shareOf(rules.filter((rule) => rule.level === level))] as const);
  return {
    page: page.name,
    sentences: { done: sentences.length - gaps, of: sentences.length },
    gaps,
    levels: Object.fromEntries(shares) as Record<ClauseLevel, Share>,
    rules: shareOf(rules),
  };
}

/** The counts of all pages together. */
export function total(pages: readonly PageCoverage[]): Omit<PageCoverage, 'page'> {
  const sum = (share: (page: PageCoverage) => Share): Share => ({
    done: pages.reduce((count, page) => count + share(page).done, 0),
    of: pages.reduce((count, page) => count + share(page).of, 0),
  });
  const shares = levels.map((level) => [level, sum((page) => page.levels[level])] as const);
  return {
    sentences: sum((page) => page.sentences),
    gaps: pages.reduce((count, { gaps }) => count + gaps, 0),
    levels: Object.fromEntries(shares) as Record<ClauseLevel, Share>,
    rules: sum((page) => page.rules),
  };
}

/** How many rules of a book got which verdict on one DUT, those that came up. */
export function verdictCounts(
  pages: readonly PageView[],
  dut: number,
): { readonly verdict: DutVerdict['verdict']; readonly count: number }[] {
  const order: readonly (RuleVerdict | 'not-run')[] = [
    'conforms',
    'violates',
    'deviates',
    'not-applicable',
    'blocked',
    'broken',
    'untested',
    'not-run',
  ];
  const verdicts = pages.flatMap(rulesOfPage).flatMap(({ verdicts: all }) => all[dut]?.verdict ?? []);
  return order
    .map((verdict) => ({ verdict, count: verdicts.filter((one) => one === verdict).length }))
    .filter(({ count }) => count > 0);
}

function shareOf(rules: readonly RuleView[]): Share {
  return { done: rules.filter(({ scenarios }) => scenarios.length > 0).length, of: rules.length };
}
