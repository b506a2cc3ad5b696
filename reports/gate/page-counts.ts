import type { RuleEntry } from '../judge/verdicts';

/** How much of a man page is examined. */
export interface PageCounts {
  /** Rules that have scenarios. */
  readonly rules: number;
  readonly scenarios: number;
}

/** Rules and scenarios by man page, in the order of the rules. */
export function countPages(rules: readonly Pick<RuleEntry, 'id' | 'scenarios'>[]): Map<string, PageCounts> {
  const counts = new Map<string, PageCounts>();
  for (const { id, scenarios } of rules) {
    if (scenarios.length === 0) continue;
    const page = pageOf(id);
    const before = counts.get(page);
    counts.set(page, {
      rules: (before?.rules ?? 0) + 1,
      scenarios: (before?.scenarios ?? 0) + scenarios.length,
    });
  }
  return counts;
}

/** The man page of a rule. */
export function pageOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** `12 rules with 30 scenarios` */
export function countsInWords({ rules, scenarios }: PageCounts): string {
  return `${rules} ${rules === 1 ? 'rule' : 'rules'} with ${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}`;
}
