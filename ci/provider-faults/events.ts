import { onChannel, onPage, type ProviderFaults } from './fault';

const events = (...slugs: readonly string[]): readonly string[] => onPage('ibv_get_cq_event', ...slugs);
const asyncEvents = (...slugs: readonly string[]): readonly string[] => onPage('ibv_get_async_event', ...slugs);
const get = ['ibv_get_cq_event'] as const;
const ack = ['ibv_ack_cq_events'] as const;
const getAsync = ['ibv_get_async_event'] as const;
const ofCq = /IBV_EVENT_CQ_ERR/;

/** A provider that hands out events, or counts their acks, as the pages do not say. */
export const eventFaults: ProviderFaults = {
  'event-comes-twice': {
    effect: 'each completion event comes twice',
    verbs: get,
    rules: onPage('ibv_req_notify_cq', 'one-shot'),
  },
  'event-names-another-cq': {
    effect: 'the event names another CQ of the same channel',
    verbs: get,
    rules: events('fills-cq-shared-channel'),
  },
  'event-has-no-context': {
    effect: 'the event comes with NULL for the user context',
    verbs: get,
    where: /"cqContext":"0x[1-9a-f]/,
    rules: events('fills-cq-context'),
  },
  'first-channel-gets-all-events': {
    effect: 'the events of all CQs go to the channel of the first',
    verbs: ['ibv_create_cq', 'ibv_create_cq_ex'],
    where: onChannel,
    rules: onPage('ibv_req_notify_cq', 'event-on-bound-channel'),
  },
  'failed-get-returns-errno': {
    effect: 'a get that fails returns the errno number',
    verbs: get,
    where: /"returned":-1\b/,
    rules: events('get-returns-minus-one'),
  },
  'nonblocking-get-waits': {
    effect: 'a get waits although the descriptor is non-blocking',
    verbs: get,
    rules: events('fd-nonblock-empty-get'),
  },
  'getting-acknowledges': {
    effect: 'an event counts as acknowledged when it is taken',
    verbs: get,
    rules: events('destroy-waits-for-acks', 'every-event-acked'),
  },
  'ack-counts-as-one': {
    effect: 'an ack of many events counts as one',
    verbs: ack,
    where: /"nevents":(?![01]\b)/,
    rules: events('ack-count', 'ack-batching'),
  },
  'ack-wakes-no-destroy': {
    effect: 'an ack is not counted while a destroy waits for it',
    verbs: ack,
    rules: events('destroy-resumes-on-ack'),
  },
  'cq-error-names-another-cq': {
    effect: 'IBV_EVENT_CQ_ERR names another CQ',
    verbs: getAsync,
    where: ofCq,
    rules: asyncEvents('element-cq'),
  },
  'port-event-names-another-port': {
    effect: 'an event of a port gives the number of another',
    verbs: getAsync,
    where: /IBV_EVENT_PORT_(ERR|ACTIVE)/,
    rules: asyncEvents('element-port', 'event-port-active'),
  },
  'getting-acknowledges-async': {
    effect: 'an asynchronous event of a CQ counts as acknowledged when it is taken',
    verbs: getAsync,
    where: ofCq,
    rules: asyncEvents('destroy-cq-waits'),
  },
  'async-ack-is-not-counted': {
    effect: 'the ack of an asynchronous event of a CQ does not count',
    verbs: ['ibv_ack_async_event'],
    rules: asyncEvents('ack'),
  },
  'event-types-share-a-text': {
    effect: 'two event types have the same text',
    verbs: ['ibv_event_type_str'],
    rules: onPage('ibv_event_type_str', 'event-type-str'),
  },
};
