/** Media types of what a scenario attaches for its verdict and its report. */
export const mediaTypes = {
  /** The calls of the scenario: JSON, a list of CallRecord, 64-bit values as hexadecimal strings. */
  trace: 'application/vnd.verbspec.trace+json',
  /** Why the scenario does not apply to this device: text. */
  notApplicable: 'application/vnd.verbspec.not-applicable',
} as const;
