import { isExpired, applicability, type Conditions, type ListedDeviation } from '../../catalog/deviations';
import { clauseIdsOf } from '../../catalog/clauses';
import { entryFor, isListed } from '../../reports/judge/match-deviations';
import type { IsListed } from '../../steps/world/dut';

/**
 * What is known of a device while it runs: whether a failed check is one that an entry names for its scenario, so that the
 * steps after it run. What the list says of the scenario in the end is judged after the run.
 */
export function knownOf(deviations: readonly ListedDeviation[], conditions: Conditions, nowMs = Date.now()): IsListed {
  const holding = deviations.filter((entry) => applicability(entry, conditions).holds && !isExpired(entry, nowMs));
  return ({ tags, scenario, step, comparison: { subject, expected, observed } }) => {
    const clauseIds = clauseIdsOf(tags.map((name) => ({ name })));
    const entry = entryFor(holding, { name: scenario, clauseIds });
    return entry !== undefined && isListed(entry, { verdict: 'fail', step, subject, expected, observed });
  };
}
