import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batches } from './batches';

const args = { cq: 'cq-1' };

test('what waits for the end of a batch is called outside of it, what reads the batch inside of it', () => {
  const batches = new Batches();
  const allowed = (): readonly string[] =>
    (
      [
        'ibv_start_poll',
        'ibv_poll_cq',
        'ibv_resize_cq',
        'ibv_req_notify_cq',
        'ibv_wc_read_opcode',
        'ibv_next_poll',
        'ibv_end_poll',
      ] as const
    ).filter((verb) => batches.allow(verb, args));
  const see = (verb: 'ibv_start_poll' | 'ibv_next_poll' | 'ibv_end_poll', returned: number): void => {
    batches.see({ verb, args, returned, errno: 0, outputs: {} });
  };
  const outside = ['ibv_start_poll', 'ibv_poll_cq', 'ibv_resize_cq', 'ibv_req_notify_cq'];
  assert.deepEqual(allowed(), outside);
  see('ibv_start_poll', 2);
  assert.deepEqual(allowed(), outside);
  see('ibv_start_poll', 0);
  assert.deepEqual(allowed(), ['ibv_req_notify_cq', 'ibv_wc_read_opcode', 'ibv_next_poll', 'ibv_end_poll']);
  see('ibv_next_poll', 2);
  assert.deepEqual(allowed(), ['ibv_req_notify_cq', 'ibv_end_poll']);
  see('ibv_end_poll', 0);
  assert.deepEqual(allowed(), outside);
});
