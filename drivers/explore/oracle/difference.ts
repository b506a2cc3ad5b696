import type { TraceValue } from '../../contract';

/** Where a device did what the simulator does not, in whichever way that runs. */
export interface Difference {
  /** The place of the call. */
  readonly at: number;
  readonly verb: string;
  /** What is looked at: `returned`, `wc[0].status`. */
  readonly what: string;
  readonly expected: TraceValue;
  readonly observed: TraceValue;
}

/** What is looked at where the process dies that makes the calls. */
export const crash = 'crash';

export type Part = Omit<Difference, 'at' | 'verb'>;
