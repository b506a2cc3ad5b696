import type { QpType } from '../../contract';
import type { Nak, NoReceive } from '../qp/message';
import type { Headers } from '../qp/work-request';

/** A queue pair as the network knows it. */
export interface Address {
  /** Of the port: 32 hexadecimal digits in groups of four. */
  readonly gid: string;
  readonly qpNum: number;
}

/** Where a packet stands in its message. */
export type Segment = 'first' | 'middle' | 'last' | 'only';

/** What the packets of both directions have. */
interface Routed {
  readonly from: Address;
  readonly to: Address;
  readonly psn: number;
  /** Of the QP that it comes from. */
  readonly pkey: number;
}

/** A packet of a request: a part of a send or of an RDMA write, or a whole RDMA read or atomic operation. */
export interface RequestPacket extends Routed {
  readonly kind: 'request';
  /** The type of the QP that it comes from. */
  readonly transport: QpType;
  readonly segment: Segment;
  readonly wr: Headers;
  readonly payload: Uint8Array;
}

/**
 * What a reliable responder says: all up to this packet has come; this is a part of what was asked for; this packet is
 * missing; there is no receive for its message; or its message is refused.
 */
export type Syndrome =
  | { readonly kind: 'ack' }
  | { readonly kind: 'data'; readonly payload: Uint8Array }
  | { readonly kind: 'gap' }
  | NoReceive
  | { readonly kind: Nak };

/** A packet of an answer: an acknowledgement, a part of an answer to an RDMA read, or a negative acknowledgement. */
export interface ResponsePacket extends Routed {
  readonly kind: 'response';
  readonly syndrome: Syndrome;
}

export type Packet = RequestPacket | ResponsePacket;
