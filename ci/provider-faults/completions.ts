import { onPage, type ProviderFaults } from './fault';

const poll = (...slugs: readonly string[]): readonly string[] => onPage('ibv_poll_cq', ...slugs);
const lazy = (...slugs: readonly string[]): readonly string[] => onPage('ibv_create_cq_ex', ...slugs);
const verbs = ['ibv_poll_cq'] as const;

/** A provider that hands out completions as the pages do not say. */
export const completionFaults: ProviderFaults = {
  'poll-gives-one-too-many': {
    effect: 'a poll hands out one CQE more than it was asked for',
    verbs,
    rules: poll('up-to-num-entries', 'array-filled'),
  },
  'poll-gives-newest-first': { effect: 'the newest CQE is handed out first', verbs, rules: poll('oldest-first') },
  'poll-of-none-discards': {
    effect: 'a poll for 0 entries empties the CQ',
    verbs,
    rules: poll('up-to-num-entries'),
  },
  'poll-loses-the-next': {
    effect: 'a poll that leaves CQEs loses the first of them',
    verbs,
    rules: poll('up-to-num-entries', 'removed-once-polled'),
  },
  'poll-gives-a-batch-again': {
    effect: 'after several CQEs at once, the first of them is handed out again',
    verbs,
    rules: poll('removed-once-polled'),
  },
  'poll-fills-from-the-end': {
    effect: 'the CQEs of a poll lie in the array in reverse order',
    verbs,
    rules: poll('array-filled', 'oldest-first'),
  },
  'poll-gives-one-at-most': {
    effect: 'a poll hands out one CQE, however many there are',
    verbs,
    rules: poll('all-if-fewer', 'returns-count'),
  },
  'full-poll-returns-one-less': {
    effect: 'a poll that fills the array returns one less than it handed out',
    verbs,
    rules: poll('returns-count'),
  },
  'wr-id-has-32-bits': { effect: 'wr_id loses its upper half', verbs, rules: poll('field-wr-id') },
  'byte-len-and-imm-change-places': {
    effect: 'byte_len and imm_data change places',
    verbs,
    rules: poll('field-byte-len', 'field-imm-data'),
  },
  'imm-is-swapped': { effect: 'the bytes of imm_data are reversed', verbs, rules: poll('field-imm-data') },
  'flag-with-imm-is-missing': { effect: 'IBV_WC_WITH_IMM is never set', verbs, rules: poll('flag-with-imm') },
  'flag-grh-is-missing': { effect: 'IBV_WC_GRH is never set', verbs, rules: poll('flag-grh') },
  'undefined-flag-is-set': {
    effect: 'wc_flags has a bit that the header does not define',
    verbs,
    rules: poll('wc-flags-zero-or-or'),
  },
  'src-qp-is-missing': { effect: 'src_qp is 0', verbs, rules: poll('field-src-qp') },
  'write-with-imm-is-a-receive': {
    effect: 'the receive of an RDMA write with immediate is reported as IBV_WC_RECV',
    verbs,
    rules: poll('field-opcode'),
  },
  'read-counts-no-bytes': { effect: 'byte_len of an RDMA read is 0', verbs, rules: poll('field-byte-len') },
  'flush-is-a-success': { effect: 'flushed work is reported as done', verbs, rules: poll('error-valid-status') },
  'flush-is-a-general-error': {
    effect: 'flushed work is reported with IBV_WC_GENERAL_ERR',
    verbs,
    rules: poll('error-valid-status'),
  },
  'failed-wr-id-is-0': { effect: 'wr_id of a failed CQE is 0', verbs, rules: poll('error-valid-wr-id') },
  'failed-qp-num-is-0': { effect: 'qp_num of a failed CQE is 0', verbs, rules: poll('error-valid-qp-num') },
  'vendor-err-is-unwritten': {
    effect: 'vendor_err of a failed CQE is not filled in',
    verbs,
    rules: poll('error-valid-vendor-err'),
  },
  'lazy-wr-id-has-32-bits': {
    effect: 'wr_id of an extended CQ loses its upper half',
    verbs: ['ibv_start_poll'],
    rules: lazy('direct-wr-id'),
  },
  'lazy-status-is-success': {
    effect: 'status of an extended CQ is always IBV_WC_SUCCESS',
    verbs: ['ibv_start_poll'],
    rules: lazy('direct-status'),
  },
  'lazy-end-is-eagain': {
    effect: 'the end of an extended CQ is told as EAGAIN',
    verbs: ['ibv_start_poll'],
    rules: lazy('start-enoent', 'next-enoent'),
  },
  'lazy-next-stays': {
    effect: 'ibv_next_poll() returns 0 and stays where it is',
    verbs: ['ibv_next_poll'],
    rules: lazy('next-advances', 'next-enoent'),
  },
  'lazy-imm-is-swapped': {
    effect: 'ibv_wc_read_imm_data() reverses the bytes',
    verbs: ['ibv_wc_read_imm_data'],
    rules: lazy('read-imm-data'),
  },
  'lazy-byte-len-is-0': {
    effect: 'ibv_wc_read_byte_len() gives 0',
    verbs: ['ibv_wc_read_byte_len'],
    rules: lazy('read-byte-len'),
  },
  'lazy-flag-with-imm-is-missing': {
    effect: 'ibv_wc_read_wc_flags() leaves IBV_WC_WITH_IMM out',
    verbs: ['ibv_wc_read_wc_flags'],
    rules: lazy('read-wc-flags'),
  },
};
