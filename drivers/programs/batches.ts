import type { TraceStruct, TraceValue } from '../contract';
import type { VerbName } from '../verbs';
import type { ProgramRecord } from './program';

/** Where a program stands in a batch of an extended CQ: on a completion, behind the last one, or in none. */
type Standing = 'on' | 'behind';

/** Waits for the lock of the CQ, which a batch holds. */
const waitsForBatch: ReadonlySet<VerbName> = new Set(['ibv_start_poll', 'ibv_poll_cq', 'ibv_resize_cq']);

/**
 * The batches of extended CQs that a program has opened. ibv_next_poll(), ibv_end_poll() and the readers may be called in a
 * batch alone, and what waits for its end outside of it: a program does not make the others, whether a device opened a batch
 * or refused to, and so no device is led into a crash or into waiting for ever.
 */
export class Batches {
  readonly #standing = new Map<TraceValue | undefined, Standing>();

  /** Whether a program that is in its senses makes this call now. */
  allow(verb: VerbName, { cq }: TraceStruct): boolean {
    const standing = this.#standing.get(cq);
    if (waitsForBatch.has(verb)) return standing === undefined;
    if (verb === 'ibv_end_poll') return standing !== undefined;
    const reads = verb === 'ibv_next_poll' || verb === 'struct ibv_cq_ex' || verb.startsWith('ibv_wc_read_');
    return !reads || standing === 'on';
  }

  see({ verb, args: { cq }, returned }: ProgramRecord): void {
    if (verb === 'ibv_start_poll' && returned === 0) this.#standing.set(cq, 'on');
    else if (verb === 'ibv_next_poll') this.#standing.set(cq, returned === 0 ? 'on' : 'behind');
    else if (verb === 'ibv_end_poll') this.#standing.delete(cq);
  }
}
