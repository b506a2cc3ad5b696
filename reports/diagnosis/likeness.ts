import type { KnownFault } from './dictionary';

/** What a run showed: keys of scenarios, and hashes of signatures. */
export interface Observation {
  /** The signature that each scenario failed with. */
  readonly failed: ReadonlyMap<string, string>;
  /** The scenarios that ran and passed. */
  readonly passed: ReadonlySet<string>;
  /** The ids of the rules of each scenario that ran. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
}

/** What counts when failures are compared, by the kind of a feature; found by leaving each planted fault out in turn. */
const weights = { same: 1, scenario: 1, signature: 0.7, rule: 2, page: 0.5, way: 1 } as const;
/** How much more a fault counts whose own rules are violated. */
const ownRules = 3;

type Feature = `${keyof typeof weights} ${string}`;

/** How like the failures of a run are to those under known faults: what is rare counts more, as in the search for texts. */
export class Likeness {
  readonly #rules: Observation['rules'];
  readonly #rarity = new Map<Feature, number>();
  /** Of a feature that no known fault has. */
  readonly #rarest: number;

  constructor(faults: readonly KnownFault[], { rules }: Pick<Observation, 'rules'>) {
    this.#rules = rules;
    this.#rarest = Math.log(faults.length + 1);
    const counts = new Map<Feature, number>();
    for (const { fails } of faults) {
      for (const feature of this.#featuresOf(fails)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    }
    for (const [feature, count] of counts) this.#rarity.set(feature, Math.log((faults.length + 1) / count));
  }

  /** How like a fault is to what failed, from 0, where they have nothing in common. */
  to(open: ReadonlyMap<string, string>, passed: ReadonlySet<string>): (fault: KnownFault) => number {
    const observed = this.#featuresOf(open);
    const sumObserved = this.#sum(observed);
    return (fault) => {
      const known = this.#featuresOf(failuresUnder(fault, open, passed));
      const common = this.#sum([...known].filter((feature) => observed.has(feature)));
      if (common === 0) return 0;
      return (common / Math.sqrt(this.#sum(known) * sumObserved)) * (1 + ownRules * this.#ownShare(fault, open));
    };
  }

  /** Which part of the rules of a fault is violated. */
  #ownShare({ rules }: KnownFault, open: ReadonlyMap<string, string>): number {
    const violated = new Set([...open.keys()].flatMap((key) => this.#rules.get(key) ?? []));
    return rules.filter((id) => violated.has(id)).length / Math.max(1, rules.length);
  }

  #sum(features: Iterable<Feature>): number {
    let sum = 0;
    for (const feature of features) sum += (weightOf(feature) * (this.#rarity.get(feature) ?? this.#rarest)) ** 2;
    return sum;
  }

  #featuresOf(fails: ReadonlyMap<string, string>): ReadonlySet<Feature> {
    const features = new Set<Feature>();
    for (const [key, signature] of fails) {
      features.add(`same ${key} ${signature}`).add(`scenario ${key}`).add(`signature ${signature}`);
      for (const id of this.#rules.get(key) ?? []) {
        features
          .add(`rule ${id}`)
          .add(`page ${id.replace(/\..*/, '')}`)
          .add(`way ${id} ${signature}`);
      }
    }
    return features;
  }
}

/** How scenarios that ran fail under a fault; of one that is sampled, those that fail as it shows elsewhere are taken to be its. */
function failuresUnder(
  { fails, isSampled }: KnownFault,
  open: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const ran = [...fails].filter(([key]) => open.has(key) || passed.has(key));
  const signatures = new Set(isSampled ? fails.values() : []);
  const others = [...open].filter(([key, signature]) => !fails.has(key) && signatures.has(signature));
  return new Map([...ran, ...others]);
}

function weightOf(feature: Feature): number {
  return weights[feature.slice(0, feature.indexOf(' ')) as keyof typeof weights];
}
