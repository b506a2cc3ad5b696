import { qpAttrBits, type QpAttr } from '../../../contract';
import type { CallOp, ProgramStruct } from '../../../programs/program';
import type { Chance } from '../chance';

/** Attributes that a QP has otherwise. */
const others: ProgramStruct = {
  qpAccessFlags: ['IBV_ACCESS_REMOTE_READ'],
  qkey: 0x1234,
  minRnrTimer: 9,
  timeout: 9,
  retryCnt: 6,
  rnrRetry: 5,
  destQpNum: 0x77,
  rqPsn: 0x345,
  sqPsn: 0x345,
};

/** The same call with attributes that its mask does not name, and which are not looked at. */
export function withUnmasked(chance: Chance, op: CallOp): CallOp {
  if (op.call === 'ibv_modify_srq') return withSize(op);
  return op.call === 'ibv_modify_qp' && chance.happens(0.3) ? withAttributes(chance, op) : op;
}

function withAttributes(chance: Chance, op: CallOp): CallOp {
  const { attr, attrMask } = op.args as { readonly attr: ProgramStruct; readonly attrMask: readonly string[] };
  const unmasked = Object.entries(others).filter(([name]) => !attrMask.includes(qpAttrBits[name as keyof QpAttr]));
  return { ...op, args: { ...op.args, attr: { ...Object.fromEntries(chance.some(unmasked, 0.4)), ...attr } } };
}

/** A size for an SRQ that is not asked to change its own. */
function withSize(op: CallOp): CallOp {
  const { srqAttr, srqAttrMask } = op.args as {
    readonly srqAttr: ProgramStruct;
    readonly srqAttrMask: readonly string[];
  };
  if (srqAttrMask.includes('IBV_SRQ_MAX_WR')) return op;
  return { ...op, args: { ...op.args, srqAttr: { maxWr: 1, ...srqAttr } } };
}
