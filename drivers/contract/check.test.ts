import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check, checkEqual, RuleViolated, Unexpected, type Comparison } from './check';
import { VerbsError } from './errors';
import { comparisonOf, comparisonsOf } from './failure';

/** What a check that fails throws. */
function thrownBy(failing: () => void): RuleViolated {
  try {
    failing();
  } catch (error) {
    assert.ok(error instanceof RuleViolated);
    return error;
  }
  return assert.fail('the check holds');
}

describe('a check', () => {
  const subject = 'wr_id of the CQEs of CQ "recv_cq"';

  it('that holds says nothing', () => {
    check(true, { subject, expected: 1, observed: 2 });
    checkEqual({ subject, expected: [{ wrId: 1n }], observed: [{ wrId: 1n }] });
  });

  it('that fails throws what it compared, as data and in words', () => {
    const { comparison, message, name } = thrownBy(() => {
      checkEqual({ subject, expected: [1n, 2n], observed: [1n], withinMs: 1000 });
    });
    assert.deepEqual(comparison, {
      subject,
      expected: ['0x1', '0x2'],
      observed: ['0x1'],
      withinMs: 1000,
    } satisfies Comparison);
    assert.deepEqual(JSON.parse(JSON.stringify(comparison)), comparison);
    assert.equal(message, `${subject} within 1000 ms; expected [0x1, 0x2], observed [0x1]`);
    assert.equal(name, 'RuleViolated');
  });

  it('may demand what more than one value fulfils', () => {
    const { message } = thrownBy(() => {
      check(false, { subject: 'entries of CQ "recv_cq"', expected: { atLeast: 4 }, observed: 3 });
    });
    assert.equal(message, 'entries of CQ "recv_cq"; expected {atLeast: 4}, observed 3');
  });
});

describe('what an error says as data', () => {
  it('is each of the things that were unexpected, by itself', () => {
    const unexpected = new Unexpected({ subject: 'x', expected: 'nothing', observed: ['a', 'b'] });
    assert.equal(unexpected.message, 'x; expected nothing, observed [a, b]');
    assert.deepEqual(
      comparisonsOf(unexpected).map(({ observed }) => observed),
      [['a'], ['b']],
    );
    assert.deepEqual(comparisonsOf(new Error('x')), []);
  });

  it('is what a check compared, or how a verb refused', () => {
    const violated = thrownBy(() => {
      check(false, { subject: 'x', expected: 1, observed: 2 });
    });
    assert.deepEqual(comparisonOf(violated), { subject: 'x', expected: 1, observed: 2 });
    assert.deepEqual(comparisonOf(new VerbsError('ibv_resize_cq', 'EINVAL', 22)), {
      subject: 'ibv_resize_cq()',
      expected: 'success',
      observed: { returned: 22, errno: 'EINVAL' },
    });
  });

  it('is nothing for any other', () => {
    for (const error of [new Error('x'), 'x', undefined, { comparison: 1 }])
      assert.equal(comparisonOf(error), undefined);
  });
});
