import type { KnownFault } from './dictionary';
import { Features, type Feature } from './features';
import type { Observation } from './observation';
import { SpoiledStates } from './states/spoiled-states';

/** In how many faults something is found. */
type Counts<T> = Map<T, number>;

interface Shared {
  readonly features: Features;
  readonly featuresOf: ReadonlyMap<KnownFault, ReadonlySet<Feature>>;
  readonly violatedBy: ReadonlyMap<KnownFault, ReadonlySet<string>>;
  readonly having: Counts<Feature>;
  readonly violating: Counts<string>;
  readonly breaking: Counts<string>;
}

/** The known faults and states, with what is counted over all faults once: what few of them show says more. */
export class FaultIndex {
  readonly features: Features;
  readonly #shared: Shared;

  private constructor(
    readonly faults: readonly KnownFault[],
    readonly states: SpoiledStates,
    shared: Shared,
    readonly left: KnownFault | undefined,
  ) {
    this.#shared = shared;
    this.features = shared.features;
  }

  /** @param rules - the ids of the rules of each scenario that ran */
  static of(
    faults: readonly KnownFault[],
    rules: Observation['rules'],
    states: SpoiledStates = new SpoiledStates([]),
  ): FaultIndex {
    const features = new Features(rules);
    const featuresOf = new Map(faults.map((fault) => [fault, features.of(fault.fails)]));
    const violatedBy = new Map(faults.map((fault) => [fault, violatedRules(fault.fails.keys(), rules)]));
    const shared = {
      ...{ features, featuresOf, violatedBy },
      having: countsOf(featuresOf.values()),
      violating: countsOf(violatedBy.values()),
      breaking: countsOf(faults.map((fault) => new Set(fault.rules))),
    };
    return new FaultIndex(faults, states, shared, undefined);
  }

  /** The same without one of the faults, to ask what the others know of it. */
  without(fault: KnownFault): FaultIndex {
    const others = this.faults.filter((one) => one !== fault);
    return new FaultIndex(others, this.states, this.#shared, fault);
  }

  /** The features of all failures of a known fault. */
  featuresOf(fault: KnownFault): ReadonlySet<Feature> {
    return this.#shared.featuresOf.get(fault) ?? new Set();
  }

  /** How much a feature counts: the more, the fewer faults have it. */
  weightOf(feature: Feature): number {
    const isOfLeft = this.left !== undefined && this.featuresOf(this.left).has(feature);
    const count = (this.#shared.having.get(feature) ?? 0) - Number(isOfLeft);
    const all = this.faults.length + 1;
    return this.features.weightOf(feature) * Math.log(all / Math.max(1, count)) ** 2;
  }

  /** Under how many faults scenarios of a rule fail. */
  violating(rule: string): number {
    const isOfLeft = this.left !== undefined && this.#shared.violatedBy.get(this.left)?.has(rule) === true;
    return (this.#shared.violating.get(rule) ?? 0) - Number(isOfLeft);
  }

  /** How many faults break a rule themselves. */
  breaking(rule: string): number {
    const isOfLeft = this.left?.rules.includes(rule) === true;
    return (this.#shared.breaking.get(rule) ?? 0) - Number(isOfLeft);
  }
}

function violatedRules(keys: Iterable<string>, rules: Observation['rules']): ReadonlySet<string> {
  return new Set([...keys].flatMap((key) => rules.get(key) ?? []));
}

function countsOf<T>(sets: Iterable<ReadonlySet<T>>): Counts<T> {
  const counts: Counts<T> = new Map();
  for (const set of sets) for (const item of set) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
