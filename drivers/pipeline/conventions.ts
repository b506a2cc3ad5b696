import type { WcReader } from '../contract';

/**
 * How a C function says that it refused: the four ways of libibverbs, and the functions that cannot refuse.
 * Where -1 is a refusal and 0 the only success, anything else is taken for a refusal that is reported in a wrong way.
 */
export type FailureConvention = 'null' | 'minus-one' | 'zero-or-minus-one' | 'errno' | 'negative' | 'never';

/** ibv_wc_read_opcode() and its siblings return what they read. */
const wcReaderConventions = {
  ibv_wc_read_opcode: 'never',
  ibv_wc_read_vendor_err: 'never',
  ibv_wc_read_byte_len: 'never',
  ibv_wc_read_imm_data: 'never',
  ibv_wc_read_invalidated_rkey: 'never',
  ibv_wc_read_qp_num: 'never',
  ibv_wc_read_src_qp: 'never',
  ibv_wc_read_wc_flags: 'never',
  ibv_wc_read_slid: 'never',
  ibv_wc_read_sl: 'never',
  ibv_wc_read_dlid_path_bits: 'never',
  ibv_wc_read_completion_ts: 'never',
} as const satisfies Record<`ibv_wc_read_${WcReader}`, FailureConvention>;

/** Members of structs and registered memory, which a program reads and writes without a call; named as the C types. */
const memberConventions = {
  'struct ibv_comp_channel': 'never',
  'struct ibv_cq': 'never',
  'struct ibv_cq_ex': 'never',
  'memory read': 'never',
  'memory write': 'never',
} as const satisfies Record<string, FailureConvention>;

/** The C functions that drivers execute, with the way each page says that it fails. */
export const conventions = {
  ibv_open_device: 'null',
  ibv_close_device: 'errno',
  ibv_query_device: 'errno',
  ibv_query_port: 'errno',
  ibv_alloc_pd: 'null',
  ibv_dealloc_pd: 'errno',
  ibv_create_ah: 'null',
  ibv_destroy_ah: 'errno',
  ibv_reg_mr: 'null',
  ibv_dereg_mr: 'errno',
  ibv_alloc_mw: 'null',
  ibv_dealloc_mw: 'errno',
  ibv_create_comp_channel: 'null',
  ibv_destroy_comp_channel: 'errno',
  ibv_create_cq: 'null',
  ibv_create_cq_ex: 'null',
  ibv_destroy_cq: 'errno',
  ibv_resize_cq: 'errno',
  ibv_modify_cq: 'errno',
  ibv_req_notify_cq: 'errno',
  ibv_poll_cq: 'negative',
  ibv_start_poll: 'errno',
  ibv_next_poll: 'errno',
  ibv_end_poll: 'never',
  ...wcReaderConventions,
  ibv_get_cq_event: 'zero-or-minus-one',
  ibv_ack_cq_events: 'never',
  ibv_get_async_event: 'zero-or-minus-one',
  ibv_ack_async_event: 'never',
  ibv_create_qp: 'null',
  ibv_modify_qp: 'errno',
  ibv_destroy_qp: 'errno',
  ibv_post_recv: 'errno',
  ibv_post_send: 'errno',
  ibv_create_srq: 'null',
  ibv_modify_srq: 'errno',
  ibv_destroy_srq: 'errno',
  ibv_post_srq_recv: 'errno',
  ibv_event_type_str: 'null',
  ibv_node_type_str: 'null',
  ibv_port_state_str: 'null',
  poll: 'minus-one',
  fcntl: 'minus-one',
  setrlimit: 'minus-one',
  ...memberConventions,
} as const satisfies Record<string, FailureConvention>;

export type VerbName = keyof typeof conventions;

/** Whether a raw result is a refusal under its function's convention. */
export function isRefusal(verb: VerbName, returned: number | string | null): boolean {
  const convention: FailureConvention = conventions[verb];
  switch (convention) {
    case 'null':
      return returned === null;
    case 'minus-one':
      return returned === -1;
    case 'errno':
    case 'zero-or-minus-one':
      return returned !== 0;
    case 'negative':
      return typeof returned === 'number' && returned < 0;
    case 'never':
      return false;
  }
}

/** What a function returns to refuse with `errno`. */
export function refusalOf(verb: VerbName, errno: number): number | null {
  const convention: FailureConvention = conventions[verb];
  switch (convention) {
    case 'null':
    case 'never':
      return null;
    case 'minus-one':
    case 'zero-or-minus-one':
      return -1;
    case 'errno':
      return errno;
    case 'negative':
      return -errno;
  }
}
