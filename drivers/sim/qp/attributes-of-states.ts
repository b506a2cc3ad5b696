import type { QpState, QpType } from '../../contract';

/** What a QP of one type, or of any, is given on its way to a state: ibv_modify_qp(3). */
type Needs = Readonly<Partial<Record<QpType | 'any', readonly string[]>>>;

const path = ['IBV_QP_AV', 'IBV_QP_PATH_MTU', 'IBV_QP_DEST_QPN', 'IBV_QP_RQ_PSN'] as const;

const needsOnTheWay: Readonly<Record<string, Needs>> = {
  'IBV_QPS_RESET IBV_QPS_INIT': {
    any: ['IBV_QP_PKEY_INDEX', 'IBV_QP_PORT'],
    IBV_QPT_RC: ['IBV_QP_ACCESS_FLAGS'],
    IBV_QPT_UC: ['IBV_QP_ACCESS_FLAGS'],
    IBV_QPT_UD: ['IBV_QP_QKEY'],
  },
  'IBV_QPS_INIT IBV_QPS_RTR': {
    IBV_QPT_RC: [...path, 'IBV_QP_MAX_DEST_RD_ATOMIC', 'IBV_QP_MIN_RNR_TIMER'],
    IBV_QPT_UC: path,
  },
  'IBV_QPS_RTR IBV_QPS_RTS': {
    any: ['IBV_QP_SQ_PSN'],
    IBV_QPT_RC: ['IBV_QP_TIMEOUT', 'IBV_QP_RETRY_CNT', 'IBV_QP_RNR_RETRY', 'IBV_QP_MAX_QP_RD_ATOMIC'],
  },
};

/** The attributes without which a QP of that type may not go from one state to the other. */
export function attributesNeeded(type: QpType, from: QpState, to: QpState): readonly string[] {
  const { any = [], [type]: own = [] } = needsOnTheWay[`${from} ${to}`] ?? {};
  return [...any, ...own];
}
