import type { CallRecord } from '../drivers/contract';

/** Media types of what a scenario attaches for its verdict and report. */
export const mediaTypes = {
  /** The calls of the scenario: JSON, a list of CallRecord, 64-bit values as hexadecimal strings. */
  trace: 'application/vnd.verbspec.trace+json',
  /** Why the scenario does not apply to this device: text. */
  notApplicable: 'application/vnd.verbspec.not-applicable',
} as const;

/** The trace as JSON. */
export function traceText(records: readonly CallRecord[]): string {
  return JSON.stringify(records, (_key, value: unknown) =>
    typeof value === 'bigint' ? `0x${BigInt.asUintN(64, value).toString(16)}` : value,
  );
}
