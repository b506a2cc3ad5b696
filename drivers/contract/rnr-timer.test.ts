import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rnrTimerUs } from './rnr-timer';

it('min_rnr_timer has 32 codes, of which 0 stands for the longest time', () => {
  const times = Array.from({ length: 32 }, (_, code) => rnrTimerUs(code));
  assert.equal(times[0], 655_360);
  assert.equal(times[1], 10);
  assert.equal(times[12], 640);
  assert.equal(times[31], 491_520);
  assert.deepEqual(
    times.slice(1),
    times.slice(1).sort((one, other) => one - other),
  );
});
