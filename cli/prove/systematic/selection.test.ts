import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systematicFaults } from '../../../drivers/sim/faults/systematic';
import { selected } from './selection';

describe('the choice of systematic faults', () => {
  const faults = systematicFaults().slice(0, 100);
  const names = (chosen: ReturnType<typeof selected>): string[] => chosen.map(({ name }) => name);

  it('is all of them, in their order, unless there is a number', () => {
    assert.deepEqual(selected(faults, { seed: 1 }), faults);
  });

  it('is the same for the same seed, and another one for another', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => names(selected(faults, { count: 10, seed })));
    assert.equal(new Set(one).size, 10);
    assert.deepEqual(again, one);
    assert.notDeepEqual(other, one);
  });

  it('is whole when each of its parts has run', () => {
    const parts = [1, 2, 3].flatMap((part) => names(selected(faults, { count: 20, seed: 7, shard: { part, of: 3 } })));
    assert.deepEqual(parts.sort(), names(selected(faults, { count: 20, seed: 7 })).sort());
  });
});
