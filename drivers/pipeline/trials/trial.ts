import type { Capability, QpType } from '../../contract';
import type { Bench } from './bench';

/** What a trial has at hand. */
export interface TrialOn {
  readonly bench: Bench;
  /** What the trials before have shown. */
  readonly found: ReadonlySet<Capability>;
  /** QPs that the device connects: RC, or UD where it connects none. */
  readonly qpType: QpType;
}

/** How a device shows that it has a capability. */
export interface Trial {
  readonly capability: Capability;
  /** A device that lacks one of them cannot show this one, and lacks it too. */
  readonly needs?: readonly Capability[];
  /** Whether it takes a pair of QPs, RC or UD. */
  readonly sends?: true;
  /**
   * Resolves with whether the device has it, also where something went wrong that is for the scenarios to show. Rejects
   * with VerbsError where the device refused what is not tried.
   */
  readonly shows: (on: TrialOn) => Promise<boolean>;
}
