import type { QpAttr, RecvWr, SendWr, TraceStruct, Wc } from '../contract';
import { bigintOf, numberOf, stringOf, stringsOf } from './values';

/** Structs of the contract as they travel to a backend: objects by their handles, members that are absent left out. */
export function recvWrStruct({ wrId, sgList }: RecvWr): TraceStruct {
  return { wrId, sgList: sgList.map((sge) => ({ ...sge })) };
}

export function sendWrStruct({ sgList, ud, bindMw, rdma, atomic, ...scalars }: SendWr): TraceStruct {
  return {
    ...scalars,
    sgList: sgList.map((sge) => ({ ...sge })),
    ...(rdma !== undefined && { rdma: { ...rdma } }),
    ...(atomic !== undefined && { atomic: { ...atomic } }),
    ...(ud !== undefined && { ud: { ...ud, ah: ud.ah.handle } }),
    ...(bindMw !== undefined && { bindMw: { ...bindMw, mw: bindMw.mw.handle, mr: bindMw.mr.handle } }),
  };
}

export function qpAttrStruct({ ahAttr, ...scalars }: QpAttr): TraceStruct {
  return ahAttr === undefined ? scalars : { ...scalars, ahAttr: { ...ahAttr } };
}

/** A completion as a backend gives it. */
export function wcOf(values: TraceStruct): Wc {
  return {
    wrId: bigintOf(values, 'wrId'),
    status: stringOf(values, 'status'),
    opcode: stringOf(values, 'opcode'),
    vendorErr: numberOf(values, 'vendorErr'),
    byteLen: numberOf(values, 'byteLen'),
    immData: numberOf(values, 'immData'),
    invalidatedRkey: numberOf(values, 'invalidatedRkey'),
    qpNum: numberOf(values, 'qpNum'),
    srcQp: numberOf(values, 'srcQp'),
    wcFlags: stringsOf(values, 'wcFlags'),
    pkeyIndex: numberOf(values, 'pkeyIndex'),
    slid: numberOf(values, 'slid'),
    sl: numberOf(values, 'sl'),
    dlidPathBits: numberOf(values, 'dlidPathBits'),
  };
}
