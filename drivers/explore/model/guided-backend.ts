import type { Dut, TraceStruct, TraceValue } from '../../contract';
import type { RawResult } from '../../pipeline/backend';
import { isRefusal, type VerbName } from '../../pipeline/conventions';
import { stringsOf } from '../../pipeline/values';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { Testbed } from '../../sim/testbed';
import type { Cq } from '../../sim/cq/cq';
import type { Qp } from '../../sim/qp/qp';
import type { Guide } from './guide';
import { GuidedCompChannel } from './guided-channel';
import { GuidedAsyncEvents, GuidedContext } from './guided-events';
import { guidedDevice } from './guides';
import { GuidedCq, GuidedCqIterator } from './guided-cq';
import { guidedMemory } from './guided-memory';
import { guidedQp } from './guided-qp';
import { guidedRequester } from './guided-requester';
import { guidedSrq } from './guided-srq';
import { guidedResponder } from './guided-responder';
import { guidedTransmitter } from './guided-transmitter';
import { guidedVerbs } from './guided-verbs';
import { mayRefuse } from './may-refuse';
import { sendsLeftInSqd } from './known/sends-left-in-sqd';
import { waitingSends } from './known/waiting-sends';

/** A poll(2) of so many milliseconds that ends for want of events has waited until everything has happened. */
const patientMs = 100;

function guidedRequesters(guide: Guide): Pick<Parts, 'Requester'> {
  const waiting = { ...soundParts, ...waitingSends(soundParts, guide) };
  return guidedRequester({ ...waiting, ...sendsLeftInSqd(waiting, guide) }, guide);
}

function guidedParts(guide: Guide): Parts {
  return {
    ...soundParts,
    ...guidedVerbs(soundParts, guide),
    ...guidedResponder(soundParts, guide),
    ...guidedMemory(soundParts, guide),
    ...guidedQp(soundParts, guide),
    ...guidedSrq(soundParts, guide),
    ...guidedRequesters(guide),
    ...guidedTransmitter(soundParts, guide),
    Device: guidedDevice(guide),
    Context: GuidedContext,
    AsyncEvents: GuidedAsyncEvents,
    CompChannel: GuidedCompChannel,
    Cq: GuidedCq,
    CqIterator: GuidedCqIterator,
  };
}

/** IBV_QPS_RESET is refused to a QP whose sends are being drained. No page has a clause about it. */
export const drainRefusesReset = 'IBV_QPS_RESET of a QP whose sends are being drained';

/** States that a QP need not enter while its sends are being drained. */
const goingOn: ReadonlySet<unknown> = new Set(['IBV_QPS_SQD', 'IBV_QPS_RTS']);

/** The simulator, led by what a device was observed to do: time passes only as the schedule says. */
export class GuidedBackend extends SimBackend {
  protected override readonly callUs = 0;
  readonly #guide: Guide;

  constructor(guide: Guide, dut: Dut = simulatedDut) {
    super(guidedParts(guide), new Testbed(), dut);
    this.#guide = guide;
  }

  override async begin(): Promise<void> {
    await super.begin();
    this.#guide.handles = this.node.handles;
  }

  override async settle(): Promise<void> {
    await super.settle();
    this.#guide.epoch += 1;
  }

  override async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const guide = this.#guide;
    this.#passTime();
    if (verb === 'poll' && Number(args.timeoutMs) >= patientMs && guide.observed?.returned === 0) {
      this.node.pass((clock) => clock.runAll());
      guide.epoch += 1;
    }
    const { observed } = guide;
    if (observed !== undefined && isRefusal(verb, observed.returned) && this.#mayRefuse(verb, args)) {
      guide.ledger.take('may-refuse');
      const { returned, errno, outputs } = observed;
      return { returned, errno, outputs, startedAt: 0, durationUs: 0 };
    }
    this.#releaseCqes(verb, args);
    const at = guide.at;
    const result = await super.call(verb, this.#isShortPoll(verb, args) ? { ...args, timeoutMs: 0 } : args);
    const now = guide.at;
    guide.at = at;
    guide.learn(result);
    guide.at = now;
    return verb.startsWith('ibv_wc_read_') ? this.#withCurrent(result, args) : result;
  }

  /** In so short a time nothing need happen, whatever its own time is: a device may take longer for all of it. */
  #isShortPoll(verb: VerbName, { timeoutMs }: TraceStruct): boolean {
    const isShort = Number(timeoutMs) > 0 && Number(timeoutMs) < patientMs;
    return verb === 'poll' && isShort && this.#guide.observed?.returned === 0;
  }

  /** What a reader gives counts by the CQE that it is of. */
  #withCurrent(result: RawResult, { cq }: TraceStruct): RawResult {
    const { iterator } = this.node.handles.get(handleIn(cq), ['cq']) as { iterator: StandingIterator };
    return { ...result, outputs: { ...result.outputs, current: { ...iterator.standsOn } } };
  }

  /** Lets happen what the schedule has happen before this call. */
  #passTime(): void {
    const guide = this.#guide;
    const { clock } = this.node.device;
    const { choices, isLazy } = guide.schedule;
    const canBeLate = this.#armsWithFresh();
    if (clock.pending > 0 || canBeLate) guide.points.push({ at: guide.at, pending: clock.pending, canBeLate });
    const choice = choices.get(guide.at) ?? (isLazy ? 'none' : 'all');
    if (choice !== 'all' && clock.pending > 0) guide.ledger.take('late-work');
    if (choice === 'none') return;
    let steps = 0;
    this.node.pass((time) => {
      time.runAll(() => typeof choice === 'number' && steps++ >= choice);
    });
  }

  #armsWithFresh(): boolean {
    const { observed } = this.#guide;
    if (observed?.verb !== 'ibv_req_notify_cq') return false;
    const cq = this.#modelled(observed.args.cq) as (Cq & { readonly hasFresh: boolean }) | undefined;
    return cq?.hasFresh === true;
  }

  /** What of a QP that has failed can be changed but its state, no page says; a PD that something uses may be kept. */
  #mayRefuse(verb: VerbName, args: TraceStruct): boolean {
    if (verb === 'ibv_dealloc_pd') return this.#isUsed(handleIn(args.pd));
    if (verb !== 'ibv_modify_qp') return mayRefuse(verb, args);
    const qp = this.node.handles.find(handleIn(args.qp)) as Qp;
    const { state } = qp;
    // For all that is known its sends are being drained, and it neither begins a second drain meanwhile nor goes on.
    const { qpState } = args.attr as TraceStruct;
    const mayDrain = state === 'IBV_QPS_SQD' && this.#guide.drains.get(qp) === this.#guide.epoch;
    if (mayDrain && qpState === 'IBV_QPS_RESET') return this.#guide.excuses(drainRefusesReset);
    if (state === 'IBV_QPS_SQD' && goingOn.has(qpState)) return mayDrain;
    return state === 'IBV_QPS_ERR' && !stringsOf(args, 'attrMask').includes('IBV_QP_STATE');
  }

  #isUsed(pd: string): boolean {
    const used = this.node.handles.find(pd);
    const users = this.node.handles.list().map((handle) => this.node.handles.find(handle) as UserOfPd | undefined);
    return used !== undefined && users.some((user) => user?.pd === used || user?.init?.pd === used);
  }

  /** CQEs of a QP that is destroyed or reset may be gone. */
  #releaseCqes(verb: VerbName, args: TraceStruct): void {
    const isReset = verb === 'ibv_modify_qp' && (args.attr as TraceStruct).qpState === 'IBV_QPS_RESET';
    if (verb !== 'ibv_destroy_qp' && !isReset) return;
    const qp = this.node.handles.find(handleIn(args.qp)) as {
      qpNum: number;
      init: { sendCq: Releasing; recvCq: Releasing };
    };
    for (const cq of [qp.init.sendCq, qp.init.recvCq]) cq.release(qp.qpNum);
  }

  #modelled(handle: unknown): object | undefined {
    const name = this.#guide.nameOf('device', handle);
    const own = this.node.handles.list().find((one) => this.#guide.nameOf('model', one) === name);
    return own === undefined ? undefined : this.node.handles.find(own);
  }
}

const handleIn = (value: TraceValue | undefined): string => (typeof value === 'string' ? value : '');

interface StandingIterator {
  readonly standsOn: TraceStruct;
}

/** An object of a PD, if it has one. */
interface UserOfPd {
  readonly pd?: object;
  readonly init?: { readonly pd?: object };
}

interface Releasing {
  release(qpNum: number): void;
}
