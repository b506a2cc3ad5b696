import {
  maskOf,
  qpAttrBits,
  type QpAttr,
  type QpCap,
  type QpType,
  type RecvWr,
  type TraceStruct,
} from '../../contract';
import { statusesOfPeer, type WcStatus } from '../../sim/cq/completions';
import type { Cqe } from '../../sim/cq/cq';
import type { Parts } from '../../sim/device/device';
import { attributesAllowed } from '../../sim/qp/attributes-of-states';
import type { Message } from '../../sim/qp/message';
import type { Qp } from '../../sim/qp/qp';
import { leadsTo, takesSends } from '../../sim/qp/states';
import { canBind } from '../../sim/qp/transmitter';
import { hasImmediate, isOfType, operations, type SendRequest } from '../../sim/qp/work-request';
import { demand, Refusal } from '../../sim/refusal';
import { numberIn, type Guide, type HoldsPlaces } from './guide';
import type { LooseName } from './looseness';
import { GuidedCq } from './guided-cq';
import { workFlushesReceives } from './known/late-receives';

/** A receive that is posted to a QP in IBV_QPS_ERR is flushed only when the QP is moved there again. No page has a clause about it. */
export const lateReceiveStays = 'a receive that is posted in IBV_QPS_ERR';

/**
 * A send queue that was reset with a request under way does not drain any more, and nothing that is sent from it afterwards
 * can be foreseen. No page has a clause about it.
 */
export const resetQueueNeverDrains = 'a QP in IBV_QPS_SQD that was reset after a send';

/** How work ends that names memory which its QP may not use, here or at the peer. */
const violations: ReadonlySet<WcStatus> = new Set([
  'IBV_WC_LOC_PROT_ERR',
  'IBV_WC_MW_BIND_ERR',
  'IBV_WC_REM_ACCESS_ERR',
]);

/** QPs that tell what counts by ibv_query_qp(3). */
function queriedQp(of: Parts, guide: Guide): Parts['Qp'] {
  return class extends of.Qp {
    /** Members that were set since the QP was made or reset. */
    readonly #set = new Set<string>();
    #pausedIn: number | undefined;

    override modify(attr: QpAttr): void {
      const { state } = this;
      super.modify(attr);
      if (this.state === 'IBV_QPS_SQD' && (state !== this.state || attr.qpState === state))
        this.#pausedIn = guide.epoch;
      if (attr.qpState === 'IBV_QPS_RTR') guide.everConnected.add(this);
      for (const member of Object.keys(attr)) this.#set.add(member);
      if (attr.qpState === 'IBV_QPS_RESET') this.#set.clear();
    }

    /**
     * What was set, as long as the QP works: which members count in other states, the page does not say. A QP that has just
     * been moved to IBV_QPS_SQD, also from there, is draining, if only to find that there is nothing to drain.
     */
    override query(): TraceStruct {
      const works = this.state !== 'IBV_QPS_ERR' && this.state !== 'IBV_QPS_RESET';
      const begins = this.state === 'IBV_QPS_SQD' && this.#pausedIn === guide.epoch;
      const told = Object.entries({ ...super.query(), ...(begins && { sqDraining: true }) }).filter(
        ([name]) => name === 'qpState' || name === 'sqDraining' || (works && this.#set.has(name)),
      );
      return Object.fromEntries(told);
    }
  };
}

/** The first request of a list that a full queue refuses: as the device says, and none for which there is room. */
export function firstBeyond({ observed, ledger }: Guide, room: number, end: number): number {
  ledger.take('full-queue');
  const { badWr } = observed?.outputs ?? {};
  return Math.min(Math.max(typeof badWr === 'number' ? badWr : room, room, 0), end);
}

/** The requests of each queue that may still take a place: those that were posted, without those whose CQEs were polled. */
class Places implements HoldsPlaces {
  readonly #posted = { send: 0, receive: 0 };

  posted(queue: Cqe['queue']): number {
    return this.#posted[queue];
  }

  take(queue: Cqe['queue'], count: number): void {
    this.#posted[queue] += count;
  }

  freePlace(queue: Cqe['queue']): void {
    this.#posted[queue] = Math.max(0, this.#posted[queue] - 1);
  }
}

/** QPs whose queues hold what those of the device do, as that tells when it makes them. */
function roomyQp(of: Parts, guide: Guide) {
  return class extends queriedQp(of, guide) {
    readonly #told = guide.observed?.outputs.cap as Partial<QpCap> | undefined;
    /** Those since the QP was made or reset. */
    places = new Places();

    override modify(attr: QpAttr): void {
      super.modify(attr);
      if (attr.qpState === 'IBV_QPS_RESET') this.places = new Places();
    }

    #given(asked: QpCap): QpCap {
      const given = (name: keyof QpCap): number => Math.max(asked[name], this.#told?.[name] ?? 0);
      return {
        maxSendWr: given('maxSendWr'),
        maxRecvWr: given('maxRecvWr'),
        maxSendSge: given('maxSendSge'),
        maxRecvSge: given('maxRecvSge'),
        maxInlineData: given('maxInlineData'),
      };
    }

    override firstTooLarge(wrs: readonly SendRequest[], asked: QpCap): number {
      return this.#unlessTaken(super.firstTooLarge(wrs, this.#given(asked)));
    }

    /** What becomes of a request that is too large, and is taken, no page says. */
    #unlessTaken(tooLarge: number): number {
      if (tooLarge < 0 || guide.observed?.returned !== 0) return tooLarge;
      guide.goBeyond('large-request');
      return -1;
    }

    override firstWithoutPlace(wrs: readonly RecvWr[], asked: QpCap): number {
      const cap = this.#given(asked);
      const tooLarge = super.firstWithoutPlace(wrs, { ...cap, maxRecvWr: Infinity });
      const bad = this.#unlessFull(
        wrs.length,
        cap.maxRecvWr - this.places.posted('receive'),
        this.#unlessTaken(tooLarge),
      );
      this.places.take('receive', bad < 0 ? wrs.length : bad);
      return bad;
    }

    /** A queue is not full before as many were posted as it holds; it may be then, or have room. */
    #unlessFull(count: number, room: number, tooLarge: number): number {
      const end = tooLarge < 0 ? count : tooLarge;
      return room >= end || guide.observed?.returned === 0 ? tooLarge : firstBeyond(guide, room, end);
    }
  };
}

/** QPs that follow a device in what it refuses of sends. */
function sendingQp(of: Parts, guide: Guide): Parts['Qp'] {
  return class extends roomyQp(of, guide) {
    /** How many sends the queue holds, as far as the device has said. */
    #holds = numberIn(guide.observed?.outputs.cap as TraceStruct | undefined, 'maxSendWr') ?? 0;

    override firstTooLarge(wrs: readonly SendRequest[], asked: QpCap): number {
      this.#holds = Math.max(this.#holds, asked.maxSendWr);
      return super.firstTooLarge(wrs, asked);
    }

    override postSend(wrs: readonly SendRequest[]): void {
      refuseInError(guide, this);
      if (takesSends(this.state)) this.#postSends(wrs);
      else this.#postTooEarly(wrs);
    }

    override postRecv(wrs: readonly RecvWr[]): void {
      refuseInError(guide, this);
      super.postRecv(wrs);
    }

    /** Whether a QP takes sends before it can send them, no page says; what becomes of them is not known. */
    #postTooEarly(wrs: readonly SendRequest[]): void {
      if (guide.observed?.returned === 0) guide.goBeyond('send-too-early');
      super.postSend(wrs);
    }

    /** A list that the device refuses is taken up to the request for which it may do so. */
    #postSends(wrs: readonly SendRequest[]): void {
      const badWr = (guide.observed?.returned ?? 0) === 0 ? -1 : this.#refusedOf(wrs);
      const bad = wrs[badWr];
      const reason = bad && this.#mayRefuse(bad, badWr);
      const taken = reason === undefined ? wrs : wrs.slice(0, badWr);
      this.places.take('send', taken.length);
      super.postSend(taken);
      if (reason === undefined) return;
      guide.ledger.take(reason);
      throw new Refusal('EINVAL', { badWr });
    }

    /** The place of the request that the device names, but none behind the first one of another type; if it names none, of that one. */
    #refusedOf(wrs: readonly SendRequest[]): number {
      const foreign = wrs.findIndex((wr) => !isOfType(this.init.qpType, wr));
      const { badWr } = guide.observed?.outputs ?? {};
      if (typeof badWr !== 'number') return foreign;
      return foreign < 0 ? badWr : Math.min(foreign, badWr);
    }

    /** Why a device may refuse a request behind so many others of its list: places may come free only as CQEs are polled. */
    #mayRefuse(wr: SendRequest, before: number): LooseName | undefined {
      const { qpType } = this.init;
      if (!isOfType(qpType, wr)) return 'foreign-operation';
      if (hasFlagOutOfPlace(qpType, wr)) return 'flag-out-of-place';
      if (this.places.posted('send') + before >= this.#holds) return 'full-queue';
      return namesForeignMemory(this, wr) ? 'refused-at-once' : undefined;
    }
  };
}

/** Whether a send has a flag that is not for it: by ibv_post_send(3), fences are for RC, solicited events for what takes a receive. */
function hasFlagOutOfPlace(qpType: QpType, wr: SendRequest): boolean {
  const { opcode, sendFlags } = wr;
  if (sendFlags.includes('IBV_SEND_FENCE') && qpType !== 'IBV_QPT_RC') return true;
  const takesReceive = hasImmediate(wr) || opcode.startsWith('IBV_WR_SEND');
  return sendFlags.includes('IBV_SEND_SOLICITED') && !takesReceive;
}

/** Whether a QP may not use the memory that a send names. */
function namesForeignMemory(
  { device, pd }: Pick<Qp, 'device' | 'pd'>,
  { opcode, sendFlags, sgList, bindMw }: SendRequest,
): boolean {
  if (bindMw !== undefined) return !canBind(bindMw);
  const access = operations[opcode].data === 'answered' ? 'IBV_ACCESS_LOCAL_WRITE' : undefined;
  const isInline = sendFlags.includes('IBV_SEND_INLINE');
  return !isInline && sgList.some((sge) => device.memory.local(pd, sge, access) === undefined);
}

/** Whether a QP in IBV_QPS_ERR takes requests, which it flushes, no page says. */
function refuseInError(guide: Guide, { state }: Pick<Qp, 'state'>): void {
  if (state !== 'IBV_QPS_ERR' || (guide.observed?.returned ?? 0) === 0) return;
  guide.ledger.take('may-refuse');
  throw new Refusal('EINVAL', { badWr: 0 });
}

/** QPs that may fail before they have heard of the last of their sends. */
function failingQp(of: Parts, guide: Guide): Parts['Qp'] {
  return class extends sendingQp(of, guide) {
    override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
      this.#seeViolation(status);
      if (statusesOfPeer.has(status)) guide.unheardAnswers.forget(this);
      else if (status !== 'IBV_WC_SUCCESS' && this.state !== 'IBV_QPS_ERR') guide.seeOwnFailure(this);
      super.completeSend(wr, status, byteLen);
    }

    override failReceive(wr: RecvWr, status: WcStatus): void {
      this.#seeViolation(status);
      super.failReceive(wr, status);
    }

    #seeViolation(status: WcStatus): void {
      if (violations.has(status)) guide.locallyViolated.add(this);
    }

    override enterError(): void {
      if (this.state !== 'IBV_QPS_ERR') {
        const { failures = 0, told = [] } = guide.failedQps.get(this) ?? {};
        guide.failedQps.set(this, { failures: failures + 1, told });
        if (this.state === 'IBV_QPS_INIT') guide.failedEarly.add(this);
        this.#flushDone();
      }
      super.enterError();
    }

    /** The peer has had these sends, and the QP has not heard of it. */
    #flushDone(): void {
      const { sendCq } = this.init;
      if (!(sendCq instanceof GuidedCq)) return;
      const unheard = guide.unheardAnswers.of(this, guide.epoch, sendCq.freshSendsOf(this).length);
      const flushed = unheard.slice(Math.max(unheard.length - (guide.schedule.flushesDone.get(this.qpNum) ?? 0), 0));
      if (flushed.length === 0) return;
      guide.ledger.take('flushed-though-done');
      for (const { wr } of flushed) if (operations[wr.opcode].data === 'answered') guide.heldBuffers.forget(wr.sgList);
      sendCq.flushDone(this, flushed);
    }
  };
}

/**
 * A change that a QP cannot make is refused, and one with attributes that are not of it may be. In states in which a QP
 * takes no attributes alone, a device may do so, and what they change is not known.
 */
function refuseChange(guide: Guide, { state, init }: Pick<Qp, 'state' | 'init'>, attr: QpAttr): void {
  const to = attr.qpState ?? state;
  if (state === to && !leadsTo(state, to) && guide.observed?.returned === 0) guide.goBeyond('may-refuse');
  demand(leadsTo(state, to), 'EINVAL');
  const allowed = attributesAllowed(init.qpType, state, to);
  const isUsual = maskOf(qpAttrBits, attr).every((name) => allowed.has(name));
  if (isUsual || (guide.observed?.returned ?? 0) === 0) return;
  guide.ledger.take('may-refuse');
  throw new Refusal('EINVAL');
}

/** QPs that may say that they have failed, and those of a device that is known to be wrong about them. */
export function guidedQp(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Qp: class extends failingQp(of, guide) {
      override enterError(): void {
        super.enterError();
        // What a QP sends to itself may end with its QP before its answer is there.
        if (this.isReliable && guide.delivered?.srcQpNum === this.qpNum) this.#flushAtOnce();
      }

      override completeReceive(wr: RecvWr, message: Message): void {
        super.completeReceive(wr, message);
        const { newestCqe } = this.init.recvCq;
        if (newestCqe?.wc.wrId === wr.wrId) guide.heldBuffers.hold(newestCqe, wr);
      }

      override postRecv(wrs: readonly RecvWr[]): void {
        if (this.state === 'IBV_QPS_ERR' && this.#leavesReceives()) guide.lateReceives.post(this, wrs);
        else super.postRecv(wrs);
      }

      override postSend(wrs: readonly SendRequest[]): void {
        if (guide.resetWithSends.has(this) && guide.excuses(resetQueueNeverDrains)) guide.isBeyond = true;
        super.postSend(wrs);
        if (this.state === 'IBV_QPS_ERR' && guide.isKnownFor(workFlushesReceives)) guide.lateReceives.flush(this);
      }

      override modify(attr: QpAttr): void {
        refuseChange(guide, this, attr);
        const isUnderWay = this.device.clock.pending > 0;
        if (attr.qpState === 'IBV_QPS_SQD')
          guide.seeDrain(this, this.requester.isBusy && attr.enSqdAsyncNotify === true);
        if (attr.qpState === 'IBV_QPS_ERR') guide.deliverUnheard(this);
        if (attr.qpState === 'IBV_QPS_RESET' && this.requester.hasSends) guide.resetWithSends.add(this);
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_ERR') {
          if (isUnderWay) this.#flushAtOnce();
          super.postRecv(guide.lateReceives.takeAll(this));
        } else if (attr.qpState === 'IBV_QPS_RESET') {
          guide.lateReceives.takeAll(this);
          guide.timeouts.reset(this);
          guide.unheardAnswers.forget(this);
        }
      }

      /** A device may flush them with what it flushes at that moment. */
      #leavesReceives(): boolean {
        const mayStillFlush = this.device.clock.pending > 0;
        if (mayStillFlush && !guide.givesUp(lateReceiveStays)) return false;
        return guide.excuses(lateReceiveStays);
      }

      #flushAtOnce(): void {
        guide.sawWorkAtError = true;
        if (!guide.schedule.flushesAtOnce) return;
        guide.ledger.take('flush-at-once');
        this.flush();
      }
    },
  };
}
