import { Cq, type Cqe } from '../../cq/cq';

/** A CQ that overruns without an event. */
export class SilentWhenOverrun extends Cq {
  protected override fail(): void {
    this.overrun = true;
  }
}

/** A CQ that counts as overrun when it is just full. */
export class OverrunWhenFull extends Cq {
  override add(cqe: Cqe): void {
    super.add(cqe);
    if (this.cqes.length === this.capacity && !this.overrun) this.fail();
  }
}
