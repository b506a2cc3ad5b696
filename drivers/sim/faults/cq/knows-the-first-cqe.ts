import type { Cqe } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';

/** An iterator that knows the CQE with which its batch began. */
export class KnowsTheFirstCqe extends CqIterator {
  protected first: Cqe | undefined;

  override start(): void {
    super.start();
    this.first = this.current;
  }
}
