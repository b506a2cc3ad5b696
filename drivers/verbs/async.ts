import { object } from './idl';
import { verb } from './verb';

/** Asynchronous events of a device. */
export const asyncVerbs = {
  /** Waits for the next asynchronous event of the device and takes it: ibv_get_async_event(3). EAGAIN if non-blocking. */
  getAsyncEvent: verb({
    c: 'ibv_get_async_event',
    page: 'ibv_get_async_event(3)',
    fails: 'zero-or-minus-one',
    makes: 'event',
    blocks: 'until an event comes',
    in: [{ context: object('context') }],
  }),
  /** ibv_ack_async_event(3). */
  ackAsyncEvent: verb({
    c: 'ibv_ack_async_event',
    page: 'ibv_get_async_event(3)',
    fails: 'never',
    ends: 'event',
    in: [{ event: object('event') }],
  }),
};
