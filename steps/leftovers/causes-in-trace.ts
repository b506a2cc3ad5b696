import { callsOf, mayHaveSucceeded, type CallRecord, type Handle } from '../../drivers/contract';
import type { AsyncCauses } from './async-event-causes';
import type { QpOfTrace } from './queues';

/**
 * What a scenario did that makes asynchronous events lawful.
 *
 * @param hasSent - whether anything was sent, from here or from another device
 * @param lostCompletions - how many CQEs a CQ can have lost
 */
export function causesIn(
  trace: readonly CallRecord[],
  qps: readonly QpOfTrace[],
  hasSent: boolean,
  lostCompletions: AsyncCauses['lostCompletions'],
): AsyncCauses {
  const moves = callsOf(trace, 'ibv_modify_qp').filter(mayHaveSucceeded);
  const limits = callsOf(trace, 'ibv_modify_srq').filter(mayHaveSucceeded);
  const attrsOf = (qp: Handle) => moves.filter(({ args }) => args.qp === qp).map(({ args }) => args.attr);
  return {
    hasSent,
    lostCompletions,
    movesTo: (qp, state) => attrsOf(qp).filter(({ qpState }) => qpState === state).length,
    drains: (qp) => attrsOf(qp).filter(({ enSqdAsyncNotify = false }) => enSqdAsyncNotify).length,
    migrations: (qp) => attrsOf(qp).filter((attr) => 'altAhAttr' in attr || 'pathMigState' in attr).length,
    hasSrq: (qp) => qps.some((one) => one.qp === qp && one.srq !== null),
    limits: (srq) => limits.filter(({ args }) => args.srq === srq && (args.srqAttr.srqLimit ?? 0) > 0).length,
  };
}
