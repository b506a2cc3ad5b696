import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitsAt } from './limits';

const usual = { eventMs: 10_000, quietMs: 100 };

describe('the limits of a device', () => {
  it('are the usual ones where its messages are quick, or none could be sent', () => {
    assert.deepEqual(limitsAt(0.005, usual), usual);
    assert.deepEqual(limitsAt(10, usual), usual);
    assert.deepEqual(limitsAt(undefined, usual), usual);
  });

  it('grow with the latency', () => {
    assert.deepEqual(limitsAt(30, usual), { eventMs: 30_000, quietMs: 120 });
  });

  it('do not grow without an end', () => {
    assert.deepEqual(limitsAt(5_000, usual), { eventMs: 60_000, quietMs: 600 });
  });

  it('keep the silence of a driver that knows when nothing more can come', () => {
    assert.equal(limitsAt(5_000, { eventMs: 1000, quietMs: 0 }).quietMs, 0);
  });
});
