import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOfError } from './outcome';

describe('verdictOfError', () => {
  for (const type of ['VerbsError', 'RuleViolated', 'AssertionError']) {
    it(`takes ${type} for a failure under test, and for what blocks the rule in what is given and in the clean-up`, () => {
      assert.equal(verdictOfError(type, 'before-hook'), 'broken');
      assert.equal(verdictOfError(type, 'given'), 'blocked');
      assert.equal(verdictOfError(type, 'step'), 'fail');
      assert.equal(verdictOfError(type, 'after-hook'), 'blocked');
    });
  }

  it('knows the ways to lose the DUT, and nothing else as its doing', () => {
    assert.equal(verdictOfError('DutCrashed', 'given'), 'crash');
    assert.equal(verdictOfError('DutHung', 'after-hook'), 'hang');
    assert.equal(verdictOfError('DutPanicked', 'before-hook'), 'panic');
    assert.equal(verdictOfError('TypeError', 'step'), 'broken');
  });

  it('takes what a scenario was given unasked for a failure, although that shows when its steps have ended', () => {
    assert.equal(verdictOfError('Unexpected', 'after-hook'), 'fail');
  });
});
