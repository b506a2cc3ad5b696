import { callsOf, type CallRecord, type Handle } from '../../drivers/contract';
import type { QpOfTrace } from './queues';

/** A work request that a scenario has posted. */
export interface PostedWork {
  /** The QP, or the SRQ. */
  readonly to: Handle;
  readonly queue: 'send' | 'receive';
  readonly wrId: bigint;
  /** Whether it makes a CQE if it succeeds; a failed one does in any case. */
  readonly isSignaled: boolean;
  /** When it was posted, in microseconds as in the trace. */
  readonly atUs: number;
}

/** The work requests that a scenario has posted, each of which completes once at most. */
export function workIn(trace: readonly CallRecord[], qps: readonly QpOfTrace[]): PostedWork[] {
  const sends = callsOf(trace, 'ibv_post_send').flatMap((call) => {
    const { qp } = call.args;
    const all = qps.find((one) => one.qp === qp)?.sqSigAll ?? false;
    return accepted(call).map(({ wrId, sendFlags }): PostedWork => {
      const isSignaled = all || sendFlags.includes('IBV_SEND_SIGNALED');
      return { to: qp, queue: 'send', wrId, isSignaled, atUs: call.startedAt };
    });
  });
  const receives = [...callsOf(trace, 'ibv_post_recv'), ...callsOf(trace, 'ibv_post_srq_recv')].flatMap((call) => {
    const to = 'srq' in call.args ? call.args.srq : call.args.qp;
    return accepted(call).map(({ wrId }): PostedWork => {
      return { to, queue: 'receive', wrId, isSignaled: true, atUs: call.startedAt };
    });
  });
  return [...sends, ...receives];
}

/** Those before the one that was refused; all if the call does not say which it was. */
function accepted<T>(call: {
  readonly errno: string | undefined;
  readonly args: { readonly wrs: readonly T[] };
  readonly outputs: { readonly badWr?: number | null };
}): readonly T[] {
  const { wrs } = call.args;
  return call.errno === undefined ? wrs : wrs.slice(0, call.outputs.badWr ?? wrs.length);
}

/** Whether work of that place and queue completes on a CQ by way of that QP. */
export function completesBy({ to, queue }: PostedWork, qp: QpOfTrace, cq: Handle): boolean {
  if (queue === 'send') return to === qp.qp && qp.sendCq === cq;
  return (to === qp.qp || to === qp.srq) && qp.recvCq === cq;
}

/** The work requests that may complete on a CQ. */
export function workOn(cq: Handle, work: readonly PostedWork[], qps: readonly QpOfTrace[]): PostedWork[] {
  const own = qps.filter(({ sendCq, recvCq }) => sendCq === cq || recvCq === cq);
  return work.filter((one) => own.some((qp) => completesBy(one, qp, cq)));
}
