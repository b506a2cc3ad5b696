import type { QpAttr, QpCap, RecvWr, SendWr, Sge, TraceStruct } from '../contract';
import { bigintOf, numberOf, stringsOf, structOf, structsOf } from '../values';

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
  };
}

export function recvWrOf(args: TraceStruct): RecvWr {
  const wr = structOf(args, 'wr');
  return { wrId: bigintOf(wr, 'wrId'), sgList: sgListOf(wr) };
}

export function sendWrOf(args: TraceStruct): SendWr {
  const wr = structOf(args, 'wr');
  const sendFlags = stringsOf(wr, 'sendFlags') as SendWr['sendFlags'];
  return { wrId: bigintOf(wr, 'wrId'), sgList: sgListOf(wr), opcode: 'IBV_WR_SEND', sendFlags };
}

function sgListOf(wr: TraceStruct): Sge[] {
  return structsOf(wr, 'sgList').map((sge) => ({
    addr: bigintOf(sge, 'addr'),
    length: numberOf(sge, 'length'),
    lkey: numberOf(sge, 'lkey'),
  }));
}
