import { callersOf, onChannel, onPage, type ProviderFaults } from './fault';

const notify = (...slugs: readonly string[]): readonly string[] => onPage('ibv_req_notify_cq', ...slugs);
const arm = ['ibv_req_notify_cq'] as const;

const takesEvent = callersOf(['ibv_get_cq_event'], /"returned":0\b/);
const findsReadable = callersOf(['poll'], /"returned":1\b/);
const findsSilent = callersOf(['poll'], /"returned":0\b/);

/** A provider that arms its CQs as the pages do not say. */
export const notifyFaults: ProviderFaults = {
  'event-is-lost': {
    effect: 'no armed CQ ever adds an event',
    exposes: callersOf(arm),
    rules: notify('arms-cq'),
    alsoFails: { because: 'it waits for an event', scenarios: (calls) => takesEvent(calls) || findsReadable(calls) },
  },
  'new-cq-is-armed': {
    effect: 'a new CQ is armed, so an event comes that nobody asked for',
    exposes: callersOf(['ibv_create_cq', 'ibv_create_cq_ex'], onChannel),
    rules: notify('arms-cq'),
    alsoFails: {
      because: 'it asks whether a channel has an event',
      scenarios: callersOf(['poll', 'ibv_get_cq_event']),
    },
  },
  'get-arms-again': {
    effect: 'a request is not spent by its event',
    exposes: callersOf(['ibv_get_cq_event']),
    rules: notify('silent-until-rearmed', 'no-auto-rearm'),
    alsoFails: {
      because: 'it takes an event and asks whether there is another',
      scenarios: (calls) => takesEvent(calls) && findsSilent(calls),
    },
  },
  'solicited-means-any': {
    effect: 'a request for solicited CQEs is taken for one for any CQE',
    exposes: callersOf(arm, /"solicitedOnly":(?!0\b)/),
    rules: notify('nonzero-solicited-only', 'unsolicited-recv-success'),
    alsoFails: {
      because: 'it finds a channel silent',
      scenarios: (calls) => findsSilent(calls) || callersOf(['ibv_get_cq_event'])(calls),
    },
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
    alsoFails: {
      because: 'it arms a CQ again before it acknowledges',
      scenarios: (calls) => takesEvent(calls) && callersOf(arm, /^/, 2)(calls),
    },
  },
  'second-arming-is-refused': {
    effect: 'a CQ that is armed cannot be armed again',
    exposes: callersOf(arm, /^/, 2),
    rules: notify('signature', 'returns-zero'),
    alsoFails: { because: 'it arms a CQ more than once', scenarios: callersOf(arm, /^/, 2) },
  },
  'backlog-notifies': {
    effect: 'arming a CQ that is not empty adds an event at once',
    exposes: callersOf(arm),
    rules: notify('existing-cqe-ignored'),
    alsoBreaks: {
      'it arms a CQ that holds a CQE': [
        ...notify('event-without-polling', 'drain-after-event', 'next-counted-from-call', 'solicited-origin-flag'),
        ...onPage('ibv_get_cq_event', 'every-event-acked'),
      ],
    },
  },
};
