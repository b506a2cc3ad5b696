import type { Headers } from './work-request';

/** What travels from a requester to a responder, in one packet or several. */
export interface Message {
  readonly wr: Headers;
  readonly payload: Uint8Array;
  readonly srcQpNum: number;
  /** What a UD receive finds before the payload; nothing on other QPs. */
  readonly grh: Uint8Array;
}

/** There is no receive: the sender waits and tries again, or waits until one is posted. */
export interface NoReceive {
  readonly kind: 'rnr';
  /** Code of the time that the sender has to wait at least: min_rnr_timer of ibv_modify_qp(3). */
  readonly timer: number;
  /**
   * No packet has this. Who tries without limit would keep virtual time from ever coming to rest, so it leaves out the tries
   * that would find nothing.
   */
  readonly whenPosted: (wake: () => void) => void;
}

/** Negative acknowledgements; each ends the request. */
export type Nak = 'invalid-request' | 'access-error' | 'operation-error';

/** What the responder answers: an acknowledgement with the data that were asked for, a NAK, or silence. */
export type Answer =
  { readonly kind: 'ack'; readonly data: Uint8Array } | NoReceive | { readonly kind: Nak } | { readonly kind: 'none' };

export const noBytes = new Uint8Array(0);

export const ack: Answer = { kind: 'ack', data: noBytes };
export const silence: Answer = { kind: 'none' };

/** The Global Routing Header of a UD packet: 40 bytes that the receive finds before the payload. */
export const globalRoutingHeader = new Uint8Array(40);
