import type { Context } from '../device/context';
import type { Cq } from '../cq/cq';
import type { Descriptor } from '../descriptors';
import { EventFile } from './event-file';
import { demand } from '../refusal';

/** A completion channel: ibv_create_comp_channel(3), ibv_get_cq_event(3). */
export class CompChannel extends EventFile<Cq> {
  /** CQs that are bound to the channel. */
  readonly cqs = new Set<Cq>();

  constructor(
    readonly context: Context,
    descriptor: Descriptor,
  ) {
    super(descriptor);
  }

  /** The member `context` of the struct. Rule ibv_create_comp_channel.creates-on-context. */
  get contextMember(): Context | undefined {
    return this.context;
  }

  /** Rule ibv_create_comp_channel.shared-by-cqs. */
  bind(cq: Cq): void {
    this.cqs.add(cq);
  }

  override take(): Cq | undefined {
    const cq = super.take();
    cq?.countTaken();
    return cq;
  }

  /** Events that nobody took die with their CQ. */
  forget(cq: Cq): void {
    this.events = this.events.filter((event) => event !== cq);
    this.cqs.delete(cq);
  }

  /** Rules ibv_create_comp_channel.destroys, .destroy-ok-after-cqs. */
  destroy(): void {
    this.refuseWhileBusy();
    this.context.device.descriptors.close(this.descriptor);
  }

  /** Rules ibv_create_comp_channel.destroy-busy, .destroy-returns-errno. */
  protected refuseWhileBusy(): void {
    demand(this.cqs.size === 0, 'EBUSY');
  }
}
