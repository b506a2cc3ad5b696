import type { QpState, QpType } from '../../contract';

/** What a QP of one type, or of any, is given on its way to a state: ibv_modify_qp(3). */
type Needs = Readonly<Partial<Record<QpType | 'any', readonly string[]>>>;

const path = ['IBV_QP_AV', 'IBV_QP_PATH_MTU', 'IBV_QP_DEST_QPN', 'IBV_QP_RQ_PSN'] as const;

const ofInit: Needs = {
  any: ['IBV_QP_PKEY_INDEX', 'IBV_QP_PORT'],
  IBV_QPT_RC: ['IBV_QP_ACCESS_FLAGS'],
  IBV_QPT_UC: ['IBV_QP_ACCESS_FLAGS'],
  IBV_QPT_UD: ['IBV_QP_QKEY'],
};

const needsOnTheWay: Readonly<Record<string, Needs>> = {
  'IBV_QPS_RESET IBV_QPS_INIT': ofInit,
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

const resting = ['IBV_QP_CUR_STATE', 'IBV_QP_QKEY'] as const;
const moving = ['IBV_QP_CUR_STATE', 'IBV_QP_ALT_PATH', 'IBV_QP_ACCESS_FLAGS', 'IBV_QP_PATH_MIG_STATE'] as const;
const inRts: Needs = { IBV_QPT_RC: [...moving, 'IBV_QP_MIN_RNR_TIMER'], IBV_QPT_UC: moving, IBV_QPT_UD: resting };
/** A path is none of them: the uverbs module of Linux has the port go with it, which QPs of UC may not change then. */
const drainedOfUc = ['IBV_QP_ALT_PATH', 'IBV_QP_ACCESS_FLAGS', 'IBV_QP_PKEY_INDEX', 'IBV_QP_PATH_MIG_STATE'];
const drained = ['IBV_QP_AV', ...drainedOfUc];

/** What a QP may be given beside that. InfiniBand Architecture Specification 11.2.5.2. */
const mayHaveOnTheWay: Readonly<Record<string, Needs>> = {
  'IBV_QPS_INIT IBV_QPS_INIT': ofInit,
  'IBV_QPS_INIT IBV_QPS_RTR': {
    any: ['IBV_QP_PKEY_INDEX'],
    IBV_QPT_RC: ['IBV_QP_ALT_PATH', 'IBV_QP_ACCESS_FLAGS'],
    IBV_QPT_UC: ['IBV_QP_ALT_PATH', 'IBV_QP_ACCESS_FLAGS'],
    IBV_QPT_UD: ['IBV_QP_QKEY'],
  },
  'IBV_QPS_RTR IBV_QPS_RTS': inRts,
  'IBV_QPS_RTS IBV_QPS_RTS': inRts,
  'IBV_QPS_SQD IBV_QPS_RTS': inRts,
  'IBV_QPS_RTS IBV_QPS_SQD': { any: ['IBV_QP_EN_SQD_ASYNC_NOTIFY'] },
  'IBV_QPS_SQD IBV_QPS_SQD': {
    IBV_QPT_RC: [
      ...drained,
      'IBV_QP_PORT',
      'IBV_QP_TIMEOUT',
      'IBV_QP_RETRY_CNT',
      'IBV_QP_RNR_RETRY',
      'IBV_QP_MAX_QP_RD_ATOMIC',
      'IBV_QP_MAX_DEST_RD_ATOMIC',
      'IBV_QP_MIN_RNR_TIMER',
    ],
    IBV_QPT_UC: drainedOfUc,
    IBV_QPT_UD: ['IBV_QP_PKEY_INDEX', 'IBV_QP_QKEY'],
  },
};

/** The attributes that a QP of that type may be given when it goes from one state to the other. */
export function attributesAllowed(type: QpType, from: QpState, to: QpState): ReadonlySet<string> {
  const { any = [], [type]: own = [] } = mayHaveOnTheWay[`${from} ${to}`] ?? {};
  return new Set(['IBV_QP_STATE', ...attributesNeeded(type, from, to), ...any, ...own]);
}
