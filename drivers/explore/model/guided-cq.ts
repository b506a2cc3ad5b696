import type { TraceStruct, TraceValue } from '../../contract';
import { structsOf } from '../../pipeline/values';
import { AsyncEvent } from '../../sim/async/async-events';
import type { ProgramRecord } from '../../programs/program';
import { Cq, type Cqe } from '../../sim/cq/cq';
import { CqIterator } from '../../sim/cq/cq-iterator';
import type { Qp } from '../../sim/qp/qp';
import { demand, Refusal } from '../../sim/refusal';
import { isRefusal } from '../../pipeline/conventions';
import { GuidedCompChannel } from './guided-channel';
import { shown } from '../shown';
import { numberIn, type Guide, type HoldsPlaces } from './guide';
import { guideOf } from './guides';
import { knownForStatus } from './known/other-status';
import type { DoneSend } from './unheard-answers';

/** What identifies a CQE that was observed. */
interface Seen {
  readonly wrId: unknown;
  readonly status: unknown;
  readonly qpNum: unknown;
  /** What else was read of it and tells it from others of its wr_id. */
  readonly opcode: unknown;
  readonly byteLen: unknown;
  readonly hasImm: boolean | undefined;
}

/** An iterator that tells where it stands, and how much it has passed. */
export class GuidedCqIterator extends CqIterator {
  #passed = 0;

  /** The CQEs of the batch that is open. */
  get held(): number {
    return this.#passed;
  }

  override end(): void {
    super.end();
    this.#passed = 0;
  }

  protected override advance(): void {
    super.advance();
    this.#passed += 1;
  }

  /** The CQE that readers read. */
  get standsOn(): Cqe['wc'] {
    return this.completion.wc;
  }
}

const working: ReadonlySet<string> = new Set(['IBV_QPS_RTR', 'IBV_QPS_RTS', 'IBV_QPS_SQD', 'IBV_QPS_SQE']);

const works = ({ state }: Pick<Qp, 'state'>): boolean => working.has(state);

/** A CQ that follows the device where it may. */
export class GuidedCq extends Cq {
  /** CQEs that may be gone. */
  readonly #optional = new Set<Cqe>();
  /** So many of them are, of which nobody knows which. */
  #lost = 0;

  protected override sizeFor(asked: number): number {
    const { observed } = this.guide;
    const record = observed?.verb === 'ibv_resize_cq' ? this.guide.ahead('struct ibv_cq', 'cq', changesSize) : observed;
    const told = numberIn(record?.outputs, 'cqe') ?? asked;
    if (told > asked) this.guide.ledger.take('cq-size');
    return Math.max(told, asked);
  }

  /** A failed receive keeps whether its message was solicited: there are devices that go by it. */
  override add(cqe: Cqe): void {
    const { delivered } = this.guide;
    const isOfSolicited = cqe.queue === 'receive' && delivered?.wr.sendFlags.includes('IBV_SEND_SOLICITED') === true;
    const told = isOfSolicited ? { ...cqe, solicitedEvent: true } : cqe;
    const { wrId, qpNum, status } = cqe.wc;
    this.guide.bear(told, wrId, qpNum, status, cqe.queue);
    const qp = this.context.device.qpsOf(this).find((one) => one.qpNum === qpNum);
    if (qp !== undefined && 'places' in qp) this.guide.hold(told, qp.places as HoldsPlaces);
    if (cqe.queue === 'send') this.guide.heldBuffers.tell(told);
    if (cqe.queue === 'send' && this.guide.unsureSends.has(wrId)) this.#optional.add(told);
    if (this.overrun) this.#loseAgain();
    if (this.#isCrowded()) this.overflow(told);
    else super.add(told);
  }

  /** Whether there is no room because a device keeps the CQEs of a batch until its end, as it may. */
  #isCrowded(): boolean {
    const isFull = this.cqes.length >= this.capacity;
    if (this.overrun || isFull || this.cqes.length + this.#held < this.capacity) return false;
    this.guide.sawHeld = true;
    if (!this.guide.schedule.holdsBatches) return false;
    this.guide.ledger.take('room-of-a-batch');
    return true;
  }

  get #held(): number {
    return this.iterator instanceof GuidedCqIterator ? this.iterator.held : 0;
  }

  /** The entries that are taken, those of a batch among them where the device keeps them. */
  get #used(): number {
    return this.cqes.length + (this.guide.schedule.holdsBatches ? this.#held : 0);
  }

  #loseAgain(): void {
    const { guide } = this;
    guide.overruns += 1;
    guide.lostAgain.set(this, (guide.lostAgain.get(this) ?? 0) + 1);
  }

  protected override overflow(cqe: Cqe): void {
    this.guide.sawOverrun = true;
    if (this.init.ignoreOverrun === true) this.#keepSome(cqe);
    else if (this.#used - this.#lost < this.capacity) this.#keep(cqe);
    else if (this.#used < this.capacity + this.guide.schedule.spare(this.capacity)) this.#takeBeyond(cqe);
    else this.#overrunBy(cqe);
  }

  #overrunBy(cqe: Cqe): void {
    this.guide.overruns += 1;
    if (this.channel instanceof GuidedCompChannel) this.channel.seeOverrun(this);
    if (cqe.queue === 'send') this.#failReceiver();
    if (this.guide.schedule.failsAllAtOverrun) this.#failAll();
    if (this.guide.excuses('ibv_poll_cq.overrun-cq-unusable')) this.#loseSome(cqe);
    else super.overflow(cqe);
  }

  /**
   * Of a message without acknowledgment the send and the receive are done in any order: the CQE that was lost may be that
   * of the receive, at which its QP may fail.
   */
  #failReceiver(): void {
    const { guide } = this;
    const received = this.cqes.findLast((cqe) => cqe.queue === 'receive' && guide.isFresh(cqe));
    const qp = this.context.device.qpsOf(this).find(({ qpNum }) => qpNum === received?.wc.qpNum);
    if (guide.schedule.failsAtOverrun === 0 || qp === undefined || qp.isReliable) return;
    guide.ledger.take('qp-of-overrun-cq');
    qp.enterError();
  }

  /** Once what has overrun the CQ is done. */
  #failAll(): void {
    const { device } = this.context;
    this.guide.ledger.take('qp-of-overrun-cq');
    device.clock.schedule(1, () => {
      for (const qp of device.qpsOf(this)) if (works(qp)) qp.enterError();
    });
  }

  #keepSome(cqe: Cqe): void {
    this.guide.ledger.take('ignored-overrun');
    this.#keep(cqe);
    this.#doubtAll();
  }

  /** Each of them may be there or not. */
  #doubtAll(): void {
    for (const one of this.cqes) this.#optional.add(one);
  }

  /** One is lost, and the CQ goes on; whether it tells of each, no page says. */
  #loseSome(cqe: Cqe): void {
    if (this.#lost === 0) this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', this));
    else this.#loseAgain();
    this.#lost += 1;
    this.cqes.push(cqe);
    this.#doubtAll();
    // If there was room for it, it has made its event, which the channel takes for one that may stay away.
    if (this.matchesRequest(cqe)) this.channel?.add(this);
  }

  #takeBeyond(cqe: Cqe): void {
    this.guide.ledger.take('cq-spare-room');
    this.#keep(cqe);
  }

  #keep(cqe: Cqe): void {
    this.cqes.push(cqe);
    if (this.matchesRequest(cqe)) this.gather();
  }

  protected override isSolicited(cqe: Cqe): boolean {
    const asked = super.isSolicited(cqe);
    if (!asked || cqe.wc.status === 'IBV_WC_SUCCESS' || !this.guide.isKnownFor(soliciting(cqe))) return asked;
    this.guide.sawSilent = true;
    return !this.guide.schedule.isSilent(cqe) || !this.guide.excuses(soliciting(cqe));
  }

  override arm(solicitedOnly: number): void {
    const { observed } = this.guide;
    if (this.channel === undefined && (observed?.returned ?? 0) !== 0) {
      this.guide.ledger.take('may-refuse');
      throw new Refusal('EINVAL');
    }
    const late =
      this.guide.schedule.choices.get(this.guide.at) === 'late'
        ? this.cqes.filter((cqe) => this.guide.isFresh(cqe))
        : [];
    super.arm(solicitedOnly);
    if (this.channel instanceof GuidedCompChannel) this.channel.seeRequest(this);
    for (const cqe of late) {
      this.guide.ledger.take('late-arm');
      if (this.matchesRequest(cqe)) this.gather();
    }
  }

  /** Whether there are CQEs that may have come only after this. */
  get hasFresh(): boolean {
    return this.cqes.some((cqe) => this.guide.isFresh(cqe));
  }

  /** The CQEs of a QP that ends may end with it. */
  release(qpNum: number): void {
    for (const cqe of this.cqes) if (cqe.wc.qpNum === qpNum) this.#optional.add(cqe);
  }

  /** The CQEs of sends of a QP that were done, as nothing has shown yet. */
  freshSendsOf(qp: Qp): readonly Cqe[] {
    return this.cqes.filter((cqe) => this.#isFreshSend(cqe, qp) && cqe.wc.status === 'IBV_WC_SUCCESS');
  }

  #isFreshSend(cqe: Cqe, { qpNum }: Qp): boolean {
    return cqe.queue === 'send' && cqe.wc.qpNum === qpNum && this.guide.isFresh(cqe);
  }

  /** The sends that a QP has done last are flushed instead, before those behind them. */
  flushDone(qp: Qp, sends: readonly DoneSend[]): void {
    let next = this.cqes.find((cqe) => this.#isFreshSend(cqe, qp) && cqe.wc.status !== 'IBV_WC_SUCCESS');
    for (const { wr, hasCqe } of sends.toReversed()) {
      const own = hasCqe ? this.freshSendsOf(qp).at(-1) : undefined;
      const before = own ?? next;
      const wc = qp.completions.ofSend(wr, 'IBV_WC_WR_FLUSH_ERR', 0);
      const flushed: Cqe = { wc, queue: 'send', solicitedEvent: false, atUs: this.context.device.clock.nowUs };
      this.guide.bear(flushed, wc.wrId, wc.qpNum, wc.status, flushed.queue);
      this.cqes.splice(before === undefined ? this.cqes.length : this.cqes.indexOf(before), own ? 1 : 0, flushed);
      if (this.matchesRequest(flushed)) this.gather();
      next = flushed;
    }
  }

  override resize(cqe: number): void {
    const { observed } = this.guide;
    if (this.overrun && (observed?.returned ?? 0) !== 0) {
      this.guide.ledger.take('overrun-cq');
      throw new Refusal('EIO');
    }
    const told = this.guide.ahead('struct ibv_cq', 'cq', changesSize);
    if (observed?.returned === 0 && cqe < this.#due.length) {
      this.guide.ledger.take('resize-below-backlog');
      this.capacity = Math.max(this.#due.length, numberIn(told?.outputs, 'cqe') ?? this.capacity);
      return;
    }
    const isKept = cqe < this.capacity && numberIn(told?.outputs, 'cqe') === this.capacity;
    if (isKept && observed?.returned === 0) this.guide.ledger.take('cq-not-shrunk');
    super.resize(cqe);
  }

  /** CQEs that may be gone are in the way if the device says so. */
  protected override refuseBelowBacklog(cqe: number): void {
    const { observed } = this.guide;
    if (observed?.returned !== 0 && cqe >= this.cqes.length) this.guide.lateReceives.flushAll(this);
    const inTheWay = observed?.returned === 0 ? this.#due : this.cqes;
    demand(cqe >= inTheWay.length, 'EINVAL');
  }

  /** CQEs that are there for certain. */
  get #due(): readonly Cqe[] {
    return this.cqes.filter((cqe) => !this.#optional.has(cqe));
  }

  override poll(numEntries: number): Cqe[] {
    this.#flushLate(this.#seen());
    const seen = this.#seen();
    if (this.overrun) return this.#pollOverrun(seen);
    const taken: Cqe[] = [];
    for (const one of seen.slice(0, numEntries)) {
      const cqe = this.#firstLike(one);
      if (cqe === undefined) break;
      taken.push(cqe);
      this.#takeOut(cqe);
    }
    this.#complete(taken, numEntries);
    // Of a batch, places may come free only at its end.
    if (this.guide.observed?.verb === 'ibv_poll_cq') for (const cqe of taken) this.guide.freePlace(cqe);
    return taken;
  }

  /** Of receives that a device leaves in IBV_QPS_ERR, only what it gives tells that it has flushed them. */
  #flushLate(seen: readonly Seen[]): void {
    const matched = new Set<Cqe>();
    const match = (wrId: unknown): Cqe | undefined =>
      this.cqes.find((cqe) => cqe.wc.wrId === wrId && !matched.has(cqe));
    for (const { wrId, status } of seen) {
      if (match(wrId) === undefined && status === 'IBV_WC_WR_FLUSH_ERR') this.guide.lateReceives.flushUpTo(this, wrId);
      const cqe = match(wrId);
      if (cqe !== undefined) matched.add(cqe);
    }
    const { verb, returned } = this.guide.observed ?? {};
    const isUnread = seen.length === 0 && (verb === 'ibv_start_poll' || verb === 'ibv_next_poll') && returned === 0;
    if (isUnread) this.guide.lateReceives.flushFirst(this);
  }

  /** What has to be there and was not observed is taken nevertheless: then the records differ. */
  #complete(taken: Cqe[], numEntries: number): void {
    const isDue = (cqe: Cqe): boolean => !this.#optional.has(cqe) && !this.guide.isFresh(cqe);
    const left = this.cqes.filter(isDue);
    if (taken.length < numEntries && this.cqes.length > left.length) {
      const isGone = this.cqes.some((cqe) => this.#optional.has(cqe));
      this.guide.ledger.take(isGone ? 'cqe-of-ended-qp' : 'late-cqe');
    }
    while (taken.length < numEntries && left.length > 0) {
      const [next] = left.splice(0, 1);
      if (next === undefined) return;
      taken.push(next);
      this.#takeOut(next);
    }
  }

  /** Who has acknowledged more than was taken may wait without end. */
  override get destroyable(): boolean {
    if (!super.destroyable) return false;
    if (!this.compEvents.hasSurplus || this.guide.observed?.blocked !== true) return true;
    this.guide.ledger.take('surplus-acks');
    return false;
  }

  #takeOut(cqe: Cqe): void {
    const place = this.cqes.indexOf(cqe);
    if (place > 0) this.guide.ledger.take('order-across-queues');
    this.cqes.splice(place, 1);
    this.guide.heldBuffers.release(cqe);
  }

  /** It refuses, gives nothing, or gives what it held in the order of its queues. */
  #pollOverrun(seen: readonly Seen[]): Cqe[] {
    this.guide.ledger.take('overrun-cq');
    const { observed } = this.guide;
    if (observed === undefined || isRefusal(observed.verb, observed.returned)) throw new Refusal('EIO');
    const taken: Cqe[] = [];
    for (const one of seen) {
      const cqe = this.#firstLike(one);
      if (cqe === undefined) throw new Refusal('EIO');
      taken.push(cqe);
      this.#takeOut(cqe);
    }
    return taken;
  }

  /** The CQE that was observed, if it is the first of its queue, or may be; of several the one that is most like it, or is due. */
  #firstLike(seen: Seen): Cqe | undefined {
    const passed = new Set<string>();
    let best: Cqe | undefined;
    for (const cqe of this.cqes) {
      const queue = queueOf(cqe);
      if (passed.has(queue)) continue;
      if (this.#isRather(cqe, best, seen)) best = cqe;
      if (!this.#optional.has(cqe)) passed.add(queue);
    }
    return best;
  }

  /** Of two that look alike, the one that the schedule prefers, or else one that is due before one that is not. */
  #isRather(cqe: Cqe, other: Cqe | undefined, seen: Seen): boolean {
    const alike = likeness(this.guide, cqe, seen);
    if (alike === 0 || other === undefined) return alike > 0;
    const most = likeness(this.guide, other, seen);
    const { preferred } = this.guide.schedule;
    if (queueOf(cqe) !== queueOf(other) && (alike === most || this.#bothFit(cqe, other, seen))) {
      this.guide.sawTie = true;
      if (preferred === 'last') return true;
      if (preferred !== undefined && cqe.queue !== other.queue) return cqe.queue === preferred;
    }
    if (alike !== most) return alike > most;
    return !this.#optional.has(cqe) && this.#optional.has(other);
  }

  /** Whether a device that is known to give another status may have given either. */
  #bothFit(one: Cqe, other: Cqe, seen: Seen): boolean {
    return [one, other].every((cqe) => fits(this.guide, cqe, seen));
  }

  #seen(): readonly Seen[] {
    const { observed } = this.guide;
    if (observed === undefined) return [];
    if (observed.verb === 'ibv_poll_cq') {
      return 'wc' in observed.outputs ? structsOf(observed.outputs, 'wc').map((wc) => seenOf(wc)) : [];
    }
    if (observed.returned !== 0) return [];
    const next = this.guide.ahead('struct ibv_cq_ex', 'cq', movesOn);
    if (next !== undefined) return [seenOf({ ...next.outputs, ...readAhead(this.guide) })];
    const unread = this.#unread();
    return unread === undefined ? [] : [seenOf({ wrId: unread.wc.wrId, status: unread.wc.status })];
  }

  /** A CQE at which nobody looks: one that is not seen later; of several, one of the queue that the schedule prefers. */
  #unread(): Cqe | undefined {
    const later = this.#seenLater();
    const times = (all: readonly string[], one: string): number => all.filter((other) => other === one).length;
    const own = this.cqes.map(({ wc }) => identityOf(wc));
    const heads = this.#heads();
    const unseen = heads.filter(({ wc }) => times(own, identityOf(wc)) > times(later, identityOf(wc)));
    const open = unseen.length > 0 ? unseen : heads;
    // It is a later one, if the first is one that was lost.
    if (this.#lost > 0) this.#doubtAll();
    if (open.length < 2) return open[0];
    this.guide.sawTie = true;
    return open.find(({ queue }) => queue === this.guide.schedule.preferred) ?? open[0];
  }

  /** The first CQE of each queue. */
  #heads(): readonly Cqe[] {
    return this.cqes.filter((cqe, at) => this.cqes.findIndex((one) => queueOf(one) === queueOf(cqe)) === at);
  }

  /** The CQEs that the device is yet to give, as far as they are looked at. */
  #seenLater(): readonly string[] {
    const { observation, observed, at } = this.guide;
    const own = observation.records.slice(at + 1).filter((record) => record?.args.cq === observed?.args.cq);
    return own.flatMap((record) => {
      const { outputs = {}, verb } = record ?? {};
      if (verb === 'struct ibv_cq_ex') return [identityOf(outputs)];
      return verb === 'ibv_poll_cq' && 'wc' in outputs ? structsOf(outputs, 'wc').map(identityOf) : [];
    });
  }

  get guide(): Guide {
    return guideOf(this.context.device);
  }
}

/** CQEs of one queue are in order. */
const queueOf = ({ wc, queue }: Cqe): string => `${wc.qpNum} ${queue}`;

/** The clause by which a CQE that has failed is solicited. */
const soliciting = ({ queue }: Cqe): string =>
  `ibv_req_notify_cq.solicited-${queue === 'send' ? 'send' : 'recv'}-error`;

/** Whether a CQ had its size until then and not longer: a call that is refused changes nothing. */
const changesSize = ({ verb, returned }: ProgramRecord): boolean =>
  (verb === 'ibv_resize_cq' || verb === 'ibv_destroy_cq') && returned === 0;

/** Whether a batch stands on no completion, or on another one, after it. */
const movesOn = ({ verb }: ProgramRecord): boolean => verb === 'ibv_next_poll' || verb === 'ibv_end_poll';

/** Who reads a completion reads these. */
const identityOf = ({ wrId, status }: TraceStruct): string => `${shown(wrId)} ${shown(status)}`;

/** What is read of the completion that a batch stands on next. */
function readAhead(guide: Guide): TraceStruct {
  const read = (name: string): TraceValue | undefined =>
    guide.ahead(`ibv_wc_read_${name}`, 'cq', movesOn)?.outputs.value;
  const members = {
    opcode: read('opcode'),
    qpNum: read('qp_num'),
    byteLen: read('byte_len'),
    wcFlags: read('wc_flags'),
  };
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function seenOf({ wrId, status, qpNum, opcode, byteLen, wcFlags }: TraceStruct): Seen {
  const isGood = status === 'IBV_WC_SUCCESS';
  if (!isGood) return { wrId, status, qpNum, opcode: undefined, byteLen: undefined, hasImm: undefined };
  return {
    wrId,
    status,
    qpNum,
    opcode,
    byteLen,
    hasImm: Array.isArray(wcFlags) ? wcFlags.includes(withImm) : undefined,
  };
}

const withImm = 'IBV_WC_WITH_IMM';

const isOfQp = (guide: Guide, { wc }: Cqe, { qpNum }: Seen): boolean =>
  qpNum === undefined || guide.isSameQp(wc.qpNum, qpNum);

/** Whether it is what was observed, or what a device is known to give in its place. */
function fits(guide: Guide, cqe: Cqe, seen: Seen): boolean {
  const { wrId, status } = seen;
  const isOfStatus = typeof status === 'string' && knownForStatus(guide, cqe.wc.status, status) !== undefined;
  return cqe.wc.wrId === wrId && isOfQp(guide, cqe, seen) && (cqe.wc.status === status || isOfStatus);
}

/** How much of what was observed a CQE has; 0 if not its wr_id. */
function likeness(guide: Guide, cqe: Cqe, seen: Seen): number {
  const { wc } = cqe;
  const { status, opcode, byteLen, hasImm } = seen;
  if (wc.wrId !== seen.wrId) return 0;
  return (
    1 +
    (isOfQp(guide, cqe, seen) ? 16 : 0) +
    (status === undefined || wc.status === status ? 8 : 0) +
    (opcode === undefined || wc.opcode === opcode ? 4 : 0) +
    (hasImm === undefined || wc.wcFlags.includes(withImm) === hasImm ? 2 : 0) +
    (byteLen === undefined || wc.byteLen === byteLen ? 1 : 0)
  );
}
