import type { QpAttr, QpState, QpType } from '../contract';

type Attribute = Exclude<keyof QpAttr, 'qpState'>;

/** What a change of state must set and what else it may set. */
interface Transition {
  readonly required: readonly Attribute[];
  readonly optional: readonly Attribute[];
}

type Table = Readonly<Partial<Record<`${QpState}>${QpState}`, Transition>>>;

const transition = (required: readonly Attribute[], optional: readonly Attribute[] = []): Transition => ({
  required,
  optional,
});

const toRtr = ['ahAttr', 'pathMtu', 'destQpNum', 'rqPsn'] as const;

const rc: Table = {
  'IBV_QPS_RESET>IBV_QPS_INIT': transition(['pkeyIndex', 'portNum', 'qpAccessFlags']),
  'IBV_QPS_INIT>IBV_QPS_INIT': transition([], ['pkeyIndex', 'portNum', 'qpAccessFlags']),
  'IBV_QPS_INIT>IBV_QPS_RTR': transition([...toRtr, 'maxDestRdAtomic', 'minRnrTimer'], ['pkeyIndex', 'qpAccessFlags']),
  'IBV_QPS_RTR>IBV_QPS_RTS': transition(
    ['sqPsn', 'maxRdAtomic', 'retryCnt', 'rnrRetry', 'timeout'],
    ['qpAccessFlags', 'minRnrTimer'],
  ),
  'IBV_QPS_RTS>IBV_QPS_RTS': transition([], ['qpAccessFlags', 'minRnrTimer']),
  'IBV_QPS_RTS>IBV_QPS_SQD': transition([], ['enSqdAsyncNotify']),
  'IBV_QPS_SQD>IBV_QPS_RTS': transition([], ['qpAccessFlags', 'minRnrTimer']),
  'IBV_QPS_SQD>IBV_QPS_SQD': transition(
    [],
    [
      'ahAttr',
      'portNum',
      'pkeyIndex',
      'qpAccessFlags',
      'timeout',
      'retryCnt',
      'rnrRetry',
      'maxRdAtomic',
      'minRnrTimer',
    ],
  ),
};

const uc: Table = {
  'IBV_QPS_RESET>IBV_QPS_INIT': transition(['pkeyIndex', 'portNum', 'qpAccessFlags']),
  'IBV_QPS_INIT>IBV_QPS_INIT': transition([], ['pkeyIndex', 'portNum', 'qpAccessFlags']),
  'IBV_QPS_INIT>IBV_QPS_RTR': transition(toRtr, ['pkeyIndex', 'qpAccessFlags']),
  'IBV_QPS_RTR>IBV_QPS_RTS': transition(['sqPsn'], ['qpAccessFlags']),
  'IBV_QPS_RTS>IBV_QPS_RTS': transition([], ['qpAccessFlags']),
  'IBV_QPS_RTS>IBV_QPS_SQD': transition([], ['enSqdAsyncNotify']),
  'IBV_QPS_SQD>IBV_QPS_RTS': transition([], ['qpAccessFlags']),
  'IBV_QPS_SQD>IBV_QPS_SQD': transition([], ['ahAttr', 'pkeyIndex', 'qpAccessFlags']),
  'IBV_QPS_SQE>IBV_QPS_RTS': transition([], ['qpAccessFlags']),
};

const ud: Table = {
  'IBV_QPS_RESET>IBV_QPS_INIT': transition(['pkeyIndex', 'portNum', 'qkey']),
  'IBV_QPS_INIT>IBV_QPS_INIT': transition([], ['pkeyIndex', 'portNum', 'qkey']),
  'IBV_QPS_INIT>IBV_QPS_RTR': transition([], ['pkeyIndex', 'qkey']),
  'IBV_QPS_RTR>IBV_QPS_RTS': transition(['sqPsn'], ['qkey']),
  'IBV_QPS_RTS>IBV_QPS_RTS': transition([], ['qkey']),
  'IBV_QPS_RTS>IBV_QPS_SQD': transition([], ['enSqdAsyncNotify']),
  'IBV_QPS_SQD>IBV_QPS_RTS': transition([], ['qkey']),
  'IBV_QPS_SQD>IBV_QPS_SQD': transition([], ['pkeyIndex', 'qkey']),
  'IBV_QPS_SQE>IBV_QPS_RTS': transition([], ['qkey']),
};

/** The tables of ibv_modify_qp(3); what they leave open is as the InfiniBand specification has it. */
const tables: Readonly<Record<QpType, Table>> = { IBV_QPT_RC: rc, IBV_QPT_UC: uc, IBV_QPT_UD: ud };

/** From every state, and with no attribute. */
const always = transition([]);

/** Whether a QP may go from one state to another with these attributes: ibv_modify_qp(3). */
export function mayModify(qpType: QpType, from: QpState, to: QpState, attr: QpAttr): boolean {
  const found = to === 'IBV_QPS_RESET' || to === 'IBV_QPS_ERR' ? always : tables[qpType][`${from}>${to}`];
  if (found === undefined) return false;
  const { required, optional } = found;
  const given = Object.keys(attr).filter((name): name is Attribute => name !== 'qpState');
  return (
    required.every((name) => attr[name] !== undefined) &&
    given.every((name) => required.includes(name) || optional.includes(name))
  );
}
