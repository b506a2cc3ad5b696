/** A value as it travels in a call record: what JSON has, and bigint for 64 bits. */
export type TraceValue =
  null | boolean | number | bigint | string | readonly TraceValue[] | { readonly [name: string]: TraceValue };

/** One call of a verb, raw as the C function gave it: the trace of a scenario is the list of these. */
export interface CallRecord {
  /** The C function: `ibv_poll_cq`, `poll`, `fcntl`. */
  readonly verb: string;
  readonly args: { readonly [name: string]: TraceValue };
  /** The C function's own result: a number, a handle for a pointer, `null` for NULL; `undefined` if it never returned. */
  readonly returned: number | string | null | undefined;
  /** Symbolic name of errno after a refusal. */
  readonly errno: string | undefined;
  /** What the verb filled in. */
  readonly outputs: { readonly [name: string]: TraceValue };
  /** Microseconds on the DUT's monotonic clock. */
  readonly startedAt: number;
  readonly durationUs: number;
}
