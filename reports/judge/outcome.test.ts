import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOfError } from './outcome';

describe('verdictOfError', () => {
  it('takes a refusal of what is given for a broken set-up, and one under test for a failure', () => {
    assert.equal(verdictOfError('VerbsError', 'before-hook'), 'broken');
    assert.equal(verdictOfError('VerbsError', 'given'), 'broken');
    assert.equal(verdictOfError('VerbsError', 'step'), 'fail');
  });

  it('takes a check that fails for a failure wherever it stands after the Before hooks', () => {
    for (const type of ['RuleViolated', 'AssertionError']) {
      assert.equal(verdictOfError(type, 'before-hook'), 'broken');
      assert.equal(verdictOfError(type, 'given'), 'fail');
      assert.equal(verdictOfError(type, 'step'), 'fail');
      assert.equal(verdictOfError(type, 'after-hook'), 'fail');
    }
  });

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
