import type { SendRequest } from './work-request';

/** What travels from a requester to a responder. */
export interface Message {
  readonly wr: SendRequest;
  readonly payload: Buffer;
  readonly srcQpNum: number;
  /** What a UD receive finds before the payload; nothing on other QPs. */
  readonly grh: Buffer;
}

/** There is no receive: the sender waits and tries again, or waits until one is posted. */
export interface NoReceive {
  readonly kind: 'rnr';
  readonly whenPosted: (wake: () => void) => void;
}

/** Negative acknowledgements; each ends the request. */
export type Nak = 'invalid-request' | 'access-error' | 'operation-error';

/** What the responder answers: an acknowledgement with the data that were asked for, a NAK, or silence. */
export type Answer =
  { readonly kind: 'ack'; readonly data: Buffer } | NoReceive | { readonly kind: Nak } | { readonly kind: 'none' };

export const noBytes = Buffer.alloc(0);

export const ack: Answer = { kind: 'ack', data: noBytes };
export const silence: Answer = { kind: 'none' };

/** The Global Routing Header of a UD packet: 40 bytes that the receive finds before the payload. */
export const globalRoutingHeader = Buffer.alloc(40);
