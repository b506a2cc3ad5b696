import type { Observation } from './observation';

/**
 * What failures have in common counts by its kind: the same scenario with the same signature, a scenario, a signature, a
 * violated rule, its man page, or a signature among the scenarios of a rule. Found by leaving each
 * planted fault out in turn.
 */
const weights = { same: 1, scenario: 1, signature: 0.5, rule: 4, page: 0.25, way: 1 } as const;

type Kind = keyof typeof weights;

/** A feature of failures, by a number. */
export type Feature = number;

/** Numbers for the features of failures, so that many faults are compared quickly. */
export class Features {
  readonly #numbers = new Map<string, Feature>();
  readonly #weights: number[] = [];
  readonly #ofFailures = new Map<string, readonly Feature[]>();

  constructor(readonly rules: Observation['rules']) {}

  /** The features of failures: signatures by the keys of scenarios. */
  of(fails: Iterable<readonly [key: string, signature: string]>): ReadonlySet<Feature> {
    const features = new Set<Feature>();
    for (const [key, signature] of fails) for (const one of this.#ofFailure(key, signature)) features.add(one);
    return features;
  }

  weightOf(feature: Feature): number {
    return this.#weights[feature] ?? 0;
  }

  #ofFailure(key: string, signature: string): readonly Feature[] {
    const text = `${key} ${signature}`;
    const known = this.#ofFailures.get(text);
    if (known !== undefined) return known;
    const features = [
      this.#number('same', text),
      this.#number('scenario', key),
      this.#number('signature', signature),
      ...(this.rules.get(key) ?? []).flatMap((id) => [
        this.#number('rule', id),
        this.#number('page', id.replace(/\..*/, '')),
        this.#number('way', `${id} ${signature}`),
      ]),
    ];
    this.#ofFailures.set(text, features);
    return features;
  }

  #number(kind: Kind, text: string): Feature {
    const name = `${kind} ${text}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#weights.length);
    return this.#weights.push(weights[kind]) - 1;
  }
}
