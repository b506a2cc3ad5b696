import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packed, unpacked } from './packed-reliances';

const reliances = {
  'event-is-lost': ['ibv_ack_cq_events.unblocks', 'ibv_get_cq_event.blocks', 'ibv_get_cq_event.returns-context'],
  'wr-id-is-zero': ['ibv_poll_cq.wr-id'],
};

test('the rules that a fault meets are a line for each page', () => {
  assert.deepEqual(packed(reliances), {
    'event-is-lost': {
      ibv_ack_cq_events: 'unblocks',
      ibv_get_cq_event: 'blocks returns-context',
    },
    'wr-id-is-zero': { ibv_poll_cq: 'wr-id' },
  });
});

test('what was packed comes back as it was', () => {
  assert.deepEqual(unpacked(packed(reliances)), reliances);
  assert.deepEqual(unpacked({}), {});
});
