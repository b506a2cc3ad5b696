import { callsOf, mayHaveSucceeded, type CallRecord, type Handle } from '../../drivers/contract';

/** A CQ of a scenario. */
export interface CqOfTrace {
  readonly cq: Handle;
  readonly channel: Handle | null;
  /** The fewest entries that it has had. */
  readonly entries: number;
}

/** A QP of a scenario, with where its work completes. */
export interface QpOfTrace {
  readonly qp: Handle;
  readonly qpNum: number;
  readonly sendCq: Handle;
  readonly recvCq: Handle;
  readonly srq: Handle | null;
  /** Every send makes a CQE, whatever its flags. */
  readonly sqSigAll: boolean;
}

/** The CQs that a scenario has made, those that it has destroyed among them. */
export function cqsIn(trace: readonly CallRecord[]): CqOfTrace[] {
  const plain = callsOf(trace, 'ibv_create_cq').map(({ args, ...rest }) => ({ ...rest, channel: args.channel }));
  const extended = callsOf(trace, 'ibv_create_cq_ex').map(({ args, ...rest }) => ({
    ...rest,
    channel: args.cqAttr.channel,
  }));
  const resized = callsOf(trace, 'ibv_resize_cq').filter(mayHaveSucceeded);
  return [...plain, ...extended].flatMap(({ returned, channel, outputs }) => {
    if (typeof returned !== 'string') return [];
    const later = resized.filter(({ args }) => args.cq === returned).map((call) => call.outputs.cqe ?? call.args.cqe);
    return [{ cq: returned, channel, entries: Math.min(outputs.cqe ?? 0, ...later) }];
  });
}

/** The QPs that a scenario has made, those that it has destroyed among them. */
export function qpsIn(trace: readonly CallRecord[]): QpOfTrace[] {
  return callsOf(trace, 'ibv_create_qp').flatMap(({ returned, args, outputs }) => {
    if (typeof returned !== 'string' || outputs.qpNum === undefined) return [];
    const { sendCq, recvCq, srq, sqSigAll } = args.qpInitAttr;
    return [{ qp: returned, qpNum: outputs.qpNum, sendCq, recvCq, srq, sqSigAll }];
  });
}
