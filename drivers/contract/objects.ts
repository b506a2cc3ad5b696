import type { VerbMethods } from '../verbs';

export { objectsOfCall, type CallObjects } from '../verbs/derived/call-objects';
export { callText, type CallText, type StoredCall } from '../verbs/derived/call-text';
export { comparedText } from '../verbs/derived/compared-text';
export type { Scope } from '../verbs/derived/c-text';
export { end, endingOrder } from '../verbs/derived/lifetimes';
export { callsOf, isEnding, mayHaveSucceeded } from '../verbs/derived/recorded';
export { eventType, kinds } from '../verbs/kinds';

export type {
  Ah,
  AsyncEvent,
  CompChannel,
  Context,
  Cq,
  Handle,
  Kind,
  Memory,
  Mr,
  Mw,
  Objects,
  Pd,
  Qp,
  QpCap,
  Srq,
} from '../verbs/kinds';

type Result<Name extends keyof VerbMethods> = Awaited<ReturnType<VerbMethods[Name]>>;

/** A completion event as ibv_get_cq_event(3) fills it in. */
export type CqEvent = Result<'getCqEvent'>;
/** struct ibv_cq as it is now. */
export type CqMembers = Result<'readCq'>;
/** struct ibv_comp_channel. */
export type CompChannelMembers = Result<'readCompChannel'>;
/** A text of libibverbs: ibv_event_type_str(3) and its siblings. */
export type ConstantText = Result<'eventTypeStr'>;
