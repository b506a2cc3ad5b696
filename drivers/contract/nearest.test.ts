import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest';

const ids = ['ibv_poll_cq.fifo', 'ibv_poll_cq.overrun-async-event', 'ibv_poll_cq.overrun-cq-unusable', 'ibv_poll_cq'];

for (const [slip, meant] of [
  ['ibv_poll_cq.overun-async-event', 'ibv_poll_cq.overrun-async-event'],
  ['ibv_pol_cq.overrun-cq-unusable', 'ibv_poll_cq.overrun-cq-unusable'],
  ['ibv_poll_cq.filo', 'ibv_poll_cq.fifo'],
  ['ibv_pollcq', 'ibv_poll_cq'],
  ['ibv_poll_cq.completions-are-solicited', undefined],
  ['slow', undefined],
] as const) {
  test(`${slip} is near to ${meant ?? 'nothing'}`, () => {
    assert.equal(nearest(slip, ids), meant);
  });
}
