import { callersOf } from '../provider-faults/fault';
import { asSimulated, type ProviderVariants } from './variant';

const extended = callersOf(['ibv_create_cq_ex']);
const queuePairs = (type: RegExp) => callersOf(['ibv_create_qp'], type);
const sending = (opcode: RegExp) => callersOf(['ibv_post_send'], opcode);

/** Devices that cannot do what is optional. */
export const lackingVariants: ProviderVariants = {
  ...asSimulated('without-srq', callersOf(['ibv_create_srq'])),
  ...asSimulated('without-uc', queuePairs(/"IBV_QPT_UC"/)),
  ...asSimulated('without-ud', queuePairs(/"IBV_QPT_UD"/)),
  ...asSimulated('without-inline', queuePairs(/"maxInlineData":[1-9]/)),
  ...asSimulated('without-atomics', sending(/"IBV_WR_ATOMIC/)),
  ...asSimulated('without-send-with-invalidate', sending(/"IBV_WR_SEND_WITH_INV"/)),
  ...asSimulated('memory-windows-by-flag-alone', callersOf(['ibv_alloc_mw'])),
  ...asSimulated('without-sq-drain', callersOf(['ibv_modify_qp'], /"IBV_QPS_SQD"/)),
  ...asSimulated('without-solicited-events', callersOf(['ibv_req_notify_cq'], /"solicitedOnly":(?!0\b)/)),
  ...asSimulated('without-notifications', callersOf(['ibv_create_comp_channel'])),
  ...asSimulated('without-resize', callersOf(['ibv_resize_cq'])),
  ...asSimulated('without-extended-cqs', extended),
  ...asSimulated('without-wc-imm', extended),
  ...asSimulated('without-wc-src-qp', extended),
  ...asSimulated('without-wc-dlid-path-bits', extended),
};
