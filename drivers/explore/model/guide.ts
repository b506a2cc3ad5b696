import type { Capability, QpType, TraceStruct, TraceValue } from '../../contract';
import type { Cqe } from '../../sim/cq/cq';
import { Handles } from '../../sim/handles';
import type { Message } from '../../sim/qp/message';
import type { Qp } from '../../sim/qp/qp';
import type { SendRequest } from '../../sim/qp/work-request';
import type { CallOp, ProgramRecord } from '../../programs/program';
import { LateReceives } from './known/late-receives';
import { HeldBuffers } from './held-buffers';
import type { Ledger, LooseName } from './looseness';
import { PartialMessages } from './partial-messages';
import { RunningTimeouts } from './known/running-timeouts';
import { UnheardAnswers } from './unheard-answers';

/**
 * What happens before a call: all that is pending (the usual), nothing of it, or so many steps; `late` leaves CQEs that
 * nobody has seen out of a request that is made now.
 */
export type Choice = 'all' | 'none' | 'late' | number;

/** So many sends that a device may give up are told apart; all later ones end as the last of them. */
export const toldSendsMax = 8;

/** In which of the ways that are open to a device the model runs. */
export interface Schedule {
  /** By the place of the call; `all` where there is none. */
  readonly choices: ReadonlyMap<number, Choice>;
  /** Unless a choice says otherwise nothing happens before it has to. */
  readonly isLazy: boolean;
  /** How many CQEs more than the cqe member says a CQ takes, of so many entries. */
  readonly spare: (cqe: number) => number;
  /** Whether small messages are handed over within their CQEs. */
  readonly isWithinCqe: boolean;
  /**
   * Of which queue a CQE is that could be of several, by its members: of one of the kind, or of the one whose CQE came last;
   * without it, of the one whose CQE came first.
   */
  readonly preferred: Cqe['queue'] | 'last' | undefined;
  /** Whether memory that a request names goes unchecked where its message is empty. */
  readonly ignoresUnreached: boolean;
  /** Whether QPs take datagrams that were sent with another Q_Key than their own. */
  readonly takesOtherQkeys: boolean;
  /** Of which unreliable QPs a receive fails that is too short, on a device that is known to give wrong statuses. */
  readonly failsShort: readonly QpType[];
  /** Whether a QP of UC drops what names memory that it may not touch, and goes on. */
  readonly dropsViolations: boolean;
  /** Whether an SRQ that holds less than its limit when that is set tells so at once. */
  readonly limitsAtOnce: boolean;
  /** Whether an atomic operation is carried out whose answer has no place that it may be written to. */
  readonly carriesOutFirst: boolean;
  /** Whether the CQEs of a batch take room in their CQ until ibv_end_poll(). */
  readonly holdsBatches: boolean;
  /**
   * From which receive on for which there is no room in the CQ its QP fails, and answers no more: by their numbers from 1, or 0.
   * A receive may have been there before what the peer has sent earlier was known to be done, and then had room.
   */
  readonly failsAtOverrun: number;
  /** Whether all QPs of a CQ that is overrun fail. */
  readonly failsAllAtOverrun: boolean;
  /** Whether work that is under way when its QP is moved to IBV_QPS_ERR is flushed then, and not done. */
  readonly flushesAtOnce: boolean;
  /** How many of the sends that are flushed so the peer has had. */
  readonly deliversFlushed: number;
  /**
   * How many of the sends that the peer has had are flushed where their QP fails before it is known to have heard of it, by
   * the number of the QP.
   */
  readonly flushesDone: ReadonlyMap<number, number>;
  /** Whether a send that was posted just before its QP is moved to IBV_QPS_SQD has not begun then. */
  readonly holdsUnbegun: boolean;
  /**
   * Which sends go on as they should on a device that is known to give some of them up: by their numbers, of which the last
   * stands for all later ones.
   */
  readonly keptSends: ReadonlySet<number>;
  /** Whether an event that is not there yet is always one that comes, and not one of receives that a device leaves. */
  readonly waitsForEvents: boolean;
  /** The numbers of QPs whose sends, if they wait for a receive, are tried again only after what others have sent meanwhile. */
  readonly triesLate: ReadonlySet<number>;
  /** The number of the QP whose sends leave after what others have posted meanwhile, or 0. */
  readonly overtaken: number;
  /** Which failed CQEs count as not solicited, on a device that is known not to keep the clauses about them. */
  readonly isSilent: (cqe: Cqe) => boolean;
}

/** A program that was run on a device: what the model has to explain. */
export interface Observation {
  readonly calls: readonly CallOp[];
  readonly records: readonly (ProgramRecord | undefined)[];
  readonly capabilities: readonly Capability[];
  /** The port whose link the program moves, if it does: the events of that are its doing. */
  readonly movedPort?: number;
  /** Clauses that the device is known not to keep, or that another authority than the page promises. */
  readonly excused: ReadonlySet<string>;
  /**
   * Whether records say over how many settles of other threads a call waited. Those of a device tell only whether it
   * waited: of threads that wait for the same, and of those whose settles end together, any may be first.
   */
  readonly countsWaits: boolean;
}

/** A call at which something was pending: another choice there may explain what was observed. */
export interface ChoicePoint {
  readonly at: number;
  readonly pending: number;
  /** Whether it arms a CQ while CQEs are there that nobody has seen. */
  readonly canBeLate: boolean;
}

/** The send that is on its way and those behind it, of which the peer may have the first while the QP hears of none. */
export interface UnheardSends {
  readonly count: number;
  deliver(count: number): void;
}

/** A QP that has failed at its work, once or, after resets, more often. */
export interface FailedQp {
  readonly failures: number;
  /** The types of the events by which it has said so. */
  readonly told: string[];
}

/** A QP since it was made or reset last, whose requests take places in its queues. */
export interface HoldsPlaces {
  /** A CQE was polled: the request has no place any more. */
  freePlace(queue: Cqe['queue']): void;
}

/** Leads the model through an observation: at each call it may look at what the device did, and follow where it may. */
export class Guide {
  /** The call that is being made. */
  at = -1;
  /** The objects of the model. */
  handles = new Handles();
  /** Counts the times at which everything was known to have happened. */
  epoch = 0;
  readonly points: ChoicePoint[] = [];
  readonly #born = new WeakMap<object, number>();
  readonly #names = new Map<string, string>();
  /** The numbers of QPs by their names: on the device one may be that of several, one after the other. */
  readonly #qpNums = { device: new Map<string, TraceValue>(), model: new Map<string, TraceValue>() };
  readonly #keys: Record<'device' | 'model', { readonly name: string; readonly key: number }[]> = {
    device: [],
    model: [],
  };
  /** What the members of a path were in the first datagram, by their names: all datagrams of a program take one path. */
  readonly path = new Map<string, TraceValue>();
  readonly failedQps = new Map<object, FailedQp>();
  /** File descriptors of the device by those of the model. */
  readonly descriptors = new Map<TraceValue, TraceValue>();
  /** What has come about so far. */
  readonly happenings: (readonly unknown[])[] = [];
  /** Whether an overrun has happened within the room that a CQ may have and need not. */
  sawOverrun = false;
  /** Whether a CQE has come for which the room was short if those of an open batch take some. */
  sawHeld = false;
  /** Whether a small message has come for which that makes a difference. */
  sawSmall = false;
  /** Whether a CQE was observed that could be of either queue. */
  sawTie = false;
  /** Whether an empty message met a request that names memory which it may not use. */
  sawUnreached = false;
  /** Whether a datagram has come to a QP with another Q_Key than its own. */
  sawOtherQkey = false;
  /** Whether something was under way when a QP was moved to IBV_QPS_ERR. */
  sawWorkAtError = false;
  /** Whether a send was posted just before its QP was moved to IBV_QPS_SQD. */
  sawUnbegun = false;
  /** The numbers of QPs of which a send has waited for a receive. */
  readonly waited = new Set<number>();
  /** At which epoch each QP has begun its last send. */
  readonly begunAt = new WeakMap<object, number>();
  /** The numbers of QPs of which a send may still be on its way when a QP fails at what was begun after it. */
  readonly overtakable = new Set<number>();
  /** Whether a receive of an unreliable QP was too short, which the device may report. */
  sawShort = false;
  /** Whether a message to a QP of UC named memory that it may not touch. */
  sawViolation = false;
  /** Whether an SRQ held less than its limit when that was set. */
  sawHighLimit = false;
  /** Whether the answer to an atomic operation had no place that it may be written to. */
  sawUnanswerable = false;
  /** When the QPs were moved to IBV_QPS_SQD last, also from there, by epochs. */
  readonly drains = new Map<object, number>();
  /** QPs whose move to IBV_QPS_SQD had nothing to drain, or did not ask for the end of that. */
  readonly unsureDrains = new WeakSet<object>();
  /** QPs that were reset with sends that were not done. */
  readonly resetWithSends = new WeakSet<object>();
  /** Whether nothing that comes now can be foreseen. */
  isBeyond = false;
  readonly lateReceives = new LateReceives();
  /** Whether an event was taken for that of one of them. */
  sawLateEvent = false;
  /** How many sends the device could have given up. */
  givenUp = 0;
  readonly timeouts = new RunningTimeouts();
  /** Whether a CQE has failed of which the device is known not to tell as it should. */
  sawSilent = false;
  readonly partial = new PartialMessages();
  readonly heldBuffers = new HeldBuffers();
  /** Of each QP the send that was begun last. */
  readonly lastSends = new Map<Pick<Qp, 'qpNum'>, SendRequest>();
  /** Of each QP the sends that may reach the peer and are flushed. */
  readonly unheard = new Map<object, UnheardSends>();
  /** How many sends of a QP could be so at most. */
  mostUnheard = 0;
  readonly unheardAnswers = new UnheardAnswers();
  /** The wr_ids of sends whose QP has failed on them: they may be flushed, or be done, and then make a CQE or none. */
  readonly unsureSends = new Set<bigint>();
  /** Requests that were given up before their answer was there. */
  readonly unheardSends = new WeakSet<SendRequest>();
  /** QPs whose own work has named memory that it may not use. */
  readonly locallyViolated = new Set<object>();
  /** QPs that have had a path to their peer, in one of their lives. */
  readonly everConnected = new WeakSet<object>();
  /** QPs that have failed before they could receive, in one of their lives. */
  readonly failedEarly = new Set<unknown>();
  /** Whose places the requests of CQEs have taken. */
  readonly #holders = new WeakMap<Cqe, HoldsPlaces>();
  /** The wr_ids of requests that the QP of the peer does not let in. */
  readonly forbiddenSends = new Set<bigint>();
  /** The wr_ids of receives for messages with immediate data that were refused. */
  readonly refusedReceives = new Set<bigint>();
  /** The message that a responder takes at this moment. */
  delivered: Message | undefined;
  /** How many CQEs have found no room in their CQ. */
  overruns = 0;
  /** Of those how many were of receives at which a QP may have failed. */
  lostReceives = 0;
  /** How many were lost in each CQ after the first. */
  readonly lostAgain = new Map<object, number>();

  constructor(
    readonly observation: Observation,
    readonly schedule: Schedule,
    readonly ledger: Ledger,
  ) {
    for (const [index, record] of observation.records.entries()) {
      const as = observation.calls[index]?.as;
      if (record !== undefined && as !== undefined) this.#name('device', as, record);
    }
  }

  get observed(): ProgramRecord | undefined {
    return this.observation.records[this.at];
  }

  get call(): CallOp | undefined {
    return this.observation.calls[this.at];
  }

  /** Whether the device is known not to keep a clause. */
  isKnownFor(clause: string): boolean {
    return this.observation.excused.has(clause);
  }

  /** Whether the device may do otherwise than a clause says, which is then counted. */
  excuses(clause: string): boolean {
    const isExcused = this.isKnownFor(clause);
    if (isExcused) this.ledger.excuse(clause);
    return isExcused;
  }

  /** An R_Key is invalidated: what comes of it where it opens no window is not known. */
  seeInvalidation(window: object | undefined): void {
    if (window === undefined) this.goBeyond('second-invalidation');
  }

  /** A request has completed, and keeps its place until its CQE is polled at the latest. */
  hold(cqe: Cqe, holder: HoldsPlaces): void {
    this.#holders.set(cqe, holder);
  }

  freePlace(cqe: Cqe): void {
    this.#holders.get(cqe)?.freePlace(cqe.queue);
  }

  /** A QP is moved to IBV_QPS_SQD, and tells of the end of its drain for sure or not. */
  seeDrain(qp: object, isTold: boolean): void {
    this.drains.set(qp, this.epoch);
    if (isTold) this.unsureDrains.delete(qp);
    else this.unsureDrains.add(qp);
  }

  /** A QP fails by what has come from a peer: sends of its own may be on their way then. */
  seeFailureByPeer(qp: Pick<Qp, 'qpNum'>): void {
    if (this.begunAt.get(qp) !== this.epoch) return;
    this.overtakable.add(qp.qpNum);
    this.deliverUnheard(qp, this.schedule.overtaken === qp.qpNum ? this.schedule.deliversFlushed : 0);
  }

  /** A QP fails by a request of its own: what was sent to it may come too late. */
  seeOwnFailure(qp: Pick<Qp, 'qpNum'>): void {
    for (const sender of this.lastSends.keys())
      if (sender !== qp && this.begunAt.get(sender) === this.epoch) this.overtakable.add(sender.qpNum);
  }

  /** The peer has as many of the sends of a QP, which does not hear of them any more. */
  deliverUnheard(qp: object, count = this.schedule.deliversFlushed): void {
    const unheard = this.unheard.get(qp);
    this.mostUnheard = Math.max(this.mostUnheard, unheard?.count ?? 0);
    unheard?.deliver(count);
  }

  /** What comes now cannot be foreseen on any device: the judgement ends here. */
  goBeyond(why: LooseName): void {
    this.ledger.take(why);
    this.isBeyond = true;
  }

  /** Whether the device gives up the next send that it may be known to give up at times. */
  givesUp(known: string): boolean {
    return this.isKnownFor(known) && !this.schedule.keptSends.has(Math.min(this.givenUp++, toldSendsMax - 1));
  }

  has(capability: Capability): boolean {
    return this.observation.capabilities.includes(capability);
  }

  /** The model has made what the device has under this name. */
  learn(record: Pick<ProgramRecord, 'returned' | 'outputs'>): void {
    const as = this.call?.as;
    if (as !== undefined) this.#name('model', as, record);
  }

  #name(
    side: 'device' | 'model',
    name: string,
    { returned, outputs }: Pick<ProgramRecord, 'returned' | 'outputs'>,
  ): void {
    if (typeof returned === 'string') this.#names.set(`${side} ${returned}`, name);
    const { qpNum, rkey } = outputs;
    if (typeof qpNum === 'number') this.#qpNums[side].set(name, qpNum);
    if (typeof rkey === 'number') this.#keys[side].push({ name, key: rkey });
  }

  /** The name of an object by its handle. */
  nameOf(side: 'device' | 'model', handle: unknown): string | undefined {
    return this.#names.get(`${side} ${String(handle)}`);
  }

  /** The name of a QP by its number in the model, where each is that of one QP. */
  nameOfQp(modelNum: unknown): string | undefined {
    return [...this.#qpNums.model].find(([, qpNum]) => qpNum === modelNum)?.[0];
  }

  /** Whether a number of the device is that of the QP that has another number in the model. */
  isSameQp(modelNum: unknown, deviceNum: unknown): boolean {
    const { device } = this.#qpNums;
    const name = this.nameOfQp(modelNum);
    return name === undefined ? ![...device.values()].some((one) => one === deviceNum) : device.get(name) === deviceNum;
  }

  /** The window or region whose R_Key differs from this one in the part alone that the program may choose. */
  keyNear(side: 'device' | 'model', key: number): { readonly name: string; readonly key: number } | undefined {
    return this.#keys[side].find((one) => one.key >>> 8 === key >>> 8);
  }

  /** Something has come about now, whether or not the program has seen it: a CQE, or an event. */
  bear(object: object, ...what: readonly unknown[]): void {
    this.happenings.push(what);
    this.#born.set(object, this.epoch);
  }

  /** Whether nothing has shown yet that it is there. */
  isFresh(object: object): boolean {
    return this.#born.get(object) === this.epoch;
  }

  /** The next record of that verb of the source that this call polls, which it has as that argument. */
  following(verb: string, argument: string): ProgramRecord | undefined {
    const source = this.observed?.args.source;
    const isNext = (record: ProgramRecord | undefined): boolean =>
      record?.verb === verb && record.args[argument] === source;
    return this.observation.records.slice(this.at + 1).find(isNext);
  }

  /** The next record of that verb with the same object under that argument, before one that ends the search. */
  ahead(verb: string, argument: string, ends: (record: ProgramRecord) => boolean): ProgramRecord | undefined {
    const own = this.observed?.args[argument];
    for (const record of this.observation.records.slice(this.at + 1)) {
      if (record?.args[argument] !== own) continue;
      if (record?.verb === verb) return record;
      if (record !== undefined && ends(record)) return undefined;
    }
    return undefined;
  }
}

/** A member of a struct that was observed, if it is a number. */
export function numberIn(struct: TraceStruct | undefined, name: string): number | undefined {
  const value = struct?.[name];
  return typeof value === 'number' ? value : undefined;
}
