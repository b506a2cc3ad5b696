import type { TraceValue } from '../../../contract';
import type { ProgramRecord } from '../../../programs/program';
import type { Difference } from '../difference';

/** A time stamp that was read. */
interface Stamp {
  readonly value: TraceValue;
  readonly wrId: TraceValue | undefined;
  /** How many sends were posted until then. */
  readonly posts: number;
  /** The steps that its batches had made. */
  readonly steps: number;
}

/** A send, by its QP and by how many were posted before it. */
interface Send {
  readonly qp: TraceValue;
  readonly place: number;
}

/** What goes on to another completion of an extended CQ. */
const stepping: ReadonlySet<string> = new Set(['ibv_start_poll', 'ibv_next_poll', 'ibv_end_poll']);

/**
 * The time stamps of completions: one has one, and work that is posted when another one's has been read another one. Of the
 * sends of one QP none completes before an earlier one.
 */
export class TimeStamps {
  readonly #last = new Map<TraceValue, Stamp>();
  readonly #current = new Map<TraceValue, TraceValue | undefined>();
  /** By wr_id, how many posts there were before. */
  readonly #posted = new Map<TraceValue | undefined, number>();
  readonly #steps = new Map<TraceValue, number>();
  /** By wr_id; `undefined` if that is not of one send alone. */
  readonly #sends = new Map<TraceValue | undefined, Send | undefined>();
  readonly #lastOfQp = new Map<TraceValue, { readonly place: number; readonly value: bigint }>();
  #posts = 0;

  see({ verb, args, outputs }: ProgramRecord): Omit<Difference, 'at' | 'verb'> | undefined {
    const { cq = '', qp = '', wrs } = args;
    const wrIds = ((wrs ?? []) as readonly { readonly wrId?: TraceValue }[]).map(({ wrId }) => wrId);
    for (const wrId of wrIds) {
      const send = verb === 'ibv_post_send' ? { qp, place: this.#sends.size } : undefined;
      this.#sends.set(wrId, this.#sends.has(wrId) ? undefined : send);
    }
    if (verb === 'ibv_post_send') {
      this.#posts += 1;
      for (const wrId of wrIds) this.#posted.set(wrId, this.#posts);
    }
    if (stepping.has(verb)) this.#steps.set(cq, (this.#steps.get(cq) ?? 0) + 1);
    if (verb === 'struct ibv_cq_ex') this.#current.set(cq, outputs.wrId);
    return verb === 'ibv_wc_read_completion_ts' ? this.#read(cq, outputs.value ?? null) : undefined;
  }

  #read(cq: TraceValue, value: TraceValue): Omit<Difference, 'at' | 'verb'> | undefined {
    const wrId = this.#current.get(cq);
    const last = this.#last.get(cq);
    const steps = this.#steps.get(cq) ?? 0;
    this.#last.set(cq, { value, wrId, posts: this.#posts, steps });
    if (last?.steps === steps && last.value !== value) return { what: 'value', expected: last.value, observed: value };
    const isLater = last !== undefined && wrId !== last.wrId && (this.#posted.get(wrId) ?? 0) > last.posts;
    if ((isLater && last.value === value) || this.#goesBack(this.#sends.get(wrId), value))
      return { what: 'value', expected: 'a later time', observed: value };
    return undefined;
  }

  /** Whether a send completed before an earlier one of its QP. A much smaller time is of a counter that has begun anew. */
  #goesBack(send: Send | undefined, value: TraceValue): boolean {
    if (send === undefined || typeof value !== 'bigint') return false;
    const { qp, place } = send;
    const last = this.#lastOfQp.get(qp);
    this.#lastOfQp.set(qp, { place, value });
    return last !== undefined && last.place < place && value < last.value && value > last.value / 2n;
  }
}
