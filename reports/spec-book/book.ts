import type { BookInput } from './book-input';
import type { Clause } from '../../catalog/clauses';
import type { ManPage, Run, Section } from './man-page';
import { RuleViews, type RuleView } from './rule-view';
import { editionsOf, tiesByFingerprint, type PageTies, type Tie } from '../../catalog/ties';

/** A man page as the book shows it. */
export interface PageView {
  readonly name: string;
  readonly background?: string;
  readonly sections: readonly SectionView[];
  /** Rules that no sentence of this page has beside it, with the reason. */
  readonly elsewhere: readonly { readonly reason: string; readonly rules: readonly RuleView[] }[];
}

/** A section of a page. */
export interface SectionView {
  readonly title: string;
  readonly anchor: string;
  readonly blocks: readonly BlockView[];
}

/** A block of a section, a row a sentence. */
export interface BlockView {
  readonly kind: 'text' | 'term' | 'code';
  readonly depth: number;
  readonly sentences: readonly SentenceView[];
}

/** A sentence with what stands on it. */
export interface SentenceView {
  readonly id: string;
  readonly runs: readonly Run[];
  /** `silent` has nothing that could be checked, `gap` has no rule and nobody has said why. */
  readonly state: 'ruled' | 'unproven' | 'silent' | 'gap';
  /** Rules that are shown here. */
  readonly rules: readonly RuleView[];
  /** Rules that stand on it too and are shown elsewhere. */
  readonly others: readonly RuleView[];
  /** What it means for the rules that their edition says otherwise. */
  readonly drift?: string;
}

/** Makes the pages of a book. */
export function pageViews(input: BookInput): PageView[] {
  const views = new RuleViews(input);
  const told = new Set<string>();
  const bodies = input.pages.map((page) => ({ page, sections: sectionViews(page, input, views, told) }));
  return bodies.map(({ page, sections }) => {
    const background = input.features.find(({ uri }) => uri.endsWith(`/${page.name}.feature`))?.background;
    const elsewhere = elsewhereOf(page.name, input, views, told);
    return { name: page.name, ...(background !== undefined && { background }), sections, elsewhere };
  });
}

function sectionViews(
  { name, sections }: ManPage,
  input: BookInput,
  views: RuleViews,
  told: Set<string>,
): SectionView[] {
  const ties = tiesByFingerprint(input.ties.get(name) ?? { sentences: [] });
  return sections.map(({ title, blocks }, index) => ({
    title,
    anchor: anchorOf(title, index),
    blocks: blocks.map(({ kind, depth, sentences }) => ({
      kind,
      depth,
      sentences: sentences.map(({ id, runs }) => ({ id, runs, ...standing(ties.get(id), name, views, told) })),
    })),
  }));
}

/** A rule is shown once, beside the first sentence of its own page that it stands on. */
function standing(
  tie: Tie | undefined,
  page: string,
  views: RuleViews,
  told: Set<string>,
): Omit<SentenceView, 'id' | 'runs'> {
  const all = (tie?.clauses ?? []).map((id) => views.of(id));
  const rules = all.filter((rule) => rule.page === page && !told.has(rule.id));
  for (const { id } of rules) told.add(id);
  const others = all.filter((rule) => !rules.includes(rule));
  return { state: stateOf(tie, all), rules, others, ...(tie?.drift && { drift: tie.drift.reason }) };
}

function stateOf(tie: Tie | undefined, rules: readonly RuleView[]): SentenceView['state'] {
  if (rules.length > 0) return rules.some(({ scenarios }) => scenarios.length > 0) ? 'ruled' : 'unproven';
  return tie?.note === undefined ? 'gap' : 'silent';
}

function elsewhereOf(page: string, input: BookInput, views: RuleViews, told: Set<string>): PageView['elsewhere'] {
  const left = [...input.clauses.values()].filter((clause) => clause.page === page && !told.has(clause.id));
  const byReason = new Map<string, RuleView[]>();
  for (const clause of left) {
    const reason = reasonOf(clause, input);
    byReason.set(reason, [...(byReason.get(reason) ?? []), views.of(clause.id)]);
  }
  return [...byReason].map(([reason, rules]) => ({ reason, rules }));
}

function reasonOf({ id, page }: Clause, { ties, edition }: BookInput): string {
  const given = ties.get(page)?.elsewhere?.find(({ clauses }) => clauses.includes(id))?.reason;
  if (given !== undefined) return given;
  const place = [...ties].find(([, own]) => standsOn(own, id))?.[0];
  if (place !== undefined && place !== page) return `It stands on a sentence of ${place}(3).`;
  return `Its sentence is not in the pages of rdma-core ${edition}; it is in those of ${ties.get(page)?.edition ?? editionsOf(ties)}.`;
}

function standsOn({ sentences }: PageTies, id: string): boolean {
  return sentences.some(({ clauses = [] }) => clauses.includes(id));
}

/** Headings may repeat, so they are counted. */
function anchorOf(title: Section['title'], index: number): string {
  return `section-${index + 1}-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
