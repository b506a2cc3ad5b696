import type { RuleEntry } from '../judge/verdicts';

/** What a report notes at a rule that a device which does nothing would conform to as well. */
export const effectNote = 'accepted, effect not shown';

/** How many rules conform without their effect being shown. */
export function countEffectsNotShown(rules: readonly RuleEntry[]): number {
  return rules.filter(({ effectNotShown }) => effectNotShown).length;
}
