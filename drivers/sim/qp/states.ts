import type { QpState } from '../../contract';

/** The states that follow on each. InfiniBand Architecture Specification 10.3.1. */
const successors: Readonly<Record<QpState, readonly QpState[]>> = {
  IBV_QPS_RESET: ['IBV_QPS_INIT'],
  IBV_QPS_INIT: ['IBV_QPS_INIT', 'IBV_QPS_RTR'],
  IBV_QPS_RTR: ['IBV_QPS_RTS'],
  IBV_QPS_RTS: ['IBV_QPS_RTS', 'IBV_QPS_SQD'],
  IBV_QPS_SQD: ['IBV_QPS_SQD', 'IBV_QPS_RTS'],
  IBV_QPS_SQE: ['IBV_QPS_RTS'],
  IBV_QPS_ERR: [],
  IBV_QPS_UNKNOWN: [],
};

/** The states in which a send queue takes no work requests. InfiniBand Architecture Specification 10.3.1. */
const beforeSending: ReadonlySet<QpState> = new Set(['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR']);

export function takesSends(state: QpState): boolean {
  return !beforeSending.has(state);
}

/** Whether a QP may go from one state to another: all lead to IBV_QPS_RESET and to IBV_QPS_ERR. */
export function leadsTo(from: QpState, to: QpState): boolean {
  return to === 'IBV_QPS_RESET' || to === 'IBV_QPS_ERR' || successors[from].includes(to);
}
