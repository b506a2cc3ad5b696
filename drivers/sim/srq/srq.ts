import type { RecvWr, SrqAttr } from '../../contract';
import { OwedAcks } from '../async/async-events';
import type { Pd } from '../pd/pd';
import { demand } from '../refusal';
import { ReceiveQueue } from './receive-queue';

/** A shared receive queue: ibv_create_srq(3), ibv_modify_srq(3), ibv_query_srq(3), ibv_post_srq_recv(3). */
export class Srq extends ReceiveQueue {
  readonly asyncEvents = new OwedAcks();
  protected limit = 0;

  constructor(readonly pd: Pd) {
    super();
  }

  modify({ srqLimit = this.limit }: Partial<SrqAttr>): void {
    this.limit = srqLimit;
  }

  /** ibv_query_srq(3): 0 where no limit is armed. */
  get armedLimit(): number {
    return this.limit;
  }

  override take(): RecvWr | undefined {
    const wr = super.take();
    if (wr === undefined) return undefined;
    if (this.length < this.limit) this.reachLimit();
    return wr;
  }

  /** They stay for the other QPs. */
  override takeAll(): RecvWr[] {
    return [];
  }

  /** Rules ibv_get_async_event.event-srq-limit, .element-srq. A limit raises one event and is then 0. */
  protected reachLimit(): void {
    this.limit = 0;
    this.pd.context.raise('IBV_EVENT_SRQ_LIMIT_REACHED', this);
  }

  /** Begins to destroy the SRQ, which no QP may use any more: NOTES of ibv_create_srq(3). */
  beginDestroy(): void {
    demand(!this.pd.context.device.hasQpOf(this), 'EBUSY');
    this.pd.context.asyncEvents.forget(this);
  }

  /** Rule ibv_get_async_event.destroy-srq-waits. */
  get destroyable(): boolean {
    return this.asyncEvents.none;
  }
}
