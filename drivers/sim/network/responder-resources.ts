import { psnAfter, psnDistance } from './psn';
import { packetAt, packetsFor } from './segments';

/** An answer to an RDMA read or an atomic operation, and the numbers of its packets. */
interface Kept {
  readonly firstPsn: number;
  readonly data: Uint8Array;
}

/** A packet of an answer. */
export interface AnswerPacket {
  readonly psn: number;
  readonly payload: Uint8Array;
}

/**
 * What a reliable responder remembers of the reads and atomic operations that it has carried out, so that one which is
 * asked for again is answered again and not carried out twice.
 */
export class ResponderResources {
  #kept: Kept[] = [];

  /** @param most - max_dest_rd_atomic of ibv_modify_qp(3): so many are remembered */
  keep(firstPsn: number, data: Uint8Array, most: number): void {
    this.#kept = [{ firstPsn, data }, ...this.#kept].slice(0, Math.max(1, most));
  }

  forget(): void {
    this.#kept = [];
  }

  /** The packets of an answer from `psn` on; none if it is too long ago. */
  replay(psn: number, mtu: number): AnswerPacket[] {
    for (const { firstPsn, data } of this.#kept) {
      const first = psnDistance(firstPsn, psn);
      const packets = packetsFor(data.length, mtu);
      if (first >= 0 && first < packets) return answerPackets(firstPsn, data, mtu).slice(first);
    }
    return [];
  }
}

/** An answer in as many packets as it takes. */
export function answerPackets(firstPsn: number, data: Uint8Array, mtu: number): AnswerPacket[] {
  const indices = [...Array(packetsFor(data.length, mtu)).keys()];
  return indices.map((index) => ({ psn: psnAfter(firstPsn, index), payload: packetAt(data, mtu, index) }));
}
