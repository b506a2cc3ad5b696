import type { Observation } from './observation';

/** The rules of scenarios that failed, with the part of their scenarios that did. */
export class ViolatedRules {
  /** By the id of a rule that is violated: which part of its scenarios that ran has failed, above 0. */
  readonly shares: ReadonlyMap<string, number>;
  /** How many scenarios of each rule ran. */
  readonly #ran: ReadonlyMap<string, number>;

  /** @param open - what failed: signatures by the keys of scenarios */
  constructor(open: ReadonlyMap<string, string>, { failed, passed, rules }: Observation) {
    const failing = countsOf(open.keys(), rules);
    this.#ran = countsOf([...failed.keys(), ...passed], rules);
    this.shares = new Map([...failing].map(([id, count]) => [id, count / (this.#ran.get(id) ?? count)]));
  }

  /** Those of the rules of which scenarios ran: nobody knows whether the others are violated. */
  thatRan(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => this.#ran.has(id));
  }
}

function countsOf(keys: Iterable<string>, rules: Observation['rules']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) for (const id of rules.get(key) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
