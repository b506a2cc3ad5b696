import type { Handle } from '../verbs/kinds';

/** What the trace of a scenario does not say of itself. */
export interface TraceLegend {
  /** The names that the scenario has for its objects. */
  readonly names: Readonly<Record<Handle, string>>;
  /** How many calls the trace had when each step began, those of the Background first, and when the last one ended. */
  readonly steps: readonly number[];
}

/** Media types of what a scenario attaches for its verdict and its report. */
export const mediaTypes = {
  /** The calls of the scenario: JSON, a list of CallRecord, 64-bit values as hexadecimal strings. */
  trace: 'application/vnd.verbspec.trace+json',
  /** The calls that tidied up after the scenario, in the same form. */
  cleanUpTrace: 'application/vnd.verbspec.clean-up-trace+json',
  /** What such a trace does not say of itself: JSON, a TraceLegend. */
  traceLegend: 'application/vnd.verbspec.trace-legend+json',
  /** What a step compared that failed: JSON, a Comparison. */
  failure: 'application/vnd.verbspec.failure+json',
  /** Why the scenario does not apply to this device: text. */
  notApplicable: 'application/vnd.verbspec.not-applicable',
} as const;

/** File name of the kernel's log of the scenario's window, which is attached as plain text. */
export const kernelLogFileName = 'kernel.log';
