import { brokenRules } from './broken-rules';
import { MemberEvidence } from './members/differing';
import type { KnownFault } from './dictionary';
import type { FaultIndex } from './fault-index';
import { likenessTo } from './likeness';
import type { Observation } from './observation';
import type { KnownState } from './states/known-state';
import type { LikelyState } from './states/spoiled-states';
import { ViolatedRules } from './violated-rules';

/** Faults that explain the same failures about equally well, or a state that goes wrong. */
export interface Explanation {
  /** The likeliest first; none where a state explains the failures better. */
  readonly faults: readonly KnownFault[];
  /** What goes wrong where no fault is like it. */
  readonly state?: KnownState;
  /**
   * The rules that they break: first those that are violated, the likeliest to be broken itself before all others. With a
   * state, the likeliest of those that are violated.
   */
  readonly rules: readonly string[];
  /** Keys of the scenarios that they explain. */
  readonly explained: readonly string[];
  /** Whether no scenario fails in the same way under the fault: it is of the same rules, or shows alike elsewhere. */
  readonly isNear: boolean;
  /** How many scenarios passed that the fault fails. */
  readonly missed: number;
}

/** What explains a run, what explains most first, and what nothing explains. */
export interface Diagnosis {
  readonly explanations: readonly Explanation[];
  readonly unexplained: readonly string[];
}

/** From where on a fault counts as near under which no scenario fails in the same way. */
const nearFrom = 0.4;
/** From which part of the best likeness on a fault is of one class with the best, if it explains the same. */
const alikeFrom = 0.9;
/** How much more a fault counts that breaks the rule that is likeliest to be broken, and it alone. */
const brokenCounts = 1;
/** What has to speak for a state at least. */
const stateFrom = 1;
/** A fault that is as like as this counts for more against a state, by so much. */
const muchAlike = { from: 2, counts: 5 } as const;
/** From which part of the failures of both on, the same in the same way, a fault goes before those of which less is the same. */
const closeFrom = 0.5;
/** Rules that are named with a state. */
const stateRulesMax = 5;

interface Fit extends Omit<Explanation, 'faults' | 'state' | 'rules'> {
  readonly fault: KnownFault;
  readonly likeness: number;
  /** Whether the very same scenarios fail in the very same way. */
  readonly isExact: boolean;
  /** Which part of the failures of both are the same scenarios in the same way; 0 where that is too little to go by. */
  readonly closeness: number;
}

/**
 * Explains the failures of a run by known faults: takes the one that fails most like what is unexplained and least of what
 * passed, until none is like the rest. Where none is much like it, a state may be likelier to have gone wrong.
 */
export function diagnose(observation: Observation, index: FaultIndex): Diagnosis {
  const open = new Map(observation.failed);
  const explanations: Explanation[] = [];
  for (;;) {
    const best = open.size === 0 ? undefined : bestOf(open, observation, index);
    if (best === undefined) return { explanations, unexplained: [...open.keys()] };
    explanations.push(best);
    for (const key of best.explained) open.delete(key);
  }
}

function bestOf(
  open: ReadonlyMap<string, string>,
  observation: Observation,
  index: FaultIndex,
): Explanation | undefined {
  const violated = new ViolatedRules(open, observation);
  const likenessOf = likenessTo(open, observation.passed, index, violated);
  const members = new MemberEvidence(open.keys(), observation.differing);
  const neighbors = index.faults
    .map((fault) => ({ fault, likeness: likenessOf(fault) * members.weightOf(fault.rules) }))
    .filter(({ likeness }) => likeness > 0)
    .sort((one, other) => other.likeness - one.likeness);
  const broken = brokenRules(violated, index, neighbors, members);
  const fits = neighbors
    .map(({ fault, likeness }) =>
      fitOf(fault, likeness * (1 + brokenCounts * brokenShare(fault, broken, violated)), open, observation),
    )
    .filter((fit) => fit !== undefined)
    .sort(byFit);
  const [first, ...others] = fits;
  const spoiled = stateOf(first, open, observation, index);
  if (spoiled !== undefined) {
    const ids = [...violated.shares.keys()].filter((id) => index.states.violates(spoiled.state, id));
    const rules = inOrder(ids, broken).slice(0, stateRulesMax);
    return { faults: [], state: spoiled.state, rules, explained: spoiled.explained, isNear: true, missed: 0 };
  }
  if (first === undefined) return undefined;
  const alike = others.filter(
    ({ explained, missed, likeness: likely }) =>
      likely >= alikeFrom * first.likeness && missed === first.missed && explained.join() === first.explained.join(),
  );
  const { explained, isNear, missed } = first;
  const faults = [first, ...alike].map(({ fault }) => fault);
  const ids = [...new Set(faults.flatMap(({ rules }) => rules))];
  return { faults, rules: inOrder(ids, broken), explained, isNear, missed };
}

function byFit(one: Fit, other: Fit): number {
  return (
    Number(other.isExact) - Number(one.isExact) || other.closeness - one.closeness || other.likeness - one.likeness
  );
}

function brokenShare({ rules }: KnownFault, broken: ReadonlyMap<string, number>, violated: ViolatedRules): number {
  const ran = violated.thatRan(rules);
  return ran.reduce((sum, id) => sum + (broken.get(id) ?? 0), 0) / Math.sqrt(Math.max(1, ran.length));
}

/** The state that explains failures better than the best fault does, if one does. */
function stateOf(
  best: Fit | undefined,
  open: ReadonlyMap<string, string>,
  observation: Observation,
  { states }: FaultIndex,
): LikelyState | undefined {
  const likely = states.likeliest(open, observation);
  if (likely === undefined || likely.state.isNamedByFaults || likely.explained.length === 0) return undefined;
  const { likeness = 0, closeness = 0, isExact = false } = best ?? {};
  const against = likeness * (likeness < muchAlike.from ? 1 : muchAlike.counts);
  return isExact || closeness > 0 || showsWhole(best, open) || likely.evidence <= Math.max(against, stateFrom)
    ? undefined
    : likely;
}

/** Whether all that a fault fails has failed, and in the same way; a single scenario may by chance. */
function showsWhole(best: Fit | undefined, open: ReadonlyMap<string, string>): boolean {
  const fails = [...(best?.fault.fails ?? [])];
  return fails.length > 1 && fails.every(([key, signature]) => open.get(key) === signature);
}

function inOrder(ids: readonly string[], broken: ReadonlyMap<string, number>): readonly string[] {
  return [...ids].sort((one, other) => (broken.get(other) ?? 0) - (broken.get(one) ?? 0));
}

function fitOf(
  fault: KnownFault,
  likeness: number,
  open: ReadonlyMap<string, string>,
  { passed, rules }: Observation,
): Fit | undefined {
  const pairs = [...open];
  const isNear = !pairs.some(([key, signature]) => fault.fails.get(key) === signature);
  if (isNear && likeness <= nearFrom) return undefined;
  const explained = pairs
    .filter(([key]) => {
      if (fault.fails.has(key)) return true;
      return isNear && rules.get(key)?.some((id) => fault.rules.includes(id)) === true;
    })
    .map(([key]) => key);
  if (explained.length === 0) return undefined;
  const missed = [...fault.fails.keys()].filter((key) => passed.has(key)).length;
  const same = pairs.filter(([key, signature]) => fault.fails.get(key) === signature).length;
  const isExact = missed === 0 && same === pairs.length;
  return { fault, explained, isNear, missed, likeness, isExact, closeness: closenessOf(fault, same, open, passed) };
}

function closenessOf(
  { fails }: KnownFault,
  same: number,
  open: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
): number {
  const ran = [...fails.keys()].filter((key) => open.has(key) || passed.has(key)).length;
  const closeness = same / Math.max(1, open.size + ran - same);
  return closeness < closeFrom ? 0 : closeness;
}
