import type { KnownFault } from './dictionary';
import { Likeness, type Observation } from './likeness';

/** Faults that explain the same failures about equally well. */
export interface Explanation {
  /** The likeliest first. */
  readonly faults: readonly KnownFault[];
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
const nearFrom = 0.5;
/** From which part of the best likeness on a fault is of one class with the best, if it explains the same. */
const alikeFrom = 0.9;

interface Fit extends Omit<Explanation, 'faults'> {
  readonly fault: KnownFault;
  readonly likeness: number;
}

/**
 * Explains the failures of a run by known faults: takes the one that fails most like what is unexplained and least of what
 * passed, until none is like the rest.
 */
export function diagnose(observation: Observation, faults: readonly KnownFault[]): Diagnosis {
  const open = new Map(observation.failed);
  const likeness = new Likeness(faults, observation);
  const explanations: Explanation[] = [];
  for (;;) {
    const best = open.size === 0 ? undefined : bestOf(open, observation, faults, likeness);
    if (best === undefined) return { explanations, unexplained: [...open.keys()] };
    explanations.push(best);
    for (const key of best.explained) open.delete(key);
  }
}

function bestOf(
  open: ReadonlyMap<string, string>,
  observation: Observation,
  faults: readonly KnownFault[],
  likeness: Likeness,
): Explanation | undefined {
  const likenessOf = likeness.to(open, observation.passed);
  const fits = faults
    .map((fault) => fitOf(fault, open, observation, likenessOf))
    .filter((fit) => fit !== undefined)
    .sort((one, other) => other.likeness - one.likeness);
  const [first, ...others] = fits;
  if (first === undefined) return undefined;
  const alike = others.filter(
    ({ explained, missed, likeness: likely }) =>
      likely >= alikeFrom * first.likeness && missed === first.missed && explained.join() === first.explained.join(),
  );
  const { explained, isNear, missed } = first;
  return { faults: [first, ...alike].map(({ fault }) => fault), explained, isNear, missed };
}

function fitOf(
  fault: KnownFault,
  open: ReadonlyMap<string, string>,
  { passed, rules }: Observation,
  likenessOf: (fault: KnownFault) => number,
): Fit | undefined {
  const signatures = new Set(fault.fails.values());
  const pairs = [...open];
  const isNear = !pairs.some(([key, signature]) => fault.fails.get(key) === signature);
  const explained = pairs
    .filter(([key, signature]) => {
      if (fault.fails.has(key) || (fault.isSampled && signatures.has(signature))) return true;
      return isNear && rules.get(key)?.some((id) => fault.rules.includes(id)) === true;
    })
    .map(([key]) => key);
  if (explained.length === 0) return undefined;
  const likely = likenessOf(fault);
  if (likely <= (isNear ? nearFrom : 0)) return undefined;
  const missed = [...fault.fails.keys()].filter((key) => passed.has(key)).length;
  return { fault, explained, isNear, missed, likeness: likely };
}
