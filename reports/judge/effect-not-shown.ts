import type { Clause } from '../../catalog/clauses';
import type { RuleEntry } from './verdicts';

/** What a report notes at a rule that a device which does nothing would conform to as well. */
export const effectNote = 'accepted, effect not shown';

/** The member of an entry that says so. */
export function effectMember(
  { effectNotShown }: Clause,
  verdict: RuleEntry['verdict'],
): Pick<RuleEntry, 'effectNotShown'> {
  return verdict === 'conforms' && effectNotShown !== undefined ? { effectNotShown: true } : {};
}

/** How many rules conform without their effect being shown. */
export function countEffectsNotShown(rules: readonly (RuleEntry | undefined)[]): number {
  return rules.filter((rule) => rule?.effectNotShown).length;
}
