import { brokenRules } from './broken-rules';
import { MemberEvidence } from './members/differing';
import type { KnownFault } from './dictionary';
import type { FaultIndex } from './fault-index';
import { likenessTo } from './likeness';
import type { Observation } from './observation';
import { ViolatedRules } from './violated-rules';

/** Faults that explain the same failures about equally well. */
export interface Explanation {
  /** The likeliest first. */
  readonly faults: readonly KnownFault[];
  /** The rules that they break: first those that are violated, the likeliest to be broken itself before all others. */
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

interface Fit extends Omit<Explanation, 'faults' | 'rules'> {
  readonly fault: KnownFault;
  readonly likeness: number;
  /** Whether the very same scenarios fail in the very same way. */
  readonly isExact: boolean;
}

/**
 * Explains the failures of a run by known faults: takes the one that fails most like what is unexplained and least of what
 * passed, until none is like the rest.
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
    .sort((one, other) => Number(other.isExact) - Number(one.isExact) || other.likeness - one.likeness);
  const [first, ...others] = fits;
  if (first === undefined) return undefined;
  const alike = others.filter(
    ({ explained, missed, likeness: likely }) =>
      likely >= alikeFrom * first.likeness && missed === first.missed && explained.join() === first.explained.join(),
  );
  const { explained, isNear, missed } = first;
  const faults = [first, ...alike].map(({ fault }) => fault);
  return { faults, rules: rulesInOrder(faults, broken), explained, isNear, missed };
}

function brokenShare({ rules }: KnownFault, broken: ReadonlyMap<string, number>, violated: ViolatedRules): number {
  const ran = violated.thatRan(rules);
  return ran.reduce((sum, id) => sum + (broken.get(id) ?? 0), 0) / Math.sqrt(Math.max(1, ran.length));
}

function rulesInOrder(faults: readonly KnownFault[], broken: ReadonlyMap<string, number>): readonly string[] {
  const ids = [...new Set(faults.flatMap(({ rules }) => rules))];
  return ids.sort((one, other) => (broken.get(other) ?? 0) - (broken.get(one) ?? 0));
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
  const signatures = new Set(fault.isSampled ? fault.fails.values() : []);
  const explained = pairs
    .filter(([key, signature]) => {
      if (fault.fails.has(key) || signatures.has(signature)) return true;
      return isNear && rules.get(key)?.some((id) => fault.rules.includes(id)) === true;
    })
    .map(([key]) => key);
  if (explained.length === 0) return undefined;
  const missed = [...fault.fails.keys()].filter((key) => passed.has(key)).length;
  const isExact = missed === 0 && pairs.every(([key, signature]) => fault.fails.get(key) === signature);
  return { fault, explained, isNear, missed, likeness, isExact };
}
