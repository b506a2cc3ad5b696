import { errnos, type Errno, type TraceStruct } from '../contract';

/** A verb of the simulator refuses; the backend turns it into the return value of the C function. */
export class Refusal extends Error {
  readonly errno: number;

  /** @param outputs - what the verb fills in although it refuses */
  constructor(
    override readonly name: Errno,
    readonly outputs: TraceStruct = {},
  ) {
    super(name);
    this.errno = errnos[name];
  }
}

/** Refuses with `errno` unless `condition` holds. */
export function demand(condition: boolean, errno: Errno): asserts condition {
  if (!condition) throw new Refusal(errno);
}

/** Posts a list of work requests up to the one at `bad`, which is refused with all behind it; all where that is negative. */
export function postUpTo<Wr>(wrs: readonly Wr[], bad: number, post: (taken: readonly Wr[]) => void): void {
  post(bad < 0 ? wrs : wrs.slice(0, bad));
  if (bad >= 0) throw new Refusal('ENOMEM', { badWr: bad });
}
