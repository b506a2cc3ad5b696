import type { Wc } from '../contract';
import { AsyncEvent, OwedAcks, type AsyncEvents } from './async-events';
import type { CompChannel } from './comp-channel';
import { demand } from './refusal';

/** What ibv_req_notify_cq(3) can ask for. */
export type NotifyRequest = 'any' | 'solicited';

/** A completion on its way into a CQ. */
export interface Cqe {
  readonly wc: Wc;
  /** The Solicited Event bit of the message that a receive took. */
  readonly solicitedEvent: boolean;
}

/** A completion queue: ibv_create_cq(3), ibv_poll_cq(3), ibv_req_notify_cq(3). */
export class Cq {
  readonly asyncEvents = new OwedAcks();
  readonly compEvents = new OwedAcks();
  /** Queue pairs that use this CQ. */
  users = 0;
  protected request: NotifyRequest | undefined;
  protected overrun = false;
  protected readonly cqes: Cqe[] = [];

  constructor(
    readonly capacity: number,
    readonly cqContext: bigint,
    protected readonly events: AsyncEvents,
    readonly channel: CompChannel | undefined,
  ) {
    channel?.cqs.add(this);
  }

  /** Arms the CQ for a CQE that is added later. */
  notify(scope: NotifyRequest): void {
    this.request = this.combine(this.request, scope);
  }

  /**
   * The request that is pending after another one.
   * Rules ibv_req_notify_cq.solicited-then-next, .next-then-solicited, .repeat-next-noop, .mixed-single-event.
   */
  protected combine(pending: NotifyRequest | undefined, asked: NotifyRequest): NotifyRequest {
    return pending === 'any' ? 'any' : asked;
  }

  add(cqe: Cqe): void {
    if (this.overrun) return;
    if (this.cqes.length >= this.capacity) {
      this.fail();
      return;
    }
    this.cqes.push(cqe);
    if (!this.matchesRequest(cqe)) return;
    this.spendRequest();
    this.channel?.add(this);
  }

  /** Rules ibv_poll_cq.overrun-async-event, .overrun-cq-unusable. */
  protected fail(): void {
    this.overrun = true;
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', this));
  }

  /** Rule ibv_req_notify_cq.nonzero-survives-unsolicited: a CQE that does not match leaves the request pending. */
  protected matchesRequest(cqe: Cqe): boolean {
    return this.request === 'any' || (this.request === 'solicited' && this.isSolicited(cqe));
  }

  /** Rules ibv_req_notify_cq.solicited-recv-send, .unsolicited-recv-success. */
  protected isSolicited(cqe: Cqe): boolean {
    return cqe.solicitedEvent || cqe.wc.status !== 'IBV_WC_SUCCESS';
  }

  /** Rules ibv_req_notify_cq.one-shot, .silent-until-rearmed. */
  protected spendRequest(): void {
    this.request = undefined;
  }

  /**
   * Takes up to `numEntries` completions from the front.
   * The page does not say how an unusable CQ shows; this one refuses with EIO.
   */
  poll(numEntries: number): Cqe[] {
    demand(!this.overrun, 'EIO');
    return this.cqes.splice(0, numEntries);
  }

  countTaken(): void {
    this.compEvents.countTaken();
  }

  acknowledge(nevents: number): void {
    this.compEvents.acknowledge(nevents);
  }

  /** Refuses to destroy a CQ that a QP uses. */
  beginDestroy(): void {
    demand(this.users === 0, 'EBUSY');
    this.channel?.forget(this);
    this.events.forget(this);
  }

  /** Whether destroying may go on. Rules ibv_get_cq_event.destroy-waits-for-acks, .destroy-resumes-on-ack. */
  get destroyable(): boolean {
    return this.compEvents.none && this.asyncEvents.none;
  }
}
