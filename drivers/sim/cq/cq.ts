import type { Wc } from '../../contract';
import { AsyncEvent, OwedAcks, type AsyncEvents } from '../async/async-events';
import type { CompChannel } from '../channel/comp-channel';
import type { Context } from '../device/context';
import type { CqIterator } from './cq-iterator';
import { Moderation } from './moderation';
import { demand } from '../refusal';

/** What ibv_req_notify_cq(3) can ask for. */
export type NotifyRequest = 'any' | 'solicited';

/** A completion on its way into a CQ. */
export interface Cqe {
  readonly wc: Wc;
  /** The queue whose work request it completes. */
  readonly queue: 'send' | 'receive';
  /** The Solicited Event bit of the message that a receive took. */
  readonly solicitedEvent: boolean;
  /** Virtual time of the completion in microseconds. */
  readonly atUs: number;
}

/** How a CQ is made: ibv_create_cq(3), ibv_create_cq_ex(3). */
export interface CqInit {
  /** Entries asked for. */
  readonly cqe: number;
  /** User context pointer of the CQ. */
  readonly cqContext: bigint;
  readonly compVector: number;
  /** IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN. */
  readonly ignoreOverrun?: boolean;
  /** The members that the readers of an extended CQ can give. */
  readonly wcFlags?: readonly string[];
}

/** How an extended CQ is made: ibv_create_cq_ex(3). */
export interface CqExInit extends CqInit {
  readonly wcFlags: readonly string[];
  /** Which of the optional members count. */
  readonly compMask: readonly string[];
  readonly flags: readonly string[];
}

/** What ibv_modify_cq(3) changes, and which of it counts. */
export interface CqChange {
  readonly attrMask: readonly string[];
  readonly cqCount: number;
  readonly cqPeriod: number;
}

/** A completion queue: ibv_create_cq(3), ibv_poll_cq(3), ibv_req_notify_cq(3), ibv_resize_cq(3), ibv_modify_cq(3). */
export class Cq {
  readonly asyncEvents = new OwedAcks();
  readonly compEvents = new OwedAcks();
  /** Rule ibv_create_cq.cq-context-stored. */
  readonly cqContext: bigint;
  /** How completions are polled one by one; for programs with an extended CQ, others have no way to it. */
  readonly iterator: CqIterator;
  /** Queues of QPs that use this CQ. */
  users = 0;
  /** Entries that the CQ really has room for. */
  protected capacity: number;
  protected request: NotifyRequest | undefined;
  protected overrun = false;
  protected readonly cqes: Cqe[] = [];
  protected readonly events: AsyncEvents;
  protected readonly moderation: Moderation;

  constructor(
    readonly context: Context,
    protected readonly init: CqInit,
    readonly channel: CompChannel | undefined,
  ) {
    this.cqContext = init.cqContext;
    this.capacity = this.sizeFor(init.cqe);
    this.events = context.asyncEvents;
    this.moderation = new Moderation(context.device.clock);
    this.iterator = new context.device.parts.CqIterator(this, new Set(init.wcFlags));
    channel?.bind(this);
  }

  /** The member `cqe`. Rules ibv_create_cq.cqe-holds-actual, ibv_create_cq_ex.cqe-holds-actual, ibv_resize_cq.cqe-updated. */
  get cqe(): number {
    return this.capacity;
  }

  /** The CQE that came last, if nobody has polled it. */
  get newestCqe(): Cqe | undefined {
    return this.cqes.at(-1);
  }

  /** The context pointer of an event. Rules ibv_get_cq_event.fills-cq-context, ibv_create_cq_ex.attr-cq-context. */
  get eventContext(): bigint {
    return this.cqContext;
  }

  /** Rules ibv_create_cq.min-size, ibv_create_cq_ex.attr-cqe, ibv_resize_cq.at-least-requested. */
  protected sizeFor(asked: number): number {
    return asked;
  }

  /** ibv_req_notify_cq(3). Rules ibv_req_notify_cq.nonzero-any-value, .no-threshold. */
  arm(solicitedOnly: number): void {
    this.notify(solicitedOnly === 0 ? 'any' : 'solicited');
  }

  /** Arms the CQ for a CQE that is added later. Rules ibv_req_notify_cq.arms-cq, .marks-only, .existing-cqe-ignored. */
  notify(scope: NotifyRequest): void {
    this.request = this.combine(this.request, scope);
  }

  /**
   * The request that is pending after another one.
   * Rules ibv_req_notify_cq.solicited-then-next, .next-then-solicited, .repeat-next-noop, .repeat-solicited-noop,
   * .mixed-any-order-next-wins, .mixed-single-event.
   */
  protected combine(pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
    return pending === 'any' ? 'any' : asked;
  }

  add(cqe: Cqe): void {
    if (this.overrun) return;
    if (this.cqes.length >= this.capacity) {
      this.overflow(cqe);
      return;
    }
    this.cqes.push(cqe);
    if (this.matchesRequest(cqe)) this.gather();
  }

  /** Rules ibv_create_cq_ex.flag-ignore-overrun-no-error, .flag-ignore-overrun-loss. */
  protected overflow(cqe: Cqe): void {
    if (this.init.ignoreOverrun === true) {
      this.cqes.shift();
      this.add(cqe);
    } else {
      this.fail();
    }
  }

  /** Rules ibv_poll_cq.overrun-async-event, .overrun-cq-unusable, ibv_get_async_event.event-cq-err, .element-cq. */
  protected fail(): void {
    this.overrun = true;
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', this));
  }

  /**
   * Rules ibv_req_notify_cq.zero-any-cqe, .nonzero-solicited-only, .nonzero-survives-unsolicited: a CQE that does not
   * match leaves the request pending.
   */
  protected matchesRequest(cqe: Cqe): boolean {
    return this.request === 'any' || (this.request === 'solicited' && this.isSolicited(cqe));
  }

  /**
   * Rules ibv_req_notify_cq.solicited-recv-send, .solicited-recv-send-imm, .solicited-recv-write-imm,
   * .solicited-recv-error, .solicited-send-error, .unsolicited-recv-success, .unsolicited-send-success.
   */
  protected isSolicited(cqe: Cqe): boolean {
    return cqe.solicitedEvent || cqe.wc.status !== 'IBV_WC_SUCCESS';
  }

  /** Rules ibv_modify_cq.moderate-count, .moderate-period. */
  protected gather(): void {
    this.moderation.gather(() => {
      this.fire();
    });
  }

  /** Rules ibv_req_notify_cq.event-on-bound-channel, .event-follows-cqe, ibv_create_cq.channel-used. */
  protected fire(): void {
    this.spendRequest();
    this.channel?.add(this);
  }

  /** Rules ibv_req_notify_cq.one-shot, .silent-until-rearmed, .no-auto-rearm. */
  protected spendRequest(): void {
    this.request = undefined;
  }

  /**
   * Takes up to `numEntries` completions from the front.
   * Rules ibv_poll_cq.up-to-num-entries, .all-if-fewer, .oldest-first, .removed-once-polled, .returns-zero-empty.
   * The page does not say how an unusable CQ shows; this one refuses with EIO.
   */
  poll(numEntries: number): Cqe[] {
    demand(!this.overrun, 'EIO');
    return this.cqes.splice(0, numEntries);
  }

  /** ibv_resize_cq(3). Rule ibv_resize_cq.keeps-backlog. */
  resize(cqe: number): void {
    demand(cqe <= this.context.device.maxCqe, 'EINVAL');
    this.refuseBelowBacklog(cqe);
    this.capacity = this.sizeFor(cqe);
  }

  /** Rules ibv_resize_cq.not-below-backlog, .returns-errno. */
  protected refuseBelowBacklog(cqe: number): void {
    demand(cqe >= this.cqes.length, 'EINVAL');
  }

  /** ibv_modify_cq(3). Rule ibv_modify_cq.modifies-by-mask. */
  modify({ attrMask, cqCount, cqPeriod }: CqChange): void {
    if (!attrMask.includes('IBV_CQ_ATTR_MODERATE')) return;
    this.moderation.cqCount = cqCount;
    this.moderation.cqPeriodUs = cqPeriod;
  }

  countTaken(): void {
    this.compEvents.countTaken();
  }

  /** Rules ibv_get_cq_event.ack-count, .ack-batching, .acks-match-gets. */
  acknowledge(nevents: number): void {
    this.compEvents.acknowledge(nevents);
  }

  /** Begins to destroy the CQ. Rules ibv_create_cq.destroys, .destroy-ok-after-qp. */
  beginDestroy(): void {
    this.refuseWhileBusy();
    this.moderation.forget();
    this.channel?.forget(this);
    this.events.forget(this);
  }

  /** Rules ibv_create_cq.destroy-busy-send-cq, .destroy-busy-recv-cq, .destroy-returns-errno. */
  protected refuseWhileBusy(): void {
    demand(this.users === 0, 'EBUSY');
  }

  /**
   * Whether destroying may go on.
   * Rules ibv_get_cq_event.destroy-waits-for-acks, .destroy-resumes-on-ack, ibv_get_async_event.destroy-cq-waits.
   */
  get destroyable(): boolean {
    return this.compEvents.none && this.asyncEvents.none;
  }
}
