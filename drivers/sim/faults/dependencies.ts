/** What cannot pass while some rules are broken, whoever breaks them. */
export interface Dependency {
  /** Verbs and system calls: of the scenarios that call one of them. Or ids of rules: of their scenarios. */
  readonly of: readonly string[];
  /** Ids of the rules that have to be kept. */
  readonly on: readonly string[];
  readonly why: string;
}

const ids = (page: string, ...slugs: readonly string[]): string[] => slugs.map((slug) => `${page}.${slug}`);

const notify = (...slugs: readonly string[]): string[] => ids('ibv_req_notify_cq', ...slugs);
const getCqEvent = (...slugs: readonly string[]): string[] => ids('ibv_get_cq_event', ...slugs);
const pollCq = (...slugs: readonly string[]): string[] => ids('ibv_poll_cq', ...slugs);
const channel = (...slugs: readonly string[]): string[] => ids('ibv_create_comp_channel', ...slugs);
const createCq = (...slugs: readonly string[]): string[] => ids('ibv_create_cq', ...slugs);
const createCqEx = (...slugs: readonly string[]): string[] => ids('ibv_create_cq_ex', ...slugs);
const getAsyncEvent = (...slugs: readonly string[]): string[] => ids('ibv_get_async_event', ...slugs);

const completionsAsExpected = pollCq(
  'returns-zero-empty',
  'removed-once-polled',
  'oldest-first',
  'array-filled',
  'field-wr-id',
  'field-opcode',
  'field-qp-num',
  'field-byte-len',
  'status-to-be-checked',
  'drain-loop',
  'up-to-num-entries',
);

const ofObjects: readonly Dependency[] = [
  {
    of: ['ibv_create_cq', 'ibv_create_cq_ex'],
    on: createCq('returns-pointer', 'min-size', 'channel-optional'),
    why: 'a CQ has to be there, with the room that was asked for',
  },
  {
    of: ['ibv_destroy_cq'],
    on: [
      ...createCq('destroy-returns-zero', 'destroy-ok-after-qp'),
      ...getCqEvent('destroy-resumes-on-ack', 'destroy-waits-for-acks', 'acks-match-gets'),
      ...getAsyncEvent('destroy-cq-waits'),
    ],
    why: 'a scenario destroys its CQs, and shows by that what they are owed',
  },
  {
    of: ['ibv_create_comp_channel'],
    on: channel('returns-pointer'),
    why: 'several channels have to be there',
  },
  {
    of: ['ibv_destroy_comp_channel'],
    on: [...channel('destroy-returns-zero', 'destroy-ok-after-cqs'), ...createCq('destroys')],
    why: 'a scenario destroys its channels',
  },
  {
    of: [...createCq('destroys'), ...createCqEx('destroy-with-destroy-cq')],
    on: channel('destroy-busy'),
    why: 'that a CQ is gone shows in its channel, which it has kept until then',
  },
  {
    of: ['ibv_resize_cq'],
    on: ids('ibv_resize_cq', 'returns-zero'),
    why: 'a resize has to be told from a refusal',
  },
  {
    of: ids('ibv_resize_cq', 'not-below-backlog'),
    on: ids('ibv_resize_cq', 'keeps-backlog'),
    why: 'the CQEs are counted that a resize has left, or would not have',
  },
  {
    of: ['ibv_modify_cq'],
    on: ids('ibv_modify_cq', 'returns-zero', 'signature', 'moderate-count'),
    why: 'a change has to be told from a refusal, and is seen in the events of the CQ',
  },
  {
    of: [
      ...createCq('vector-lower-bound', 'vector-upper-bound'),
      ...createCqEx('attr-comp-vector'),
      ...getCqEvent('example-create-failure'),
    ],
    on: createCq('returns-null'),
    why: 'a refusal has to be told from a success',
  },
  {
    of: [...pollCq('oldest-first', 'overrun-async-event'), ...getAsyncEvent('event-cq-err')],
    on: createCq('cqe-holds-actual'),
    why: 'they fill the CQ, and cqe tells how many CQEs that takes',
  },
];

const ofCompletionEvents: readonly Dependency[] = [
  {
    of: ['ibv_req_notify_cq'],
    on: notify(
      'returns-zero',
      'arms-cq',
      'marks-only',
      'rearm-restores',
      'zero-any-cqe',
      'zero-recv-success',
      'zero-recv-solicited',
      'zero-recv-error',
      'one-shot',
      'silent-until-rearmed',
      'existing-cqe-ignored',
    ),
    why: 'events are counted: one for what the CQ was armed for, and none besides',
  },
  {
    of: [
      ...createCqEx('current-completion', 'next-advances', 'next-error-needs-end', 'next-success-readable'),
      ...getCqEvent('waits-next'),
      ...notify(
        'effective-after-event',
        'next-counted-from-call',
        'no-threshold',
        'nonzero-any-value',
        'nonzero-solicited-only',
        'nonzero-survives-unsolicited',
        'one-shot',
        'repeat-solicited-noop',
        'solicited-needs-recv-queue',
        'solicited-origin-flag',
        'unsolicited-send-own-flag',
        'unsolicited-send-success',
      ),
    ],
    on: notify('solicited-recv-send', 'nonzero-solicited-only', 'unsolicited-recv-success'),
    why: 'they arm for solicited CQEs, and tell these from others',
  },
  {
    of: [
      ...createCq('channel-used'),
      ...createCqEx('attr-channel'),
      ...getCqEvent('example-arm-before-work'),
      ...notify('event-on-bound-channel'),
    ],
    on: notify('any-cq-allowed'),
    why: 'they arm a CQ that no QP uses yet',
  },
  {
    of: ['poll'],
    on: [
      ...channel('is-file-descriptor', 'event-conduit'),
      ...getCqEvent('fd-pollin-on-event', 'fd-poll-timeout'),
      ...getAsyncEvent('fd-pollin-on-event', 'fd-poll-timeout'),
    ],
    why: 'whether there is an event is found out by poll()',
  },
  {
    of: [
      ...createCqEx('current-completion', 'next-advances', 'next-error-needs-end', 'next-success-readable'),
      ...getCqEvent('spurious-event', 'takes-queued-at-once', 'waits-next'),
      ...notify(
        'nonzero-any-value',
        'nonzero-solicited-only',
        'nonzero-survives-unsolicited',
        'one-shot',
        'repeat-next-noop',
        'repeat-solicited-noop',
        'solicited-recv-error',
        'solicited-send-error',
        'zero-recv-error',
      ),
    ],
    on: getCqEvent('drain-may-be-empty'),
    why: 'they poll an armed CQ before they look for its event',
  },
  {
    of: getCqEvent('signature-get', 'get-returns-zero', 'example-minimal-cq'),
    on: createCq('cq-context-stored'),
    why: 'the event gives the user context of its CQ',
  },
  {
    of: ['fcntl'],
    on: getCqEvent(
      'fd-getfl-preserve',
      'fd-nonblock',
      'fd-nonblock-empty-get',
      'fd-get-after-pollin',
      'acks-match-gets',
    ),
    why: 'they get from a channel that was made non-blocking, with an event and without',
  },
  {
    of: ['ibv_get_cq_event'],
    on: [
      ...getCqEvent('get-returns-zero', 'takes-queued-at-once', 'fills-cq', 'fills-cq-shared-channel', 'waits-next'),
      ...channel('event-conduit', 'shared-by-cqs'),
      ...notify('event-without-polling', 'event-follows-cqe'),
    ],
    why: 'each event is taken by a get, which names the CQ and leaves its CQEs to be polled',
  },
  {
    of: ['ibv_ack_cq_events'],
    on: getCqEvent('ack-count', 'acks-match-gets', 'example-ack-before-poll', 'example-ev-cq-usable'),
    why: 'an ack settles what was taken, and leaves the CQ as it is',
  },
];

const ofCompletions: readonly Dependency[] = [
  {
    of: ['ibv_poll_cq'],
    on: completionsAsExpected,
    why: 'CQEs are compared with those expected: how many, in order, member by member',
  },
  {
    of: ['ibv_start_poll'],
    on: [
      ...completionsAsExpected,
      ...createCqEx(
        'start-zero',
        'start-begins-batch',
        'start-enoent-still-valid',
        'start-enoent',
        'end-closes-batch',
        'current-completion',
      ),
    ],
    why: 'CQEs are read in batches, which begin and end, and hold what a poll would give',
  },
  {
    of: ['ibv_poll_cq', 'ibv_start_poll'],
    on: notify('leftover-pollable'),
    why: 'CQEs come to a CQ whether it is armed or not',
  },
  {
    of: createCqEx('next-enoent-still-valid', 'next-error-needs-end'),
    on: createCqEx('next-enoent'),
    why: 'they begin with a batch that cannot move on',
  },
  {
    of: ['ibv_next_poll'],
    on: createCqEx('next-zero', 'next-advances'),
    why: 'a batch goes on from CQE to CQE',
  },
  {
    of: ['ibv_wc_read_imm_data', ...pollCq('field-imm-inv-union', 'flag-inv-excludes-imm', 'flag-with-imm')],
    on: pollCq('field-imm-data'),
    why: 'the immediate is read',
  },
  {
    of: ['ibv_wc_read_invalidated_rkey', ...pollCq('flag-with-inv')],
    on: pollCq('field-invalidated-rkey'),
    why: 'the invalidated R_Key is read',
  },
  {
    of: ['ibv_wc_read_wc_flags'],
    on: [...pollCq('flag-with-imm', 'flag-with-inv', 'flag-inv-excludes-imm'), ...createCqEx('read-wc-flags')],
    why: 'the flags are read',
  },
  {
    of: ['ibv_wc_read_src_qp'],
    on: [...pollCq('field-src-qp'), ...createCqEx('read-src-qp')],
    why: 'the source QP is read',
  },
  { of: ['ibv_wc_read_qp_num'], on: createCqEx('read-qp-num'), why: 'the QP number is read' },
  { of: ['ibv_wc_read_imm_data'], on: createCqEx('read-imm-data'), why: 'the immediate is read' },
  { of: ['ibv_wc_read_byte_len'], on: createCqEx('read-byte-len'), why: 'the byte length is read' },
  {
    of: [
      ...createCqEx('direct-status'),
      ...pollCq('error-valid-status', 'status-to-be-checked'),
      ...getAsyncEvent('event-qp-access-err'),
      ...notify('solicited-recv-error', 'zero-recv-error'),
    ],
    on: pollCq('error-valid-status', 'error-valid-wr-id', 'error-valid-qp-num'),
    why: 'failed work is recognized by status, wr_id and QP',
  },
];

const ofAsyncEvents: readonly Dependency[] = [
  {
    of: ['ibv_get_async_event'],
    on: getAsyncEvent('get-returns-zero', 'fd-pollin-on-event'),
    why: 'each asynchronous event is taken by a get',
  },
  { of: ['ibv_modify_srq'], on: getAsyncEvent('event-srq-limit'), why: 'the limit of an SRQ raises their event' },
  {
    of: [
      ...createCqEx('attr-comp-mask', 'attr-flags'),
      ...getAsyncEvent('ack', 'destroy-cq-waits', 'element-by-type', 'no-event-after-destroy'),
      ...pollCq('overrun-cq-unusable'),
    ],
    on: getAsyncEvent('event-cq-err', 'element-cq'),
    why: 'a CQ that overruns raises their event',
  },
  {
    of: getAsyncEvent('destroy-qp-waits', 'element-qp', 'no-event-after-destroy'),
    on: getAsyncEvent('event-sq-drained', 'element-qp'),
    why: 'a send queue that is drained raises their event',
  },
  {
    of: getAsyncEvent('no-event-after-destroy'),
    on: getAsyncEvent('element-by-type'),
    why: 'the events of objects are told apart by what they name',
  },
  {
    of: getAsyncEvent('one-thread-receives', 'waits-next'),
    on: getAsyncEvent('blocking'),
    why: 'a get waits until its event comes',
  },
  {
    of: getAsyncEvent('event-port-active'),
    on: getAsyncEvent('event-port-err'),
    why: 'a link comes up after it was down',
  },
];

/** Why rules do not stay green under faults that are not theirs. One that no fault shows any more is to be struck. */
export const dependencies: readonly Dependency[] = [
  ...ofObjects,
  ...ofCompletionEvents,
  ...ofCompletions,
  ...ofAsyncEvents,
];
