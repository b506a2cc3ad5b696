import { callsOf, type CallRecord, type Handle } from '../../drivers/contract';

/** A CQE as far as it was looked at: a batch of an extended CQ gives a member only to those who read it. */
export interface PolledCompletion {
  readonly cq: Handle;
  readonly wrId?: bigint;
  readonly status?: string;
  readonly qpNum?: number;
  /** When it had been given, in microseconds as in the trace. */
  readonly atUs: number;
}

/** The CQEs that the CQs of a scenario have given. */
export function completionsIn(trace: readonly CallRecord[]): PolledCompletion[] {
  const polled = callsOf(trace, 'ibv_poll_cq').flatMap((call) =>
    (call.outputs.wc ?? []).map(({ wrId, status, qpNum }) => {
      return { cq: call.args.cq, wrId, status, qpNum, atUs: endOf(call) };
    }),
  );
  return [...polled, ...readInBatches(trace)];
}

/** A CQE is given by opening a batch and by moving on; what is read until then is of the one before. */
function readInBatches(trace: readonly CallRecord[]): PolledCompletion[] {
  const given: PolledCompletion[] = [];
  for (const record of trace) {
    const { verb, args } = record;
    const { cq } = args;
    if (typeof cq !== 'string') continue;
    if ((verb === 'ibv_start_poll' || verb === 'ibv_next_poll') && record.returned === 0)
      given.push({ cq, atUs: endOf(record) });
    const current = given.findLastIndex((one) => one.cq === cq);
    const before = given[current];
    if (before === undefined) continue;
    const [direct] = callsOf([record], 'struct ibv_cq_ex');
    const [qpNum] = callsOf([record], 'ibv_wc_read_qp_num');
    if (direct !== undefined) given[current] = { ...before, ...direct.outputs };
    if (qpNum !== undefined) given[current] = { ...before, qpNum: qpNum.outputs.value ?? 0 };
  }
  return given;
}

const endOf = ({ startedAt, durationUs }: Pick<CallRecord, 'startedAt' | 'durationUs'>): number =>
  startedAt + durationUs;
