import type { RecvWr } from '../../../contract';
import type { Qp } from '../../../sim/qp/qp';

/** They are flushed also when a send is posted there, or a message of the peer comes. No page has a clause about it. */
export const workFlushesReceives = 'a receive that is posted in IBV_QPS_ERR before a send or a message';

/** Receives that were posted in IBV_QPS_ERR to QPs of a device that is known not to flush them at once. */
export class LateReceives {
  readonly #posted: { readonly qp: Qp; readonly wr: RecvWr }[] = [];

  post(qp: Qp, wrs: readonly RecvWr[]): void {
    this.#posted.push(...wrs.map((wr) => ({ qp, wr })));
  }

  /** Those of a QP, which are not there any more then. */
  takeAll(qp: Qp): readonly RecvWr[] {
    const taken = this.#posted.filter((one) => one.qp === qp);
    for (const one of taken) this.#posted.splice(this.#posted.indexOf(one), 1);
    return taken.map(({ wr }) => wr);
  }

  /** All of a QP are flushed. */
  flush(qp: Qp): void {
    for (const wr of this.takeAll(qp)) qp.failReceive(wr, 'IBV_WC_WR_FLUSH_ERR');
  }

  /** The device has flushed one with this wr_id, whose CQE is in this CQ, and with it those that were posted before. */
  flushUpTo(cq: object, wrId: unknown): void {
    const found = this.#posted.find(({ qp, wr }) => qp.init.recvCq === cq && wr.wrId === wrId);
    if (found !== undefined) this.#flush(found.qp, found.wr);
  }

  /** The device has had an event of this CQ, for the first of them. @returns whether there is one */
  flushFirst(cq: object): boolean {
    const first = this.#posted.find(({ qp }) => qp.init.recvCq === cq);
    if (first !== undefined) this.#flush(first.qp, first.wr);
    return first !== undefined;
  }

  /** The device has flushed all whose CQEs are in this CQ. */
  flushAll(cq: object): void {
    for (let left = this.#posted.length; left > 0; left--) this.flushFirst(cq);
  }

  #flush(qp: Qp, last: RecvWr): void {
    const wrs = this.takeAll(qp);
    const end = wrs.indexOf(last) + 1;
    this.post(qp, wrs.slice(end));
    for (const wr of wrs.slice(0, end)) qp.failReceive(wr, 'IBV_WC_WR_FLUSH_ERR');
  }
}
