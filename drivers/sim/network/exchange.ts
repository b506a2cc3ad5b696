import type { WcStatus } from '../cq/completions';
import type { Nak, NoReceive } from '../qp/message';
import type { ResponsePacket } from './packet';
import { psnAfter, psnDistance } from './psn';
import { joined } from './segments';

/** What an answer means for the request that it belongs to. */
export type ExchangeState =
  | { readonly kind: 'acknowledged'; readonly data: Uint8Array }
  | { readonly kind: 'refused'; readonly status: WcStatus }
  | NoReceive
  /** Packets are missing at the peer, or here; it goes on; or the answer is an old one. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'progress' }
  | { readonly kind: 'stale' };

const statusOfNak: Readonly<Record<Nak, WcStatus>> = {
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'access-error': 'IBV_WC_REM_ACCESS_ERR',
  'operation-error': 'IBV_WC_REM_OP_ERR',
};

/** A request on its way: which of its packets are settled, and what has been answered. */
export class Exchange {
  readonly #answers: Uint8Array[] = [];
  #settled = 0;

  /**
   * @param packets - how many packet sequence numbers it takes; a read takes one for each packet of its answer
   * @param isAnswered - whether it brings data back, so that each of these packets has to arrive
   */
  constructor(
    readonly firstPsn: number,
    readonly packets: number,
    readonly isAnswered: boolean,
  ) {}

  /** The packets from the first on that the peer has got, or whose answers are there. */
  get settled(): number {
    return this.#settled;
  }

  take({ psn, syndrome }: ResponsePacket): ExchangeState {
    const ahead = psnDistance(psnAfter(this.firstPsn, this.#settled), psn);
    if (ahead < 0 || this.#settled + ahead >= this.packets) return { kind: 'stale' };
    switch (syndrome.kind) {
      case 'ack':
        return this.isAnswered ? { kind: 'stale' } : this.#settle(ahead + 1);
      case 'data':
        return ahead === 0 ? this.#collect(syndrome.payload) : { kind: 'gap' };
      case 'gap':
      case 'rnr':
        if (!this.isAnswered) this.#settled += ahead; // it has got what came before
        return syndrome;
      case 'invalid-request':
      case 'access-error':
      case 'operation-error':
        return { kind: 'refused', status: statusOfNak[syndrome.kind] };
    }
  }

  #collect(payload: Uint8Array): ExchangeState {
    this.#answers.push(payload);
    return this.#settle(1);
  }

  #settle(packets: number): ExchangeState {
    this.#settled += packets;
    if (this.#settled < this.packets) return { kind: 'progress' };
    return { kind: 'acknowledged', data: joined(this.#answers) };
  }
}
