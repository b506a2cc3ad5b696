import type { Clause } from '../../catalog/clauses';
import type { RuleVerdict } from '../../catalog/verdict';

/** A clause with what the features have for it, and what a run said of it. */
export interface RuleRow extends Omit<Clause, 'statement' | 'untested'> {
  /** What it says: the title of its Rule, or its statement where it has none. */
  readonly title: string;
  /** How many scenarios its Rule has; each row of an outline is one. */
  readonly scenarios: number;
  /** Why it cannot be shown, where it has no scenario. */
  readonly reason?: string;
  /** Feature file of its Rule. */
  readonly uri?: string;
  readonly verdict?: RuleVerdict;
}
