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
    alsoFails: { because: 'it counts the events of a channel', scenarios: callersOf(get, /"returned":0\b/) },
  },
  'event-names-another-cq': {
    effect: 'the event names another CQ of the same channel',
    exposes: callersOf(['ibv_create_cq', 'ibv_create_cq_ex'], onChannel, 2),
    rules: events('fills-cq-shared-channel'),
    alsoFails: {
      because: 'it takes events of a channel that two CQs share',
      scenarios: callersOf(get, /"returned":0\b/),
    },
  },
  'event-has-no-context': {
    effect: 'the event comes with NULL for the user context',
    exposes: callersOf(get, /"cqContext":"0x[1-9a-f]/),
    rules: events('fills-cq-context'),
    alsoBreaks: {
      'it looks at the user context of an event': [
        ...events('signature-get', 'example-minimal-cq'),
        ...onPage('ibv_create_cq', 'signature-create'),
        ...onPage('ibv_create_cq_ex', 'signature', 'attr-cq-context'),
      ],
    },
  },
  'first-channel-gets-all-events': {
    effect: 'the events of all CQs go to the channel of the first',
    exposes: callersOf(['ibv_create_comp_channel'], /^/, 2),
    rules: onPage('ibv_req_notify_cq', 'event-on-bound-channel'),
    alsoBreaks: {
      'it has two channels, and takes the events of the second': onPage(
        'ibv_create_comp_channel',
        'delivers-via-attached',
        'multiple-channels-steer',
        'destroy-busy',
        'destroy-ok-after-cqs',
      ),
    },
  },
  'failed-get-returns-errno': {
    effect: 'a get that fails returns the errno number',
    exposes: callersOf(get, refused),
    rules: events('get-returns-minus-one'),
    alsoBreaks: { 'it looks at the result of such a get': events('example-create-failure', 'fd-nonblock-empty-get') },
  },
  'nonblocking-get-waits': {
    effect: 'a get waits although the descriptor is non-blocking',
    exposes: callersOf(get, refused),
    rules: events('fd-nonblock-empty-get'),
    alsoBreaks: {
      'it gets from an empty channel that is non-blocking': events(
        'blocking-can-be-changed',
        'get-returns-minus-one',
        'acks-match-gets',
        'example-create-failure',
        'fd-nonblock',
        'fd-get-after-pollin',
      ),
    },
  },
  'getting-acknowledges': {
    effect: 'an event counts as acknowledged when it is taken',
    exposes: blockedDestroy,
    rules: events('destroy-waits-for-acks', 'every-event-acked'),
    alsoBreaks: {
      'it has a destroy wait for an ack': events(
        'acks-match-gets',
        'destroy-resumes-on-ack',
        'fd-events-need-ack',
        'signature-ack',
      ),
    },
  },
  'ack-counts-as-one': {
    effect: 'an ack of many events counts as one',
    exposes: callersOf(ack, /"nevents":(?![01]\b)/),
    rules: events('ack-batching'),
    alsoBreaks: {
      'it acknowledges several events in one call, and destroys the CQ': [
        ...events('ack-count', 'ack-returns-nothing', 'destroy-waits-for-acks', 'acks-match-gets'),
        ...onPage('ibv_create_comp_channel', 'destroy-ok-after-cqs'),
        ...onPage('ibv_create_cq', 'destroys'),
      ],
      'several of its events are left to the clean-up, which acknowledges them in one call': [
        ...onPage(
          'ibv_create_cq_ex',
          ...['start-begins-batch', 'start-success-readable', 'next-advances', 'next-zero', 'next-enoent'],
          ...['end-closes-batch', 'end-then-new-start', 'current-completion'],
        ),
        ...onPage(
          'ibv_poll_cq',
          ...['drain-loop', 'up-to-num-entries', 'all-if-fewer', 'oldest-first', 'array-filled', 'returns-count'],
          'removed-once-polled',
        ),
        ...onPage('ibv_create_comp_channel', 'event-conduit'),
        ...events('takes-queued-at-once'),
        ...onPage('ibv_req_notify_cq', 'rearm-restores', 'drain-after-event'),
        ...onPage('ibv_resize_cq', 'not-below-backlog', 'keeps-backlog'),
      ],
    },
  },
  'ack-wakes-no-destroy': {
    effect: 'an ack is not counted while a destroy waits for it',
    exposes: blockedDestroy,
    rules: events('destroy-resumes-on-ack'),
    alsoBreaks: {
      'it acknowledges while a destroy waits': events(
        ...['ack-count', 'every-event-acked', 'destroy-waits-for-acks', 'acks-match-gets', 'fd-events-need-ack'],
      ),
    },
  },
  'cq-error-names-another-cq': {
    effect: 'IBV_EVENT_CQ_ERR names another CQ',
    exposes: callersOf(getAsync, ofCq),
    rules: asyncEvents('element-cq'),
    alsoBreaks: {
      'it waits for the overrun of a CQ among others': [
        ...asyncEvents('element-by-type', 'event-cq-err', 'ack', 'destroy-cq-waits', 'no-event-after-destroy'),
        ...onPage('ibv_create_cq_ex', 'attr-comp-mask'),
        ...onPage('ibv_poll_cq', 'overrun-async-event'),
      ],
    },
  },
  'port-event-names-another-port': {
    effect: 'an event of a port gives the number of another',
    exposes: callersOf(getAsync, /IBV_EVENT_PORT_(ERR|ACTIVE)/),
    rules: asyncEvents('element-port'),
    alsoBreaks: { 'its link goes down first, which blocks it': asyncEvents('event-port-active') },
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
    alsoFails: {
      because: 'it acknowledges the event of a CQ, and destroys the CQ',
      scenarios: callersOf(getAsync, ofCq),
    },
  },
  'event-types-share-a-text': {
    effect: 'two event types have the same text',
    exposes: callersOf(['ibv_event_type_str']),
    rules: onPage('ibv_event_type_str', 'event-type-str'),
  },
};
