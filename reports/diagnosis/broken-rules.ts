import type { KnownFault } from './dictionary';
import type { MemberEvidence } from './members/differing';
import type { FaultIndex } from './fault-index';
import type { ViolatedRules } from './violated-rules';

/** How much each sign counts; found on half of the planted faults. */
const exponents = { ownMostly: 0.6, failing: 1.5, near: 0.4 } as const;
/** As if so many more faults had been seen that break a rule, and that merely violate it. */
const prior = 2;
/** The vote of a fault that is not there. */
const voteMin = 0.06;
/** How many of the nearest faults vote. */
const votersMax = 15;

/** A fault with its likeness to what failed. */
export interface Neighbor {
  readonly fault: KnownFault;
  readonly likeness: number;
}

/**
 * How likely each violated rule is to be broken itself, rather than to fail because another one is: the likeliest counts 1.
 * It is likely if most faults that violate the rule also break it, if all of its scenarios fail, and if faults near by break it.
 *
 * @param neighbors - the nearest first
 */
export function brokenRules(
  violated: ViolatedRules,
  index: FaultIndex,
  neighbors: readonly Neighbor[],
  members: MemberEvidence,
): ReadonlyMap<string, number> {
  const votes = votesOf(neighbors.slice(0, votersMax));
  const likelihoods = [...violated.shares].map(([id, share]): [string, number] => {
    const ownMostly = (index.breaking(id) + prior) / (index.violating(id) + 2 * prior);
    const near = voteMin + (votes.get(id) ?? 0);
    return [
      id,
      ownMostly ** exponents.ownMostly * share ** exponents.failing * near ** exponents.near * members.weightOf([id]),
    ];
  });
  const best = Math.max(...likelihoods.map(([, likelihood]) => likelihood));
  return new Map(likelihoods.map(([id, likelihood]) => [id, likelihood / best]));
}

/** A fault that breaks many rules says little of each. */
function votesOf(neighbors: readonly Neighbor[]): ReadonlyMap<string, number> {
  const votes = new Map<string, number>();
  const nearest = neighbors[0]?.likeness ?? 1;
  for (const { fault, likeness } of neighbors) {
    const vote = (likeness / nearest) ** 2 / Math.sqrt(fault.rules.length);
    for (const id of fault.rules) votes.set(id, (votes.get(id) ?? 0) + vote);
  }
  return votes;
}
