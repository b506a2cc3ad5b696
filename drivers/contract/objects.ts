/**
 * A handle on the wire and in traces: the kind of object and a number that is never used again, such as `cq#3`.
 * Steps pass objects on and compare them; they never take a handle apart.
 */
export type Handle = string;

/** struct ibv_context: an opened device, ibv_open_device(3). */
export interface Context {
  readonly handle: Handle;
  /** Completion vectors of the device; a CQ's vector is below this number. */
  readonly numCompVectors: number;
}

/** struct ibv_pd: a protection domain, ibv_alloc_pd(3). */
export interface Pd {
  readonly handle: Handle;
}

/** struct ibv_mr: registered memory, ibv_reg_mr(3). */
export interface Mr {
  readonly handle: Handle;
  /** Address of the first byte, in the memory of the process that executes the verbs. */
  readonly addr: bigint;
  /** Bytes. */
  readonly length: number;
  readonly lkey: number;
  readonly rkey: number;
}

/** struct ibv_comp_channel: a completion channel, ibv_create_comp_channel(3). */
export interface CompChannel {
  readonly handle: Handle;
}

/** struct ibv_cq or struct ibv_cq_ex: a completion queue, ibv_create_cq(3), ibv_create_cq_ex(3). */
export interface Cq {
  readonly handle: Handle;
  /** Entries that the CQ had when it was created; at least as many as were asked for. */
  readonly cqe: number;
}

/** struct ibv_srq: a shared receive queue, ibv_create_srq(3). */
export interface Srq {
  readonly handle: Handle;
}

/** struct ibv_ah: an address handle, ibv_create_ah(3). */
export interface Ah {
  readonly handle: Handle;
}

/** struct ibv_mw: a memory window, ibv_alloc_mw(3). */
export interface Mw {
  readonly handle: Handle;
  /** Its R_Key as long as it has not been bound. */
  readonly rkey: number;
}

/** struct ibv_qp: a queue pair, ibv_create_qp(3). */
export interface Qp {
  readonly handle: Handle;
  readonly qpNum: number;
}

/** A completion event as ibv_get_cq_event(3) fills it in. */
export interface CqEvent {
  readonly cq: Cq;
  readonly cqContext: bigint;
}

/** struct ibv_async_event, ibv_get_async_event(3). */
export interface AsyncEvent {
  readonly handle: Handle;
  readonly eventType: string;
  /** The object that the event names, a port number, or `undefined` where the event type has no element. */
  readonly element: Cq | Qp | Srq | number | undefined;
}

/** A text of libibverbs: ibv_event_type_str(3) and its siblings. */
export interface ConstantText {
  readonly text: string;
  /** Where it stands in the memory of the process that executes the verbs. */
  readonly address: bigint;
}
