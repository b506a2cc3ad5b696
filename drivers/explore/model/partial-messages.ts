import type { RecvWr } from '../../contract';
import type { Message } from '../../sim/qp/message';
import type { Qp } from '../../sim/qp/qp';
import { isWrite } from '../../sim/qp/work-request';

/**
 * Bytes that may be in memory or not: those of messages that were not taken, in their packets before the last one, or in
 * entries before one that names memory which the QP may not write.
 */
export class PartialMessages {
  readonly #bytes = new Map<bigint, Set<number>>();

  /** A message was not taken, for which there may have been a receive. */
  see({ mtu }: Qp, { wr, payload, grh }: Message, receive: RecvWr | undefined): void {
    const arrived = payload.subarray(0, Math.floor(Math.max(payload.length - 1, 0) / mtu) * mtu);
    if (isWrite(wr)) this.#offer(wr.rdma?.remoteAddr ?? 0n, arrived);
    else this.#offerToReceive(receive, [...grh, ...arrived]);
  }

  /** The receive names memory that may not be written, behind so many entries. */
  seeRefused({ payload, grh }: Message, { sgList }: Pick<RecvWr, 'sgList'>, entries: number): void {
    this.#offerToReceive({ sgList: sgList.slice(0, entries) }, [...grh, ...payload]);
  }

  #offerToReceive(receive: Pick<RecvWr, 'sgList'> | undefined, bytes: readonly number[]): void {
    let at = 0;
    for (const { addr, length } of receive?.sgList ?? []) {
      this.#offer(addr, bytes.slice(at, at + length));
      at += length;
    }
  }

  #offer(addr: bigint, bytes: Iterable<number>): void {
    let at = addr;
    for (const byte of bytes) {
      this.#bytes.set(at, (this.#bytes.get(at) ?? new Set<number>()).add(byte));
      at += 1n;
    }
  }

  /** Whether a byte may be there in place of that of the model. */
  mayBe(at: bigint, byte: number): boolean {
    return this.#bytes.get(at)?.has(byte) === true;
  }
}
