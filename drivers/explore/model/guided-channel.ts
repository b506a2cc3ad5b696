import type { ProgramRecord } from '../../programs/program';
import { isRefusal } from '../../pipeline/conventions';
import { CompChannel } from '../../sim/channel/comp-channel';
import type { Cq } from '../../sim/cq/cq';
import { Refusal } from '../../sim/refusal';
import type { Guide } from './guide';
import { guideOf } from './guides';

/** An event that waits to be taken. */
interface Waiting<T> {
  readonly event: T;
  isOptional: boolean;
}

/** Whether a call was refused by the device. */
export function wasRefused({ observed }: Guide): boolean {
  return observed !== undefined && observed.blocked !== true && isRefusal(observed.verb, observed.returned);
}

/** Whether the device said to poll(2) that there is nothing. */
export function saidNothing({ observed }: Guide): boolean {
  return observed?.verb === 'poll' && observed.returned === 0;
}

/** A completion channel that follows the device where it may. */
export class GuidedCompChannel extends CompChannel {
  #waiting: Waiting<Cq>[] = [];
  /** CQs whose request may be spent already. */
  readonly #doubtful = new Set<Cq>();
  /** The gets that have had an event. */
  readonly #served = new Set<number>();

  override add(cq: Cq): void {
    const isOptional = this.hasJustMade(cq) || this.#doubtful.has(cq);
    if (isOptional) this.guide.ledger.take('coalesced-event');
    const one = { event: cq, isOptional };
    this.guide.bear(one, this.guide.handles.of(cq), isOptional);
    this.#waiting.push(one);
  }

  /** Whether an event of that CQ waits that may still be on its way. */
  hasJustMade(cq: Cq): boolean {
    return this.#waiting.some((one) => one.event === cq && this.guide.isFresh(one));
  }

  /** A request that is made while an event is on its way may be spent by that one. */
  seeRequest(cq: Cq): void {
    if (this.hasJustMade(cq)) this.#doubtful.add(cq);
    else this.#doubtful.delete(cq);
  }

  /** An overrun may have lost the CQE that has made an event which may still be on its way, or that makes one. */
  seeOverrun(cq: Cq): void {
    this.#doubtful.add(cq);
    for (const one of this.#waiting) if (one.event === cq && this.guide.isFresh(one)) one.isOptional = true;
  }

  #mayBeEmpty(): boolean {
    return this.#waiting.every((one) => one.isOptional || this.guide.isFresh(one));
  }

  /**
   * An event that the device has had of receives that it leaves in IBV_QPS_ERR tells that it has flushed one, or that the call
   * has waited for what another thread did.
   */
  #flushLate(): void {
    const { observed } = this.guide;
    const told = observed?.verb === 'poll' ? this.guide.following('ibv_get_cq_event', 'channel') : observed;
    const name = told?.returned === 0 ? this.guide.nameOf('device', told.outputs.cq) : undefined;
    if (name === undefined) return;
    const cq = [...this.cqs].find((one) => this.guide.nameOf('model', this.guide.handles.of(one)) === name);
    if (cq === undefined || this.#waiting.some(({ event }) => event === cq)) return;
    if (this.guide.schedule.waitsForEvents) return;
    if (this.guide.lateReceives.flushFirst(cq)) this.guide.sawLateEvent = true;
  }

  override beginGet(): void {
    this.#flushLate();
    if (this.#waiting.length > 0 && wasRefused(this.guide) && this.#mayBeEmpty()) {
      this.guide.ledger.take('late-event');
      throw new Refusal('EAGAIN');
    }
    super.beginGet();
  }

  override get readable(): boolean {
    if (saidNothing(this.guide) && this.#mayBeEmpty()) return false;
    if (this.guide.observed?.blocked === true && this.#due === 0) return false;
    if (this.guide.observed?.returned === 1) this.#flushLate();
    return this.#waiting.length > 0;
  }

  /** Events that are there for certain. */
  get #due(): number {
    return this.#waiting.filter(({ isOptional }) => !isOptional).length;
  }

  /** Gets that were seen to return with an event, and have not had theirs: those of other threads may win. */
  get #getsToCome(): number {
    const { observed, observation } = this.guide;
    const isToCome = (record: ProgramRecord | undefined, at: number): boolean =>
      record?.verb === 'ibv_get_cq_event' &&
      record.returned === 0 &&
      record.args.channel === observed?.args.channel &&
      !this.#served.has(at);
    return observation.records.filter(isToCome).length;
  }

  override take(): Cq | undefined {
    if (this.guide.observed?.blocked === true && this.#due <= this.#getsToCome) return undefined;
    const named = this.guide.observed?.outputs.cq;
    const name = named === undefined ? undefined : this.guide.nameOf('device', named);
    const like = this.#waiting.find(({ event }) => this.guide.nameOf('model', this.guide.handles.of(event)) === name);
    const taken = like ?? this.#waiting.find(({ isOptional }) => !isOptional);
    if (taken === undefined) return undefined;
    if (taken !== this.#waiting[0]) this.guide.ledger.take('order-of-events');
    this.#waiting = this.#waiting.filter((one) => one !== taken);
    taken.event.countTaken();
    this.#served.add(this.guide.at);
    return taken.event;
  }

  override forget(cq: Cq): void {
    this.#waiting = this.#waiting.filter(({ event }) => event !== cq);
    super.forget(cq);
  }

  private get guide(): Guide {
    return guideOf(this.context.device);
  }
}
