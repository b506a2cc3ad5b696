import type { Qp } from '../../sim/qp/qp';
import type { SendRequest } from '../../sim/qp/work-request';

/** A send that is done. */
export interface DoneSend {
  readonly wr: SendRequest;
  readonly hasCqe: boolean;
}

/** The sends that each QP has done since everything was last known to have happened: it may fail before it hears of them. */
export class UnheardAnswers {
  readonly #done = new Map<Pick<Qp, 'qpNum'>, { readonly epoch: number; readonly sends: DoneSend[] }>();
  /** How many sends a QP that failed could have flushed so at most, by its number. */
  readonly most = new Map<number, number>();

  see(qp: Pick<Qp, 'qpNum'>, epoch: number, send: DoneSend): void {
    const before = this.#done.get(qp);
    if (before?.epoch === epoch) before.sends.push(send);
    else this.#done.set(qp, { epoch, sends: [send] });
  }

  forget(qp: Pick<Qp, 'qpNum'>): void {
    this.#done.delete(qp);
  }

  /** A QP fails. @returns the last of its sends of which it may not have heard, if so many of their CQEs are untaken */
  of(qp: Pick<Qp, 'qpNum'>, epoch: number, untaken: number): readonly DoneSend[] {
    const { sends, epoch: then } = this.#done.get(qp) ?? { sends: [], epoch };
    if (then !== epoch) return [];
    let left = untaken;
    const known = sends.findLastIndex(({ hasCqe }) => hasCqe && --left < 0);
    const unheard = sends.slice(known + 1);
    if (unheard.length > 0) this.most.set(qp.qpNum, Math.max(this.most.get(qp.qpNum) ?? 0, unheard.length));
    return unheard;
  }
}
