import type { TraceValue } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
import type { Difference } from './difference';

/** A time stamp that was read. */
interface Stamp {
  readonly value: TraceValue;
  readonly wrId: TraceValue | undefined;
  /** How many sends were posted until then. */
  readonly posts: number;
}

/** The time stamps of completions: work that is posted when another one's has been read completes at another time. */
export class TimeStamps {
  readonly #last = new Map<TraceValue, Stamp>();
  readonly #current = new Map<TraceValue, TraceValue | undefined>();
  /** By wr_id, how many posts there were before. */
  readonly #posted = new Map<TraceValue | undefined, number>();
  #posts = 0;

  see({ verb, args, outputs }: ProgramRecord): Omit<Difference, 'at' | 'verb'> | undefined {
    const { cq = '', wrs } = args;
    if (verb === 'ibv_post_send') {
      this.#posts += 1;
      for (const wr of wrs as readonly { readonly wrId?: TraceValue }[]) this.#posted.set(wr.wrId, this.#posts);
    }
    if (verb === 'struct ibv_cq_ex') this.#current.set(cq, outputs.wrId);
    return verb === 'ibv_wc_read_completion_ts' ? this.#read(cq, outputs.value ?? null) : undefined;
  }

  #read(cq: TraceValue, value: TraceValue): Omit<Difference, 'at' | 'verb'> | undefined {
    const wrId = this.#current.get(cq);
    const last = this.#last.get(cq);
    this.#last.set(cq, { value, wrId, posts: this.#posts });
    const isLater = last !== undefined && wrId !== last.wrId && (this.#posted.get(wrId) ?? 0) > last.posts;
    return isLater && last.value === value ? { what: 'value', expected: 'a later time', observed: value } : undefined;
  }
}
