import { callersOf, onPage, type ProviderFaults } from './fault';

const poll = (...slugs: readonly string[]): readonly string[] => onPage('ibv_poll_cq', ...slugs);
const lazy = (...slugs: readonly string[]): readonly string[] => onPage('ibv_create_cq_ex', ...slugs);
const verbs = ['ibv_poll_cq'] as const;

const some = /"returned":[1-9]/;
const several = /"returned":([2-9]|\d\d)/;
const withImm = /IBV_WC_WITH_IMM/;
const withGrh = /IBV_WC_GRH/;
const failed = /"status":"IBV_WC_(?!SUCCESS)/;
const longWrId = /"wrId":"0x[0-9a-f]{9}/;
const flushed = /IBV_WC_WR_FLUSH_ERR/;

/** A provider that hands out completions as the pages do not say. */
export const completionFaults: ProviderFaults = {
  'poll-gives-one-too-many': {
    effect: 'a poll hands out one CQE more than it was asked for',
    exposes: callersOf(verbs, some),
    rules: poll('up-to-num-entries', 'array-filled'),
  },
  'poll-gives-newest-first': {
    effect: 'the newest CQE is handed out first',
    exposes: callersOf(verbs, some),
    rules: poll('oldest-first'),
  },
  'poll-of-none-discards': {
    effect: 'a poll for 0 entries empties the CQ',
    exposes: callersOf(verbs, /"numEntries":0\b/),
    rules: poll('up-to-num-entries'),
  },
  'poll-loses-the-next': {
    effect: 'a poll that leaves CQEs loses the first of them',
    exposes: callersOf(verbs, some),
    rules: poll('up-to-num-entries', 'removed-once-polled'),
  },
  'poll-gives-a-batch-again': {
    effect: 'after several CQEs at once, the first of them is handed out again',
    exposes: callersOf(verbs, several),
    rules: poll('removed-once-polled'),
  },
  'poll-gives-one-at-most': {
    effect: 'a poll hands out one CQE, however many there are',
    exposes: callersOf(verbs, several),
    rules: poll('all-if-fewer', 'returns-count'),
  },
  'wr-id-has-32-bits': {
    effect: 'wr_id loses its upper half',
    exposes: callersOf(verbs, longWrId),
    rules: poll('field-wr-id'),
  },
  'byte-len-and-imm-change-places': {
    effect: 'byte_len and imm_data change places',
    exposes: callersOf(verbs, withImm),
    rules: poll('field-byte-len', 'field-imm-data'),
  },
  'imm-is-swapped': {
    effect: 'the bytes of imm_data are reversed',
    exposes: callersOf(verbs, withImm),
    rules: poll('field-imm-data'),
  },
  'flag-with-imm-is-missing': {
    effect: 'IBV_WC_WITH_IMM is never set',
    exposes: callersOf(verbs, withImm),
    rules: poll('flag-with-imm'),
  },
  'src-qp-is-missing': { effect: 'src_qp is 0', exposes: callersOf(verbs, withGrh), rules: poll('field-src-qp') },
  'write-with-imm-is-a-receive': {
    effect: 'the receive of an RDMA write with immediate is reported as IBV_WC_RECV',
    exposes: callersOf(verbs, /IBV_WC_RECV_RDMA_WITH_IMM/),
    rules: poll('field-opcode'),
  },
  'flush-is-a-success': {
    effect: 'flushed work is reported as done',
    exposes: callersOf(verbs, flushed),
    rules: poll('error-valid-status'),
  },
  'flush-is-a-general-error': {
    effect: 'flushed work is reported with IBV_WC_GENERAL_ERR',
    exposes: callersOf(verbs, flushed),
    rules: poll('error-valid-status'),
  },
  'failed-wr-id-is-0': {
    effect: 'wr_id of a failed CQE is 0',
    exposes: callersOf(verbs, failed),
    rules: poll('error-valid-wr-id'),
  },
  'failed-qp-num-is-0': {
    effect: 'qp_num of a failed CQE is 0',
    exposes: callersOf(verbs, failed),
    rules: poll('error-valid-qp-num'),
  },
  'vendor-err-is-unwritten': {
    effect: 'vendor_err of a failed CQE is not filled in',
    exposes: callersOf(verbs, failed),
    rules: poll('error-valid-vendor-err'),
  },
  'lazy-wr-id-has-32-bits': {
    effect: 'wr_id of an extended CQ loses its upper half',
    exposes: callersOf(['struct ibv_cq_ex'], longWrId),
    rules: lazy('direct-wr-id'),
  },
  'lazy-status-is-success': {
    effect: 'status of an extended CQ is always IBV_WC_SUCCESS',
    exposes: callersOf(['struct ibv_cq_ex'], failed),
    rules: lazy('direct-status'),
  },
  'lazy-end-is-eagain': {
    effect: 'the end of an extended CQ is reported as EAGAIN',
    exposes: callersOf(['ibv_start_poll']),
    rules: lazy('start-enoent', 'next-enoent'),
  },
  'lazy-next-stays': {
    effect: 'ibv_next_poll() returns 0 and stays where it is',
    exposes: callersOf(['ibv_next_poll']),
    rules: lazy('next-advances', 'next-enoent'),
  },
  'lazy-imm-is-swapped': {
    effect: 'ibv_wc_read_imm_data() reverses the bytes',
    exposes: callersOf(['ibv_wc_read_imm_data']),
    rules: lazy('read-imm-data'),
  },
};
