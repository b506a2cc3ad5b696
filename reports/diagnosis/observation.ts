import type { Differing } from './members/differing';

/** What a run showed: keys of scenarios, and hashes of signatures. */
export interface Observation {
  /** The signature that each scenario failed with. */
  readonly failed: ReadonlyMap<string, string>;
  /** The scenarios that ran and passed. */
  readonly passed: ReadonlySet<string>;
  /** What of completions each failure shows to differ, if that is known. */
  readonly differing?: Differing;
  /** The ids of the rules of each scenario that ran. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
}
