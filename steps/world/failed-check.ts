import type { Comparison } from '../../drivers/contract';

/** A check that failed in a step of a scenario. */
export interface FailedCheck {
  /** Those of the scenario, its Rule and its feature, with their signs. */
  readonly tags: readonly string[];
  readonly scenario: string;
  /** The step as it is written, with its keyword. */
  readonly step: string;
  readonly comparison: Comparison;
}
