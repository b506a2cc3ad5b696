import { callersOf } from '../provider-faults/fault';
import { asSimulated, type ProviderVariants } from './variant';

const creating = callersOf(['ibv_create_cq', 'ibv_create_cq_ex', 'ibv_resize_cq']);
const resizing = callersOf(['ibv_resize_cq']);
const numbers = callersOf(['ibv_create_qp']);
const refused = callersOf(
  [
    'ibv_create_comp_channel',
    'ibv_create_cq',
    'ibv_create_cq_ex',
    'ibv_destroy_comp_channel',
    'ibv_destroy_cq',
    'ibv_post_recv',
    'ibv_post_send',
    'ibv_resize_cq',
  ],
  /"errno":"?[A-Z1-9]/,
);

/** How large CQs are, how QPs are numbered, and how calls are refused. */
export const objectVariants: ProviderVariants = {
  ...asSimulated('cq-of-twice-the-size', creating),
  ...asSimulated('cq-of-multiples-of-64', creating),
  ...asSimulated('cq-with-twice-the-room', creating),
  ...asSimulated('fewer-entries-at-most', callersOf(['ibv_query_device'])),
  ...asSimulated('cq-does-not-shrink', resizing),
  ...asSimulated('resize-below-the-backlog-does-nothing', resizing, { shownBy: ['ibv_resize_cq.not-below-backlog'] }),
  ...asSimulated('qp-numbers-go-down', numbers),
  // Of a device with one vector, only scenarios that ask for the highest one notice that there are more.
  ...asSimulated('many-comp-vectors', callersOf(['ibv_create_cq', 'ibv_create_cq_ex'], /"compVector":[1-9]/), {
    shownBy: ['ibv_create_cq.vector-upper-bound'],
  }),
  ...asSimulated('refusals-with-eio', refused),
  ...asSimulated('refusals-with-enomem', refused),
  ...asSimulated('empty-gets-are-refused-with-eio', callersOf(['fcntl'], /O_NONBLOCK/)),
  ...asSimulated('flags-of-extended-cqs-are-refused', callersOf(['ibv_create_cq_ex'], /"IBV_CREATE_CQ_ATTR_/), {
    shownBy: ['ibv_create_cq_ex.flag-single-threaded'],
  }),
};
