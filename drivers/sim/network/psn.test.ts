import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { psnAfter, psnDistance } from './psn';

const psn = fc.integer({ min: 0, max: 0xff_ff_ff });

describe('packet sequence numbers', () => {
  it('begin anew after 2^24 - 1', () => {
    assert.equal(psnAfter(0xff_ff_ff, 1), 0);
    assert.equal(psnAfter(0, -1), 0xff_ff_ff);
    assert.equal(psnDistance(0xff_ff_ff, 2), 3);
    assert.equal(psnDistance(2, 0xff_ff_ff), -3);
  });

  it('lie less than half of all numbers apart, in one direction or the other', () => {
    assert.equal(psnDistance(0, 0x7f_ff_ff), 0x7f_ff_ff);
    assert.equal(psnDistance(0, 0x80_00_00), -0x80_00_00);
    fc.assert(
      fc.property(psn, fc.integer({ min: -0x80_00_00, max: 0x7f_ff_ff }), (from, count) => {
        assert.equal(psnDistance(from, psnAfter(from, count)), count);
      }),
    );
  });
});
