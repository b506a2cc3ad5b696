import { RuleViolated, Unexpected, type Comparison } from './check';
import { dataOf } from './data';
import { VerbsError } from './errors';

/** What an error says of the DUT as data: what a check compared, or how a verb refused. Any other says nothing. */
export function comparisonOf(error: unknown): Comparison | undefined {
  if (error instanceof RuleViolated) return error.comparison;
  if (!(error instanceof VerbsError)) return undefined;
  const { verb, returned, errno } = error;
  return { subject: `${verb}()`, expected: 'success', observed: dataOf({ returned, errno }) };
}

/** The same of an error that says several things: each by itself. */
export function comparisonsOf(error: unknown): readonly Comparison[] {
  return error instanceof Unexpected ? error.comparisons : [comparisonOf(error)].filter((one) => one !== undefined);
}
