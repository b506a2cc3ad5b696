import { callersOf } from '../provider-faults/fault';
import { asSimulated, type ProviderVariants } from './variant';

const polling = callersOf(['ibv_poll_cq'], /"status":/);
const arming = callersOf(['ibv_req_notify_cq']);
const notified = callersOf(['ibv_get_cq_event'], /"returned":0\b/);

/** When completions and their events come, and which requests make one. */
export const timeVariants: ProviderVariants = {
  ...asSimulated('completions-come-late', polling, { does: 'each CQE comes 2 milliseconds late' }),
  ...asSimulated('sends-complete-late', polling),
  ...asSimulated('receives-complete-late', polling),
  ...asSimulated('completions-come-in-bursts', polling, { does: 'CQEs come in bursts, every 5 milliseconds' }),
  ...asSimulated('cqes-of-different-qps-change-places', callersOf(['ibv_create_qp'], /^/, 2), {
    does: 'the CQEs of a burst stand QP by QP, the last QP first',
  }),
  'events-come-late': {
    does: 'a completion event comes 2 milliseconds after its CQE',
    because: 'a device may moderate its events, and no page says how soon one comes',
    meets: notified,
  },
  ...asSimulated('arm-with-backlog-notifies', arming),
  ...asSimulated('arm-before-get-is-the-same-request', arming),
};
