import type { TraceStruct, TraceValue } from '../../contract';
import { isRefusal } from '../../pipeline/conventions';
import { structsOf } from '../../pipeline/values';
import type { ProgramRecord } from '../../programs/program';
import { brokenRelation } from './relations/device-relations';
import type { Difference } from './difference';
import { mayOverrun } from './overruns';
import { TimeStamps } from './relations/time-stamps';

/** A work request that was posted. */
interface Posted {
  readonly wrId: TraceValue | undefined;
  /** Whether it has to complete by itself; after a reset it may. */
  completes: 'yes' | 'no' | 'maybe';
  /** Whether the queue was reset since: how it ends says nothing of what comes after. */
  isOfBefore: boolean;
}

/** A queue of work requests: what was posted and not seen to complete. */
class Queue {
  readonly #open: Posted[] = [];
  hasFailed = false;

  post(wrId: TraceValue | undefined, completes: Posted['completes'] = 'yes'): void {
    this.#open.push({ wrId, completes, isOfBefore: false });
  }

  /** What was posted may complete, or may be gone. */
  reset(): void {
    this.hasFailed = false;
    for (const posted of this.#open) {
      if (posted.completes === 'yes') posted.completes = 'maybe';
      posted.isOfBefore = true;
    }
  }

  /**
   * The first with that wr_id; those before it that make no CQE of their own are done with it. If it is of before a reset, a
   * later one may have completed in its place.
   */
  complete(wrId: TraceValue | undefined): { readonly posted: Posted; readonly passed: readonly Posted[] } | undefined {
    const signaled = this.#open.findIndex((posted) => posted.wrId === wrId && posted.completes !== 'no');
    const at = signaled >= 0 ? signaled : this.#open.findIndex((posted) => posted.wrId === wrId);
    const posted = this.#open[at];
    if (posted === undefined) return undefined;
    const passed = this.#open.splice(0, at + 1).slice(0, -1);
    if (posted.isOfBefore) this.doubt(wrId);
    return { posted, passed };
  }

  has(wrId: TraceValue | undefined): boolean {
    return this.#open.some((posted) => posted.wrId === wrId);
  }

  /** A request with that wr_id has completed, of this queue or of another. */
  doubt(wrId: TraceValue | undefined): void {
    for (const posted of this.#open) if (posted.wrId === wrId) posted.completes = 'maybe';
  }

  /** As above, of a queue whose requests complete in any order. */
  take(wrId: TraceValue | undefined): Posted | undefined {
    const at = this.#open.findIndex((posted) => posted.wrId === wrId);
    return at < 0 ? undefined : this.#open.splice(at, 1)[0];
  }
}

/** A QP as far as its completions are looked at. */
interface Pair {
  readonly sends: Queue;
  readonly receives: Queue;
  readonly sharesReceives: boolean;
  readonly signalsAll: boolean;
}

const receiveOpcodes: ReadonlySet<TraceValue | undefined> = new Set(['IBV_WC_RECV', 'IBV_WC_RECV_RDMA_WITH_IMM']);

/**
 * What holds of every program on every device, whatever the model says, in one pass: each signaled work request completes
 * once and after it was posted, in the order of its queue; after a failure nothing succeeds; wr_id comes back; immediate
 * and invalidation exclude each other; a CQ makes no more events than it was armed.
 */
export function brokenAxiom(
  records: readonly (ProgramRecord | undefined)[],
  excused: ReadonlySet<string> = new Set(),
): Difference | undefined {
  const losesAtOverrun = excused.has('ibv_poll_cq.overrun-cq-unusable');
  const isLossy = records.some(losesByItself) || (losesAtOverrun && mayOverrun(records));
  const axioms = new Axioms(isLossy, requestsIn(records));
  for (const [at, record] of records.entries()) {
    if (record === undefined || record.blocked === true) continue;
    const broken = axioms.see(record);
    if (broken !== undefined) return { at, verb: record.verb, ...broken };
  }
  return brokenRelation(records);
}

function losesByItself(record: ProgramRecord | undefined): boolean {
  if (record === undefined) return false;
  const attr = record.args.cqAttr as TraceStruct | undefined;
  const flags = attr?.flags;
  return (
    record.verb === 'ibv_start_poll' || (Array.isArray(flags) && flags.includes('IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN'))
  );
}

type Broken = Omit<Difference, 'at' | 'verb'>;

const broken = (what: string, expected: TraceValue, observed: TraceValue): Broken => ({ what, expected, observed });

class Axioms {
  readonly #qps = new Map<TraceValue, Pair>();
  /** A number may be used again: the newest QP comes last. */
  readonly #byNumber = new Map<TraceValue, Pair[]>();
  readonly #shared = new Map<TraceValue, Queue>();
  readonly #stamps = new TimeStamps();

  /** @param isLossy - whether completions are lost lawfully, or are taken in batches, of which is not known of what they are */
  constructor(
    readonly isLossy: boolean,
    readonly armed: Map<TraceValue, number>,
  ) {}

  see(record: ProgramRecord): Broken | undefined {
    const { args, returned, outputs } = record;
    const verb: string = record.verb;
    if (isRefusal(record.verb, returned)) {
      this.#refused(record);
      return;
    }
    const stamped = this.#stamps.see(record);
    if (stamped !== undefined) return stamped;
    switch (verb) {
      case 'ibv_create_qp':
        this.#create(returned, outputs, args.qpInitAttr as TraceStruct);
        break;
      case 'ibv_create_srq':
        this.#shared.set(returned, new Queue());
        break;
      case 'ibv_modify_qp':
        this.#modify(args);
        break;
      case 'ibv_post_send':
        this.#postSends(args);
        break;
      case 'ibv_post_recv':
        for (const { wrId } of structsOf(args, 'wrs')) this.#qps.get(args.qp ?? '')?.receives.post(wrId);
        break;
      case 'ibv_post_srq_recv':
        for (const { wrId } of structsOf(args, 'wrs')) this.#shared.get(args.srq ?? '')?.post(wrId);
        break;
      case 'ibv_poll_cq':
        return this.#poll(structsOf(outputs, 'wc'), Number(args.numEntries));
      case 'ibv_get_cq_event':
        return this.#event(outputs.cq ?? '');
    }
    return undefined;
  }

  /** What stands in a list before the request that is refused has been posted. */
  #refused(record: ProgramRecord): undefined {
    const { badWr } = record.outputs;
    if (typeof badWr !== 'number') return;
    const wrs = structsOf(record.args, 'wrs').slice(0, badWr);
    this.see({ ...record, args: { ...record.args, wrs }, returned: 0 });
  }

  #create(handle: TraceValue, { qpNum }: TraceStruct, { srq, sqSigAll }: TraceStruct): void {
    const shared = typeof srq === 'string' ? this.#shared.get(srq) : undefined;
    const pair: Pair = {
      sends: new Queue(),
      receives: shared ?? new Queue(),
      sharesReceives: shared !== undefined,
      signalsAll: sqSigAll === true,
    };
    this.#qps.set(handle, pair);
    if (qpNum !== undefined) this.#byNumber.set(qpNum, [...(this.#byNumber.get(qpNum) ?? []), pair]);
  }

  /** A QP that is reset begins anew. */
  #modify({ qp, attr }: TraceStruct): void {
    const pair = this.#qps.get(qp ?? '');
    if (pair === undefined || (attr as TraceStruct).qpState !== 'IBV_QPS_RESET') return;
    pair.sends.reset();
    if (!pair.sharesReceives) pair.receives.reset();
  }

  #postSends({ qp, wrs }: TraceStruct): void {
    const pair = this.#qps.get(qp ?? '');
    for (const { wrId, sendFlags } of wrs as readonly TraceStruct[]) {
      const isSignaled = Array.isArray(sendFlags) && sendFlags.includes('IBV_SEND_SIGNALED');
      pair?.sends.post(wrId, pair.signalsAll || isSignaled ? 'yes' : 'no');
    }
  }

  #poll(wcs: readonly TraceStruct[], numEntries: number): Broken | undefined {
    if (wcs.length > numEntries) return broken('wc', numEntries, wcs.length);
    for (const [index, wc] of wcs.entries()) {
      const found = this.#complete(wc, `wc[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #complete(wc: TraceStruct, place: string): Broken | undefined {
    const { wrId, status, opcode, qpNum, wcFlags } = wc;
    const pair = this.#pairOf(qpNum ?? '', wc);
    if (pair === undefined) return broken(`${place}.qpNum`, 'the number of a QP', qpNum ?? null);
    const isGood = status === 'IBV_WC_SUCCESS';
    // A failed completion does not say of which queue it is.
    if (!isGood) return this.#fail(pair, wc, place);
    const flags = Array.isArray(wcFlags) ? wcFlags : [];
    if (['IBV_WC_WITH_IMM', 'IBV_WC_WITH_INV'].every((flag) => flags.includes(flag))) {
      return broken(`${place}.wcFlags`, 'an immediate or an invalidation', flags.map(String));
    }
    const isReceive = receiveOpcodes.has(opcode);
    const queue = isReceive ? pair.receives : pair.sends;
    if (isReceive && pair.sharesReceives) {
      const isOpen = queue.take(wrId) !== undefined;
      return isOpen ? undefined : broken(`${place}.wrId`, 'that of a receive of the SRQ', wrId ?? null);
    }
    return this.#succeed(queue, wrId, place);
  }

  /**
   * The newest QP of that number that has such work, as CQEs may outlast the QP that they are of; of one that has succeeded, one
   * of which work can still succeed.
   */
  #pairOf(qpNum: TraceValue, { wrId, status, opcode }: TraceStruct): Pair | undefined {
    const pairs = this.#byNumber.get(qpNum) ?? [];
    const isOpen = ({ sends, receives }: Pair): boolean => {
      const queue = receiveOpcodes.has(opcode) ? receives : sends;
      return status === 'IBV_WC_SUCCESS' && queue.has(wrId) && !queue.hasFailed;
    };
    const hasWork = ({ sends, receives }: Pair): boolean => sends.has(wrId) || receives.has(wrId);
    return pairs.findLast(isOpen) ?? pairs.findLast(hasWork) ?? pairs.at(-1);
  }

  #succeed(queue: Queue, wrId: TraceValue | undefined, place: string): Broken | undefined {
    if (queue.hasFailed) return broken(`${place}.status`, 'IBV_WC_WR_FLUSH_ERR', 'IBV_WC_SUCCESS');
    const done = queue.complete(wrId);
    if (done === undefined)
      return broken(`${place}.wrId`, 'that of work that was posted and has not completed', wrId ?? null);
    if (done.posted.completes === 'no') return broken(place, 'no CQE of an unsignaled send', wrId ?? null);
    const skipped = done.passed.find(({ completes }) => completes === 'yes');
    return skipped === undefined || this.isLossy
      ? undefined
      : broken(`${place}.wrId`, skipped.wrId ?? null, wrId ?? null);
  }

  #fail({ sends, receives, sharesReceives }: Pair, { wrId, status }: TraceStruct, place: string): Broken | undefined {
    const queues = [sends, receives].filter((one) => one.has(wrId));
    const [queue, other] = queues;
    if (queue === undefined)
      return broken(`${place}.wrId`, 'that of work that was posted and has not completed', wrId ?? null);
    if (other === undefined) {
      const isOfBefore = queue.take(wrId)?.isOfBefore === true;
      // A receive that is too short for a message within a CQE may fail alone.
      const failsAlone = queue === receives && (sharesReceives || status === 'IBV_WC_LOC_LEN_ERR');
      if (!isOfBefore && !failsAlone) queue.hasFailed = true;
    } else {
      for (const one of queues) one.doubt(wrId);
    }
    return undefined;
  }

  /** A request is one shot. Threads are in no order, so that all requests are counted before. */
  #event(cq: TraceValue): Broken | undefined {
    const left = (this.armed.get(cq) ?? 0) - 1;
    this.armed.set(cq, left);
    return left < 0 ? broken('cq', 'no event of a CQ that was not armed', cq) : undefined;
  }
}

/** How often each CQ was armed. */
function requestsIn(records: readonly (ProgramRecord | undefined)[]): Map<TraceValue, number> {
  const armed = new Map<TraceValue, number>();
  for (const record of records) {
    if (record?.verb !== 'ibv_req_notify_cq' || record.returned !== 0) continue;
    const { cq = '' } = record.args;
    armed.set(cq, (armed.get(cq) ?? 0) + 1);
  }
  return armed;
}
