/** The structs and enumerations of the verbs, as their descriptions have them. */
export type { AhAttr } from '../verbs/ah';
export { blankWc, unwrittenWord, type ModifyCqAttr, type Wc } from '../verbs/cq';
export { standardWcFlags, wcReaderMethods, type CqInitAttrEx, type WcReader } from '../verbs/cq-ex';
export { mtuBytes, mtuOf, type DeviceAttr, type Mtu, type PortAttr } from '../verbs/device';
export { countingOf, maskOf } from '../verbs/derived/masks';
export type { AccessFlag } from '../verbs/mr';
export { qpAttrBits, type QpAttr, type QpInitAttr, type QpState, type QpType } from '../verbs/qp';
export { srqAttrBits, type SrqAttr, type SrqInitAttr } from '../verbs/srq';
export type { RecvWr, SendFlag, SendWr, Sge, WrOpcode } from '../verbs/work-request';
