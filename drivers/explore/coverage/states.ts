import type { EventFile } from '../../sim/channel/event-file';
import type { Cq } from '../../sim/cq/cq';
import type { Qp } from '../../sim/qp/qp';
import type { Srq } from '../../sim/srq/srq';
import { insideCq, insideIterator, limitOf, queuedIn, sendsOf, shortType } from './inside';

/** What is known of objects beside what they keep themselves. */
export interface Beside {
  /** Gets that wait for an event of a file. */
  readonly waitingGets: (file: EventFile<unknown>) => number;
  /** Whether a batch of polls has begun and not ended. */
  readonly isInBatch: (cq: Cq) => boolean;
}

/** Armed for what, how full, whether acknowledgements are owed. */
export function stateOfCq(cq: Cq): string {
  const { request, cqes, capacity, overrun } = insideCq(cq);
  const armed = request === undefined ? 'not armed' : request === 'any' ? 'armed for any' : 'armed for solicited';
  const full = overrun ? 'overrun' : cqes.length === 0 ? 'empty' : cqes.length < capacity ? 'some CQEs' : 'full';
  return [armed, full, ...(cq.destroyable ? [] : ['acks owed'])].join(', ');
}

/** Where a batch of polls stands, and whether more is to come. */
export function stateOfBatch(cq: Cq, { isInBatch }: Beside): string {
  const { current } = insideIterator(cq.iterator);
  const { cqes, overrun } = insideCq(cq);
  const stands = !isInBatch(cq)
    ? 'no batch'
    : current === undefined
      ? 'past the last CQE'
      : current.wc.status === 'IBV_WC_SUCCESS'
        ? 'on a CQE of success'
        : 'on a failed CQE';
  return `${stands}, ${overrun ? 'overrun' : cqes.length === 0 ? 'no more' : 'more'}`;
}

/** Events that wait, gets that wait for one, and whether gets may wait. */
export function stateOfFile(file: EventFile<unknown>, { waitingGets }: Beside): string {
  const queued = queuedIn(file);
  const events = queued === 0 ? 'no event' : queued === 1 ? 'one event' : 'several events';
  const waiting = waitingGets(file) > 0 ? ['a get waits'] : [];
  return [events, ...waiting, file.descriptor.flags.includes('O_NONBLOCK') ? 'non-blocking' : 'blocking'].join(', ');
}

/** Type and state, and what is in its queues. */
export function stateOfQp(qp: Qp): string {
  const sends = sendsOf(qp) > 0 ? 'sends' : 'no sends';
  return `${shortType(qp.init.qpType)} ${nameOfState(qp)}, ${sends}, ${stateOfReceives(qp)}`;
}

export const nameOfState = ({ state }: Qp): string => state.replace('IBV_QPS_', '');

export function stateOfReceives({ init: { srq }, receives }: Qp): string {
  if (srq !== undefined) return 'SRQ';
  return receives.length > 0 ? 'receives' : 'no receives';
}

/** What is posted, whether its limit is set, whether acknowledgements are owed. */
export function stateOfSrq(srq: Srq): string {
  const receives = srq.length === 0 ? 'empty' : 'receives';
  const limit = limitOf(srq) > 0 ? 'limit set' : 'no limit';
  return [receives, limit, ...(srq.destroyable ? [] : ['acks owed'])].join(', ');
}
