/** How a C function says that it refused: the four ways of libibverbs, and the functions that cannot refuse. */
export type FailureConvention = 'null' | 'minus-one' | 'errno' | 'negative' | 'never';

/** The C functions that drivers execute, with the way each page says that it fails. */
export const conventions = {
  ibv_open_device: 'null',
  ibv_close_device: 'errno',
  ibv_alloc_pd: 'null',
  ibv_dealloc_pd: 'errno',
  ibv_reg_mr: 'null',
  ibv_dereg_mr: 'errno',
  ibv_create_comp_channel: 'null',
  ibv_destroy_comp_channel: 'errno',
  ibv_create_cq: 'null',
  ibv_destroy_cq: 'errno',
  ibv_req_notify_cq: 'errno',
  ibv_poll_cq: 'negative',
  ibv_get_cq_event: 'minus-one',
  ibv_ack_cq_events: 'never',
  ibv_get_async_event: 'minus-one',
  ibv_ack_async_event: 'never',
  ibv_create_qp: 'null',
  ibv_modify_qp: 'errno',
  ibv_query_qp: 'errno',
  ibv_destroy_qp: 'errno',
  ibv_post_recv: 'errno',
  ibv_post_send: 'errno',
  poll: 'minus-one',
  fcntl: 'minus-one',
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
      return -1;
    case 'errno':
      return errno;
    case 'negative':
      return -errno;
  }
}
