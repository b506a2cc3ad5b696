import type { Parts } from '../device/device';

/** A planted departure of the simulator from one rule: the scenarios of that rule have to notice it. */
export interface Fault {
  /** Clause ids of the rules that it breaks. */
  readonly rules: readonly string[];
  /** What goes wrong. */
  readonly effect: string;
  /** The classes that break them, in place of the sound ones. */
  readonly parts: Partial<Parts>;
}
