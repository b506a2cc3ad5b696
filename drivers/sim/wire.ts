import type { QpAttr, QpCap, RecvWr, SendWr, TraceStruct } from '../contract';
import { numberOf, structOf, structsOf } from '../values';

/** Arguments of verbs as structs of the contract; `VerbsDriver` made them from such structs. */
export function qpAttrOf(args: TraceStruct): QpAttr {
  return structOf(args, 'attr');
}

export function qpCapOf(args: TraceStruct): QpCap {
  const cap = structOf(args, 'cap');
  return {
    maxSendWr: numberOf(cap, 'maxSendWr'),
    maxRecvWr: numberOf(cap, 'maxRecvWr'),
    maxSendSge: numberOf(cap, 'maxSendSge'),
    maxRecvSge: numberOf(cap, 'maxRecvSge'),
    maxInlineData: numberOf(cap, 'maxInlineData'),
  };
}

export function recvWrsOf(args: TraceStruct): RecvWr[] {
  return structsOf(args, 'wrs') as unknown as RecvWr[];
}

export function sendWrsOf(args: TraceStruct): SendWr[] {
  return structsOf(args, 'wrs') as unknown as SendWr[];
}
