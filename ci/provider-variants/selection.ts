import type { FeatureRule } from '../../cli/inputs/features';
import type { Sound } from '../provider-faults/judge-fault';
import type { ProviderVariant } from './variant';

/** How many scenarios stand for all that can meet a variant, beside those of the rules that it breaks. */
const standIns = 5;

/** Of so many rules, the scenario in the middle of one can be a stand-in. */
const rulesForOne = 3;

/** Paths with lines of the scenarios that {@link selectionFor} may take. */
export function candidatesFor(variants: readonly ProviderVariant[], rules: readonly FeatureRule[]): string[] {
  const broken = new Set(variants.flatMap(({ breaks = [], shownBy = [] }) => [...breaks, ...shownBy]));
  return rules.flatMap(({ uri, ids, scenarios }, index) => {
    const middle = scenarios.at(scenarios.length / 2);
    const isOne = index % rulesForOne === 0 && middle !== undefined;
    const taken = ids.some((id) => broken.has(id)) ? scenarios : isOne ? [middle] : [];
    return taken.length === 0 ? [] : [[uri, ...taken.map(({ line }) => line)].join(':')];
  });
}

/** The scenarios of the rules that a variant breaks, and some of those that can meet it, as far apart as can be. */
export function selectionFor(variant: ProviderVariant, candidates: readonly Sound[]): readonly Sound[] {
  const { meets, breaks = [], shownBy = [] } = variant;
  const isOf = (ids: readonly string[], { clauseIds }: Sound): boolean => clauseIds.some((id) => ids.includes(id));
  const meeting = candidates.filter((one) => meets(one.calls) && !isOf(breaks, one) && !isOf(shownBy, one));
  const apart = Math.max(1, meeting.length / standIns);
  const chosen = new Set(Array.from({ length: standIns }, (_, index) => meeting[Math.floor(index * apart)]));
  return candidates.filter((one) => isOf(breaks, one) || isOf(shownBy, one) || chosen.has(one));
}
