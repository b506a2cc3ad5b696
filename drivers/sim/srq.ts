import type { RecvWr, SrqAttr } from '../contract';
import { OwedAcks } from './async-events';
import type { Pd } from './pd';
import { postAll } from './post-list';
import { ReceiveQueue } from './receive-queue';
import { demand } from './refusal';

/** A shared receive queue: ibv_create_srq(3), ibv_modify_srq(3), ibv_query_srq(3), ibv_post_srq_recv(3). */
export class Srq extends ReceiveQueue {
  readonly asyncEvents = new OwedAcks();
  /** QPs that take their receives from here. */
  users = 0;
  protected srqLimit = 0;

  constructor(
    readonly pd: Pd,
    { maxWr, maxSge }: SrqAttr,
  ) {
    super(maxWr, maxSge);
    pd.users += 1;
  }

  get attr(): SrqAttr {
    return { maxWr: this.maxWr, maxSge: this.maxSge, srqLimit: this.srqLimit };
  }

  /** Either all of it or nothing is modified. */
  modify({ maxWr = this.maxWr, srqLimit }: Partial<SrqAttr>): void {
    demand(maxWr > 0 && maxWr >= this.length && maxWr <= this.pd.context.device.maxSrqWr, 'EINVAL');
    demand((srqLimit ?? 0) <= maxWr, 'EINVAL');
    this.maxWr = maxWr;
    this.srqLimit = srqLimit ?? this.srqLimit;
  }

  postList(wrs: readonly RecvWr[]): void {
    postAll(wrs, (wr) => {
      this.post(wr);
    });
  }

  override take(): RecvWr | undefined {
    const wr = super.take();
    if (this.length < this.srqLimit) this.reachLimit();
    return wr;
  }

  /** Rules ibv_get_async_event.event-srq-limit, .element-srq. A limit raises one event and is then 0. */
  protected reachLimit(): void {
    this.srqLimit = 0;
    this.pd.context.raise('IBV_EVENT_SRQ_LIMIT_REACHED', this);
  }

  beginDestroy(): void {
    demand(this.users === 0, 'EBUSY');
    this.pd.users -= 1;
    this.pd.context.asyncEvents.forget(this);
  }

  /** Rule ibv_get_async_event.destroy-srq-waits. */
  get destroyable(): boolean {
    return this.asyncEvents.none;
  }
}
