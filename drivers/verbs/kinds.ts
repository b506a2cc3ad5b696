import {
  either,
  enumeration,
  hex32,
  i32,
  nullable,
  object,
  open,
  struct,
  u32,
  u64,
  u8,
  size,
  type Members,
  type ValueOf,
  type ValuesOf,
} from './idl';

/**
 * A handle on the wire and in traces: the kind of object and a number that is never used again, such as `cq#3`.
 * Steps pass objects on and compare them; they never take a handle apart.
 */
export type Handle = string;

/** struct ibv_qp_cap: sizes of a QP, in work requests and scatter/gather entries. */
export const qpCap = struct('ibv_qp_cap', {
  maxSendWr: u32,
  maxRecvWr: u32,
  maxSendSge: u32,
  maxRecvSge: u32,
  /** Bytes that a send may carry with IBV_SEND_INLINE. */
  maxInlineData: u32,
});

export const eventType = enumeration('ibv_event_type', [
  'IBV_EVENT_CQ_ERR',
  'IBV_EVENT_QP_FATAL',
  'IBV_EVENT_QP_REQ_ERR',
  'IBV_EVENT_QP_ACCESS_ERR',
  'IBV_EVENT_COMM_EST',
  'IBV_EVENT_SQ_DRAINED',
  'IBV_EVENT_PATH_MIG',
  'IBV_EVENT_PATH_MIG_ERR',
  'IBV_EVENT_DEVICE_FATAL',
  'IBV_EVENT_PORT_ACTIVE',
  'IBV_EVENT_PORT_ERR',
  'IBV_EVENT_LID_CHANGE',
  'IBV_EVENT_PKEY_CHANGE',
  'IBV_EVENT_SM_CHANGE',
  'IBV_EVENT_SRQ_ERR',
  'IBV_EVENT_SRQ_LIMIT_REACHED',
  'IBV_EVENT_QP_LAST_WQE_REACHED',
  'IBV_EVENT_CLIENT_REREGISTER',
  'IBV_EVENT_GID_CHANGE',
  'IBV_EVENT_WQ_FATAL',
]);

/** A kind of object: what the verb that makes one says of it, and what it may hold beyond what it is made of. */
export interface KindDescription {
  /** What people call it. */
  readonly words: string;
  readonly members: Members;
  /** Kinds that it keeps from ending although it is not made of them. */
  readonly holds?: readonly string[];
}

const kind = <const D extends KindDescription>(description: D): D => description;

/** The kinds of objects that verbs make and end. */
export const kinds = {
  /** struct ibv_context: an opened device, ibv_open_device(3). */
  context: kind({
    words: 'device context',
    members: {
      /** Completion vectors of the device; a CQ's vector is below this number. */
      numCompVectors: i32,
    },
  }),
  /** struct ibv_pd: a protection domain, ibv_alloc_pd(3). */
  pd: kind({ words: 'PD', members: {} }),
  /** struct ibv_ah: an address handle, ibv_create_ah(3). */
  ah: kind({ words: 'address handle', members: {} }),
  /** Memory that the program has allocated. */
  memory: kind({
    words: 'memory',
    members: {
      /** Address of the first byte, in the memory of the process that executes the verbs. */
      addr: u64,
    },
  }),
  /** struct ibv_mr: registered memory, ibv_reg_mr(3). Pages that are registered stay where they are. */
  mr: kind({
    words: 'MR',
    holds: ['memory'],
    members: {
      /** Address of the first byte. */
      addr: u64,
      /** Bytes. */
      length: size,
      lkey: hex32,
      rkey: hex32,
    },
  }),
  /** struct ibv_mw: a memory window, ibv_alloc_mw(3). A type 2 window that is bound holds its QP. */
  mw: kind({
    words: 'memory window',
    holds: ['qp'],
    members: {
      /** Its R_Key as long as it has not been bound. */
      rkey: hex32,
    },
  }),
  /** struct ibv_comp_channel: a completion channel, ibv_create_comp_channel(3). */
  channel: kind({ words: 'completion channel', members: {} }),
  /** struct ibv_cq or struct ibv_cq_ex: a completion queue, ibv_create_cq(3), ibv_create_cq_ex(3). */
  cq: kind({
    words: 'CQ',
    members: {
      /** Entries that the CQ had when it was created; at least as many as were asked for. */
      cqe: i32,
    },
  }),
  /** struct ibv_srq: a shared receive queue, ibv_create_srq(3). */
  srq: kind({
    words: 'SRQ',
    members: {
      /** Work requests that it really holds. */
      maxWr: u32,
      /** Scatter/gather entries that a work request really may have. */
      maxSge: u32,
    },
  }),
  /** struct ibv_qp: a queue pair, ibv_create_qp(3). */
  qp: kind({
    words: 'QP',
    members: {
      qpNum: hex32,
      /** Its sizes as they really are. */
      cap: qpCap,
    },
  }),
  /** struct ibv_async_event, ibv_get_async_event(3): exists from then until it is acknowledged. */
  event: kind({
    words: 'asynchronous event',
    members: {
      eventType: open(eventType),
      /** The object that the event names, a port number, or `null` where the event type has no element. */
      element: nullable(either(object('cq', 'qp', 'srq'), u8)),
    },
  }),
};

export type Kind = keyof typeof kinds;

type ObjectOf<K extends Kind> = { readonly handle: Handle } & ValuesOf<(typeof kinds)[K]['members'], Objects>;

export interface Context extends ObjectOf<'context'> {}
export interface Pd extends ObjectOf<'pd'> {}
export interface Ah extends ObjectOf<'ah'> {}
export interface Memory extends ObjectOf<'memory'> {}
export interface Mr extends ObjectOf<'mr'> {}
export interface Mw extends ObjectOf<'mw'> {}
export interface CompChannel extends ObjectOf<'channel'> {}
export interface Cq extends ObjectOf<'cq'> {}
export interface Srq extends ObjectOf<'srq'> {}
export interface Qp extends ObjectOf<'qp'> {}
export interface AsyncEvent extends ObjectOf<'event'> {}

/** Objects as steps have them: a handle, and what the verb that made the object said. */
export interface Objects {
  readonly context: Context;
  readonly pd: Pd;
  readonly ah: Ah;
  readonly memory: Memory;
  readonly mr: Mr;
  readonly mw: Mw;
  readonly channel: CompChannel;
  readonly cq: Cq;
  readonly srq: Srq;
  readonly qp: Qp;
  readonly event: AsyncEvent;
}

/** What a type is to steps. */
export type Contract<T> = ValueOf<T, Objects>;

export interface QpCap extends Contract<typeof qpCap> {}
