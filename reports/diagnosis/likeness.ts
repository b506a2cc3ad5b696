import type { KnownFault } from './dictionary';
import type { FaultIndex } from './fault-index';
import type { Feature } from './features';
import type { ViolatedRules } from './violated-rules';

/** How much more a fault counts all of whose own rules are violated, and all of whose own scenarios fail. */
const own = { violated: 3, failing: 3 } as const;

/** How much it counts against a fault that it shows what did not fail; what failed and it does not show counts for the rest. */
const missing = 0.3;

/** How like a fault is to what failed, from 0, where they have nothing in common. */
export type LikenessOf = (fault: KnownFault) => number;

/**
 * Compares failures with those under known faults: what is rare counts more, as in the search for texts.
 *
 * @param open - what failed: signatures by the keys of scenarios
 */
export function likenessTo(
  open: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
  index: FaultIndex,
  violated: ViolatedRules,
): LikenessOf {
  const observed = index.features.of(open);
  const sumObserved = sumOf(observed, index);
  return (fault) => {
    const known = featuresUnder(fault, open, passed, index);
    let common = 0;
    for (const feature of known) if (observed.has(feature)) common += index.weightOf(feature);
    if (common === 0) return 0;
    const overlap = common / (sumOf(known, index) ** missing * sumObserved ** (1 - missing));
    return overlap * ownWeight(fault, violated);
  };
}

function sumOf(features: Iterable<Feature>, index: FaultIndex): number {
  let sum = 0;
  for (const feature of features) sum += index.weightOf(feature);
  return sum;
}

function ownWeight(fault: KnownFault, violated: ViolatedRules): number {
  const rules = violated.thatRan(fault.rules);
  const shares = rules.map((id) => violated.shares.get(id) ?? 0);
  const [failing, count] = [shares.reduce((sum, share) => sum + share, 0), shares.filter((share) => share > 0).length];
  return 1 + (own.violated * count + own.failing * failing) / Math.max(1, rules.length);
}

/** Of how those scenarios fail under a fault that ran. */
function featuresUnder(
  fault: KnownFault,
  open: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
  index: FaultIndex,
): ReadonlySet<Feature> {
  const ran = [...fault.fails].filter(([key]) => open.has(key) || passed.has(key));
  return ran.length === fault.fails.size ? index.featuresOf(fault) : index.features.of(ran);
}
