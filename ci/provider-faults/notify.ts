import { callersOf, onChannel, onPage, type ProviderFaults } from './fault';

const notify = (...slugs: readonly string[]): readonly string[] => onPage('ibv_req_notify_cq', ...slugs);
const arm = ['ibv_req_notify_cq'] as const;

/** A provider that arms its CQs as the pages do not say. */
export const notifyFaults: ProviderFaults = {
  'event-is-lost': {
    effect: 'no armed CQ ever adds an event',
    exposes: callersOf(arm),
    rules: notify('arms-cq'),
  },
  'new-cq-is-armed': {
    effect: 'a new CQ is armed, so an event comes that nobody asked for',
    exposes: callersOf(['ibv_create_cq', 'ibv_create_cq_ex'], onChannel),
    rules: notify('arms-cq'),
  },
  'get-arms-again': {
    effect: 'a request is not spent by its event',
    exposes: callersOf(['ibv_get_cq_event']),
    rules: notify('silent-until-rearmed', 'no-auto-rearm'),
  },
  'solicited-means-any': {
    effect: 'a request for solicited CQEs is taken for one for any CQE',
    exposes: callersOf(arm, /"solicitedOnly":(?!0\b)/),
    rules: notify('nonzero-solicited-only', 'unsolicited-recv-success'),
  },
  'selector-has-8-bits': {
    effect: 'of solicited_only the lowest byte counts',
    exposes: callersOf(arm, /"solicitedOnly":(?![01]\b)/),
    rules: notify('nonzero-any-value'),
  },
  'arming-needs-the-ack': {
    effect: 'a CQ with an event that is not acknowledged cannot be armed',
    exposes: callersOf(arm, /^/, 2),
    rules: notify('rearm-restores'),
  },
  'second-arming-is-refused': {
    effect: 'a CQ that is armed cannot be armed again',
    exposes: callersOf(arm, /^/, 2),
    rules: notify('signature', 'returns-zero'),
  },
  'backlog-notifies': {
    effect: 'arming a CQ that is not empty adds an event at once',
    exposes: callersOf(arm),
    rules: notify('existing-cqe-ignored'),
  },
};
