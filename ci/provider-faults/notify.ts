import { onChannel, onPage, type ProviderFaults } from './fault';

const notify = (...slugs: readonly string[]): readonly string[] => onPage('ibv_req_notify_cq', ...slugs);
const arm = ['ibv_req_notify_cq'] as const;

/** A provider that arms its CQs as the pages do not say. */
export const notifyFaults: ProviderFaults = {
  'event-is-lost': { effect: 'no armed CQ ever adds an event', verbs: arm, rules: notify('arms-cq') },
  'new-cq-is-armed': {
    effect: 'a new CQ is armed, so an event comes that nobody asked for',
    verbs: ['ibv_create_cq', 'ibv_create_cq_ex'],
    where: onChannel,
    rules: notify('arms-cq'),
  },
  'get-arms-again': {
    effect: 'a request is not spent by its event',
    verbs: ['ibv_get_cq_event'],
    rules: notify('silent-until-rearmed', 'no-auto-rearm'),
  },
  'solicited-means-any': {
    effect: 'a request for solicited CQEs is taken for one for any CQE',
    verbs: arm,
    where: /"solicitedOnly":(?!0\b)/,
    rules: notify('nonzero-solicited-only', 'unsolicited-recv-success'),
  },
  'any-means-solicited': {
    effect: 'a request for any CQE is taken for one for solicited CQEs',
    verbs: arm,
    where: /"solicitedOnly":0\b/,
    rules: notify('zero-any-cqe', 'zero-recv-success', 'zero-send-success'),
  },
  'selector-has-8-bits': {
    effect: 'of solicited_only the lowest byte counts',
    verbs: arm,
    where: /"solicitedOnly":(?![01]\b)/,
    rules: notify('nonzero-any-value'),
  },
  'arming-needs-the-ack': {
    effect: 'a CQ with an event that is not acknowledged cannot be armed',
    verbs: arm,
    rules: notify('rearm-restores'),
  },
  'second-arming-is-refused': {
    effect: 'a CQ that is armed cannot be armed again',
    verbs: arm,
    rules: notify('signature', 'repeat-next-noop'),
  },
  'arming-returns-1': { effect: 'arming returns 1', verbs: arm, rules: notify('returns-zero') },
  'backlog-notifies': {
    effect: 'arming a CQ that is not empty adds an event at once',
    verbs: arm,
    rules: notify('existing-cqe-ignored'),
  },
};
