import type { TraceStruct, TraceValue } from '../../contract';
import { structsOf } from '../../pipeline/values';
import type { ProgramRecord } from '../../programs/program';

/** The CQs of the work of a QP, and where its receives come from. */
interface Ends {
  readonly sendCq: TraceValue;
  readonly recvCq: TraceValue;
  readonly srq: TraceValue;
}

/**
 * Whether a CQ may have had more completions than it has room for: as much work was posted, whether or not it is signaled,
 * beyond what was polled. Nobody need have read IBV_EVENT_CQ_ERR.
 */
export function mayOverrun(records: readonly (ProgramRecord | undefined)[]): boolean {
  const cqs = new Occupancy();
  return records.some((record) => record !== undefined && cqs.see(record));
}

class Occupancy {
  readonly #room = new Map<TraceValue, number>();
  readonly #used = new Map<TraceValue, number>();
  readonly #qps = new Map<TraceValue, Ends>();

  /** @returns whether a CQ may be overrun now */
  see({ args, returned, outputs, ...record }: ProgramRecord): boolean {
    const verb: string = record.verb;
    switch (verb) {
      case 'ibv_create_cq':
      case 'ibv_create_cq_ex':
        this.#room.set(returned, Number(outputs.cqe));
        return false;
      case 'ibv_resize_cq':
        if (returned === 0) this.#room.set(args.cq ?? '', Number(outputs.cqe ?? args.cqe));
        return this.#isOver(args.cq ?? '');
      case 'ibv_create_qp':
        this.#qps.set(returned, args.qpInitAttr as unknown as Ends);
        return false;
      case 'ibv_poll_cq':
        if ('wc' in outputs) this.#add(args.cq ?? '', -structsOf(outputs, 'wc').length);
        return false;
      case 'ibv_post_send':
        return this.#post(args, [this.#qps.get(args.qp ?? '')?.sendCq]);
      case 'ibv_post_recv':
        return this.#post(args, [this.#qps.get(args.qp ?? '')?.recvCq]);
      case 'ibv_post_srq_recv':
        return this.#post(
          args,
          [...this.#qps.values()].filter(({ srq }) => srq === args.srq).map(({ recvCq }) => recvCq),
        );
      default:
        return false;
    }
  }

  #post(args: TraceStruct, cqs: readonly (TraceValue | undefined)[]): boolean {
    const count = structsOf(args, 'wrs').length;
    return cqs.some((cq = '') => {
      this.#add(cq, count);
      return this.#isOver(cq);
    });
  }

  #add(cq: TraceValue, count: number): void {
    this.#used.set(cq, Math.max(0, (this.#used.get(cq) ?? 0) + count));
  }

  #isOver(cq: TraceValue): boolean {
    return (this.#used.get(cq) ?? 0) > (this.#room.get(cq) ?? Infinity);
  }
}
