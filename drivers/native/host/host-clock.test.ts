import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HostClock } from './host-clock';

/** A host whose pauses last as long as it is asked, or `atMostMs`; it writes down what it is asked. */
function clockOf(startUs: number, atMostMs = Infinity): { clock: HostClock; asked: number[] } {
  const asked: number[] = [];
  let nowUs = startUs;
  const clock = new HostClock((ms) => {
    asked.push(ms);
    nowUs += Math.min(ms, atMostMs) * 1000;
    return Promise.resolve(nowUs);
  });
  clock.hear(nowUs);
  return { clock, asked };
}

describe('HostClock', () => {
  it('passes with what the host reports, from wherever that begins', async () => {
    const { clock, asked } = clockOf(7e9);
    await clock.pause(20);
    assert.equal(clock.nowMs, 20);
    assert.deepEqual(asked, [20]);
  });

  it('asks again after a pause that ended early', async () => {
    const { clock, asked } = clockOf(0, 15);
    await clock.pause(20);
    assert.equal(clock.nowMs, 20);
    assert.deepEqual(asked, [20, 5]);
  });

  it('ends a pause when something else has happened', async () => {
    const { clock, asked } = clockOf(0, 1);
    await clock.pause(20, Promise.resolve());
    assert.ok(asked.length <= 1);
  });

  it('does not go back for an answer that was overtaken, nor for a host that counts anew', () => {
    const { clock } = clockOf(1000);
    clock.hear(5000);
    clock.hear(3000);
    assert.equal(clock.nowMs, 4);
    clock.restart();
    clock.hear(10);
    clock.hear(1010);
    assert.equal(clock.nowMs, 5);
  });
});
