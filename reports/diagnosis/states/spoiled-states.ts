import type { Observation } from '../observation';
import { shortHash } from '../scenario-keys';
import type { KnownState } from './known-state';
import { traitsOfFailure, traitsOfState, weightOf, type Trait, type Traits } from './state-traits';

/** How much it counts how often a state went wrong among the faults that it was learned from. */
const frequencyCounts = 0.5;

/** A state that may have gone wrong. */
export interface LikelyState {
  readonly state: KnownState;
  /** How much speaks for it: above 0, the failures are rather as with it than as with any other. */
  readonly evidence: number;
  /** Keys of the scenarios whose failures speak for it. */
  readonly explained: readonly string[];
}

/** The known states, with what is counted over all of them once. */
export class SpoiledStates {
  readonly #traits: ReadonlyMap<KnownState, Traits>;
  /** In how many faults a trait was seen, over all states. */
  readonly #all = new Map<Trait, number>();
  readonly #faults: number;

  constructor(readonly states: readonly KnownState[]) {
    this.#traits = new Map(states.map((state) => [state, traitsOfState(state)]));
    this.#faults = states.reduce((sum, { faults }) => sum + faults, 0);
    for (const [{ faults }, traits] of this.#traits)
      for (const [trait, share] of traits) this.#all.set(trait, (this.#all.get(trait) ?? 0) + faults * share);
  }

  /**
   * The state that is likeliest to have gone wrong. What speaks for it is how much more often its failures have the traits of
   * those that are seen; many failures that are alike count less than each for itself.
   *
   * @param open - what failed: signatures by the keys of scenarios
   */
  likeliest(open: ReadonlyMap<string, string>, observation: Observation): LikelyState | undefined {
    const failures = [...open].map(([key, how]): [string, Traits] => [key, traitsOfFailure(key, how, observation)]);
    const likely = this.states.map((state): LikelyState => {
      const spoken = failures.map(([key, traits]): [string, number] => [key, this.#evidenceOf(traits, state)]);
      const sum = spoken.reduce((before, [, evidence]) => before + evidence, 0);
      const frequency = frequencyCounts * Math.log(state.faults / this.#faults);
      return {
        state,
        evidence: frequency + sum / Math.sqrt(failures.length),
        explained: spoken.filter(([, evidence]) => evidence > 0).map(([key]) => key),
      };
    });
    return likely.sort((one, other) => other.evidence - one.evidence)[0];
  }

  /** Whether scenarios of a rule fail when a state goes wrong. */
  violates(state: KnownState, rule: string): boolean {
    return this.#traits.get(state)?.has(`rule ${shortHash(rule)}`) === true;
  }

  #evidenceOf(traits: Traits, state: KnownState): number {
    const own = this.#traits.get(state);
    let evidence = 0;
    for (const [trait, share] of traits) {
      const seen = this.#all.get(trait);
      if (seen === undefined) continue;
      const usual = seen / (this.#faults + 1);
      const here = (state.faults * (own?.get(trait) ?? 0) + usual) / (state.faults + 1);
      evidence += weightOf(trait) * share * Math.log(here / usual);
    }
    return evidence;
  }
}
