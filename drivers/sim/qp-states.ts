import type { QpAttr, QpState } from '../contract';

type Attribute = keyof QpAttr;

/** Attributes that ibv_modify_qp(3) requires of an RC QP on its way from one state to another. */
const required: Partial<Record<QpState, Partial<Record<QpState, readonly Attribute[]>>>> = {
  IBV_QPS_RESET: { IBV_QPS_INIT: ['pkeyIndex', 'portNum', 'qpAccessFlags'] },
  IBV_QPS_INIT: {
    IBV_QPS_INIT: [],
    IBV_QPS_RTR: ['ahAttr', 'pathMtu', 'destQpNum', 'rqPsn', 'maxDestRdAtomic', 'minRnrTimer'],
  },
  IBV_QPS_RTR: { IBV_QPS_RTS: ['sqPsn', 'maxRdAtomic', 'retryCnt', 'rnrRetry', 'timeout'] },
  IBV_QPS_RTS: { IBV_QPS_RTS: [], IBV_QPS_SQD: [] },
  IBV_QPS_SQD: { IBV_QPS_RTS: [], IBV_QPS_SQD: [] },
  IBV_QPS_SQE: { IBV_QPS_RTS: [] },
};

/** Whether an RC QP may go from one state to another with these attributes: ibv_modify_qp(3). */
export function mayModify(from: QpState, to: QpState, attr: QpAttr): boolean {
  if (to === 'IBV_QPS_RESET' || to === 'IBV_QPS_ERR') return true;
  return required[from]?.[to]?.every((attribute) => attr[attribute] !== undefined) ?? false;
}
