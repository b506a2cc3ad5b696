import { callersOf } from '../provider-faults/fault';
import { asSimulated, type ProviderVariants } from './variant';

const polling = ['ibv_poll_cq', 'struct ibv_cq_ex'] as const;
const ofFailed = callersOf(polling, /"status":"IBV_WC_(?!SUCCESS)/);
const ofSuccessful = callersOf(polling, /"status":"IBV_WC_SUCCESS"/);
const ofReceives = callersOf(['ibv_poll_cq', 'ibv_wc_read_opcode'], /"IBV_WC_RECV/);
const ofDatagrams = callersOf(['ibv_create_qp'], /"IBV_QPT_UD"/);

/** What completions hold beside the members that are valid. In failed ones rxe itself leaves 0, in vendor_err too. */
export const completionVariants: ProviderVariants = {
  ...asSimulated('failed-cqe-of-ones', ofFailed),
  ...asSimulated('vendor-err-of-all-bits', ofFailed),
  ...asSimulated('statuses-are-coarse', ofFailed),
  ...asSimulated('vendor-err-of-good-work', ofSuccessful),
  ...asSimulated('path-members-of-connected-qps', ofSuccessful),
  ...asSimulated('src-qp-of-connected-qps', ofSuccessful),
  ...asSimulated('byte-len-of-sends', ofSuccessful),
  ...asSimulated('immediates-of-sends', ofSuccessful),
  ...asSimulated('immediates-without-their-flag', ofReceives),
  'connected-qps-have-no-grh': {
    does: 'the CQE of a receive has no IBV_WC_GRH on QPs that are connected',
    because: 'whether a message comes with a GRH is for the path to say',
    meets: ofReceives,
  },
  ...asSimulated('checksums-are-told', ofSuccessful),
  ...asSimulated('datagrams-of-infiniband', ofDatagrams),
};
