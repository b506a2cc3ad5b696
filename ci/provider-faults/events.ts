import { callersOf, onChannel, onPage, type ProviderFaults } from './fault';

const events = (...slugs: readonly string[]): readonly string[] => onPage('ibv_get_cq_event', ...slugs);
const asyncEvents = (...slugs: readonly string[]): readonly string[] => onPage('ibv_get_async_event', ...slugs);
const get = ['ibv_get_cq_event'] as const;
const ack = ['ibv_ack_cq_events'] as const;
const getAsync = ['ibv_get_async_event'] as const;
const refused = /"returned":-1\b/;
const ofCq = /IBV_EVENT_CQ_ERR/;

/** Who waits for an ack waits for longer than the windows in which nothing is to happen. */
const blockedDestroy = callersOf(['ibv_destroy_cq'], /"durationUs":\d{5}/);

/** A provider that hands out events, or counts their acks, as the pages do not say. */
export const eventFaults: ProviderFaults = {
  'event-comes-twice': {
    effect: 'each completion event comes twice',
    exposes: callersOf(get),
    rules: onPage('ibv_req_notify_cq', 'one-shot'),
  },
  'event-names-another-cq': {
    effect: 'the event names another CQ of the same channel',
    exposes: callersOf(['ibv_create_cq', 'ibv_create_cq_ex'], onChannel, 2),
    rules: events('fills-cq-shared-channel'),
  },
  'event-has-no-context': {
    effect: 'the event comes with NULL for the user context',
    exposes: callersOf(get, /"cqContext":"0x[1-9a-f]/),
    rules: events('fills-cq-context'),
  },
  'first-channel-gets-all-events': {
    effect: 'the events of all CQs go to the channel of the first',
    exposes: callersOf(['ibv_create_comp_channel'], /^/, 2),
    rules: onPage('ibv_req_notify_cq', 'event-on-bound-channel'),
  },
  'failed-get-returns-errno': {
    effect: 'a get that fails returns the errno number',
    exposes: callersOf(get, refused),
    rules: events('get-returns-minus-one'),
  },
  'nonblocking-get-waits': {
    effect: 'a get waits although the descriptor is non-blocking',
    exposes: callersOf(get, refused),
    rules: events('fd-nonblock-empty-get'),
  },
  'getting-acknowledges': {
    effect: 'an event counts as acknowledged when it is taken',
    exposes: blockedDestroy,
    rules: events('destroy-waits-for-acks', 'every-event-acked'),
  },
  'ack-counts-as-one': {
    effect: 'an ack of many events counts as one',
    exposes: callersOf(ack, /"nevents":(?![01]\b)/),
    rules: events('ack-batching'),
  },
  'ack-wakes-no-destroy': {
    effect: 'an ack is not counted while a destroy waits for it',
    exposes: blockedDestroy,
    rules: events('destroy-resumes-on-ack'),
  },
  'cq-error-names-another-cq': {
    effect: 'IBV_EVENT_CQ_ERR names another CQ',
    exposes: callersOf(getAsync, ofCq),
    rules: asyncEvents('element-cq'),
  },
  'port-event-names-another-port': {
    effect: 'an event of a port gives the number of another',
    exposes: callersOf(getAsync, /IBV_EVENT_PORT_(ERR|ACTIVE)/),
    rules: asyncEvents('element-port'),
  },
  'port-that-comes-back-names-another': {
    effect: 'the event of a port that comes back gives the number of another',
    exposes: callersOf(getAsync, /IBV_EVENT_PORT_ACTIVE/),
    rules: asyncEvents('event-port-active'),
  },
  'getting-acknowledges-async': {
    effect: 'an asynchronous event of a CQ counts as acknowledged when it is taken',
    exposes: callersOf(getAsync, ofCq),
    rules: asyncEvents('destroy-cq-waits'),
  },
  'async-ack-is-not-counted': {
    effect: 'the ack of an asynchronous event of a CQ does not count',
    exposes: callersOf(['ibv_ack_async_event']),
    rules: asyncEvents('ack'),
  },
  'event-types-share-a-text': {
    effect: 'two event types have the same text',
    exposes: callersOf(['ibv_event_type_str']),
    rules: onPage('ibv_event_type_str', 'event-type-str'),
  },
};
