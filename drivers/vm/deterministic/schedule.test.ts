import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scheduleOf } from './schedule';

describe('the schedule of a seed', () => {
  const many = Array.from({ length: 200 }, (_, seed) => scheduleOf(seed));

  it('is the same each time', () => {
    for (const seed of [0, 1, 7, 4711, 2 ** 32 + 1]) assert.deepEqual(scheduleOf(seed), scheduleOf(seed));
    assert.deepEqual(scheduleOf(7), {
      shift: 2,
      kernelOptions: ['preempt=none', 'nohz=on', 'highres=off'],
      noises: [
        { seed: 870851194, niceness: -5 },
        { seed: 515235413, niceness: 0 },
      ],
    });
  });

  it('is the plain one for 0', () => {
    assert.deepEqual(scheduleOf(0), { shift: 3, kernelOptions: [], noises: [] });
  });

  it('makes use of all that there is to choose from', () => {
    const values = (of: (schedule: (typeof many)[number]) => string): number => new Set(many.slice(1).map(of)).size;
    assert.equal(
      values(({ shift }) => String(shift)),
      5,
    );
    assert.equal(
      values(({ kernelOptions }) => kernelOptions.join(' ')),
      12,
    );
    assert.equal(
      values(({ noises }) => String(noises.length)),
      4,
    );
    assert.ok(values((schedule) => JSON.stringify(schedule)) > 120);
  });
});
