/** A value as it travels in a call record: what JSON has, and bigint for 64 bits. */
export type TraceValue = null | boolean | number | bigint | string | readonly TraceValue[] | TraceStruct;

/** Named values: the arguments or outputs of a verb, or a struct among them. */
export interface TraceStruct {
  readonly [name: string]: TraceValue;
}

/** One call of a verb, raw as the C function gave it: the trace of a scenario is the list of these. */
export interface CallRecord {
  /** The C function: `ibv_poll_cq`, `poll`, `fcntl`. */
  readonly verb: string;
  readonly args: TraceStruct;
  /** The C function's own result: a number, a handle for a pointer, `null` for NULL; `undefined` if it never returned. */
  readonly returned: number | string | null | undefined;
  /** Symbolic name of errno after a refusal. */
  readonly errno: string | undefined;
  /** What the verb filled in. */
  readonly outputs: TraceStruct;
  /** Microseconds on the DUT's monotonic clock; of a call that never returned, the end of the one before. */
  readonly startedAt: number;
  readonly durationUs: number;
}
