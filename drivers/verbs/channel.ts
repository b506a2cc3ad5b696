import { i32, nullable, object, u32, u64 } from './idl';
import { verb } from './verb';

const channel = object('channel');
const context = object('context');

/** Completion channels and the events on them. */
export const channelVerbs = {
  /** ibv_create_comp_channel(3). */
  createCompChannel: verb({
    c: 'ibv_create_comp_channel',
    page: 'ibv_create_comp_channel(3)',
    fails: 'null',
    makes: 'channel',
    in: [{ context }],
  }),
  /** ibv_destroy_comp_channel(3); EBUSY while a CQ is bound to it. */
  destroyCompChannel: verb({
    c: 'ibv_destroy_comp_channel',
    page: 'ibv_create_comp_channel(3)',
    fails: 'errno',
    ends: 'channel',
    in: [{ channel }],
  }),
  /** The members of struct ibv_comp_channel. */
  readCompChannel: verb({
    c: 'struct ibv_comp_channel',
    page: 'ibv_create_comp_channel(3)',
    fails: 'never',
    in: [{ channel }],
    out: {
      /** The context that the channel belongs to. */
      context: nullable(context),
      /** Number of its file descriptor in the process that executes the verbs. */
      fd: i32,
    },
  }),
  /** Waits for the next completion event and takes it: ibv_get_cq_event(3). EAGAIN if empty and non-blocking. */
  getCqEvent: verb({
    c: 'ibv_get_cq_event',
    page: 'ibv_get_cq_event(3)',
    fails: 'zero-or-minus-one',
    blocks: 'until an event comes',
    in: [{ channel }],
    out: { cq: object('cq'), cqContext: u64 },
    fills: ['cq', 'cqContext'],
  }),
  /** Acknowledges `nevents` events of the CQ: ibv_ack_cq_events(3). */
  ackCqEvents: verb({
    c: 'ibv_ack_cq_events',
    page: 'ibv_get_cq_event(3)',
    fails: 'never',
    in: [{ cq: object('cq') }, { nevents: u32 }],
  }),
};
