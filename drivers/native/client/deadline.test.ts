import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Deadline } from './deadline';

/** Milliseconds after which a deadline of 1000 ms is over, whose machine cannot run for that part of the time. */
function lastsMs(context: TestContext, starved: number): number {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let overMs: number | undefined;
  const measure = () => {
    const begunMs = Date.now();
    return () => (Date.now() - begunMs) * starved;
  };
  new Deadline(1000, measure, () => (overMs = Date.now()));
  for (let passed = 0; passed < 20_000 && overMs === undefined; passed += 10) context.mock.timers.tick(10);
  assert.ok(overMs !== undefined, 'it is never over');
  return overMs;
}

describe('a deadline', () => {
  it('is over in its time where the machine of the host can run', (context) => {
    assert.equal(lastsMs(context, 0), 1000);
  });

  it('lasts longer by what the machine could not run', (context) => {
    assert.equal(lastsMs(context, 0.5), 1900);
  });

  it('is over some day where the machine can never run', (context) => {
    assert.equal(lastsMs(context, 1), 10_000);
  });

  it('is never over once it was cleared', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const deadline = new Deadline(1000, undefined, () => assert.fail('it is over'));
    context.mock.timers.tick(500);
    deadline.clear();
    context.mock.timers.tick(5000);
  });
});
