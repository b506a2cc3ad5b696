import type { TraceStruct } from '../../contract';
import { numberOf, stringsOf } from '../../pipeline/values';
import type { VerbName } from '../../verbs';

/** Longest cq_period in microseconds that every device takes. */
const periodUsMax = 4095;

/** Whether no page says that a device has to take this: requests that some refuse. */
export function mayRefuse(call: VerbName, args: TraceStruct): boolean {
  const verb: string = call;
  switch (verb) {
    case 'ibv_create_cq':
      return Number(args.cqe) <= 0;
    case 'ibv_create_cq_ex':
      return asksForFlags(args.cqAttr as TraceStruct) || numberOf(args.cqAttr as TraceStruct, 'cqe') <= 0;
    case 'ibv_modify_srq':
      return stringsOf(args, 'srqAttrMask').includes('IBV_SRQ_MAX_WR');
    case 'ibv_modify_cq':
      return isUnusualModeration(args.attr as TraceStruct);
    default:
      return false;
  }
}

function asksForFlags(attr: TraceStruct): boolean {
  return stringsOf(attr, 'flags').length > 0 && stringsOf(attr, 'compMask').length > 0;
}

function isUnusualModeration(attr: TraceStruct): boolean {
  if (stringsOf(attr, 'attrMask').length === 0) return true;
  return numberOf(attr.moderate as TraceStruct, 'cqPeriod') > periodUsMax;
}
