import type { Handle } from '../../drivers/contract';
import { completesBy, type PostedWork } from './posted-work';
import type { PolledCompletion } from './polled-completions';
import type { QpOfTrace } from './queues';

const success = 'IBV_WC_SUCCESS';

/**
 * The CQEs of a CQ that no work request accounts for. One that was posted completes once at most, with its wr_id, on the
 * CQ of its QP; one without a signal only if it failed.
 *
 * @param work - that may complete on the CQ
 * @param completions - that the CQ has given
 */
export function strayCompletions(
  cq: Handle,
  qps: readonly QpOfTrace[],
  work: readonly PostedWork[],
  completions: readonly PolledCompletion[],
): PolledCompletion[] {
  const open = new Set([...own(work, qps), ...shared(work, qps)]);
  return mostSpecificFirst(completions).filter((completion) => {
    for (const one of open) if (fits(completion, one, qps, cq)) return !open.delete(one);
    return true;
  });
}

function fits({ wrId, status, qpNum }: PolledCompletion, work: PostedWork, qps: readonly QpOfTrace[], cq: Handle) {
  if (wrId !== undefined && wrId !== work.wrId) return false;
  if (status === success && !work.isSignaled) return false;
  return qps.some((qp) => (qpNum === undefined || qpNum === qp.qpNum) && completesBy(work, qp, cq));
}

const own = (work: readonly PostedWork[], qps: readonly QpOfTrace[]): PostedWork[] =>
  work.filter(({ to }) => qps.some(({ qp }) => qp === to));

/** Receives of SRQs: a failed CQE takes one only where it can be of nothing else. */
const shared = (work: readonly PostedWork[], qps: readonly QpOfTrace[]): PostedWork[] =>
  work.filter(({ to }) => !qps.some(({ qp }) => qp === to));

/** A CQE of which less is known leaves to the others what only they fit. */
function mostSpecificFirst(completions: readonly PolledCompletion[]): PolledCompletion[] {
  const rank = ({ wrId, status, qpNum }: PolledCompletion): number =>
    Number(wrId === undefined) * 4 + Number(qpNum === undefined) * 2 + Number(status !== success);
  return [...completions].sort((one, other) => rank(one) - rank(other));
}
