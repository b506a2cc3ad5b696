import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Clock } from './clock';

describe('Clock', () => {
  it('runs tasks in order of time, and those of one time in order of scheduling', () => {
    const clock = new Clock();
    const ran: string[] = [];
    clock.schedule(2, () => ran.push('c'));
    clock.schedule(1, () => ran.push('a'));
    clock.schedule(1, () => ran.push('b'));
    clock.runAll();
    assert.deepEqual(ran, ['a', 'b', 'c']);
    assert.equal(clock.nowUs, 2);
  });

  it('runs what is due within the time that passes, and no more', () => {
    const clock = new Clock();
    const ran: number[] = [];
    for (const us of [5, 10, 11]) clock.schedule(us, () => ran.push(us));
    clock.advance(10);
    assert.deepEqual(ran, [5, 10]);
    assert.equal(clock.nowUs, 10);
  });

  it('stops as soon as what is awaited has happened', () => {
    const clock = new Clock();
    let happened = false;
    clock.schedule(3, () => (happened = true));
    clock.schedule(4, () => assert.fail('ran beyond'));
    clock.advance(100, () => happened);
    assert.equal(clock.nowUs, 3);
  });
});
