import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleReason, ruleVerdict } from './rules';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';

const cases: readonly [readonly ScenarioVerdict[], RuleVerdict][] = [
  [['pass', 'pass'], 'conforms'],
  [['pass', 'not-applicable'], 'conforms'],
  [['not-applicable'], 'not-applicable'],
  [['pass', 'deviates'], 'deviates'],
  [['pass', 'broken'], 'broken'],
  [['deviates', 'broken'], 'broken'],
  [['not-applicable', 'broken'], 'broken'],
  [['broken', 'fail'], 'violates'],
  [['pass', 'blocked'], 'blocked'],
  [['deviates', 'blocked'], 'blocked'],
  [['blocked', 'broken', 'not-applicable'], 'blocked'],
  [['blocked', 'fail'], 'violates'],
  [['blocked', 'surprise'], 'violates'],
  [['pass', 'crash'], 'violates'],
  [['hang'], 'violates'],
  [['panic'], 'violates'],
  [['pass', 'surprise'], 'violates'],
  [[], 'untested'],
];

for (const [scenarios, verdict] of cases) {
  test(`a rule with ${scenarios.join(' and ') || 'no scenario'} has the verdict ${verdict}`, () => {
    assert.equal(ruleVerdict(scenarios), verdict);
  });
}

test('a rule that ran and passed in whole needs no reason', () => {
  assert.equal(ruleReason([{ verdict: 'pass' }, { verdict: 'pass' }], 2), undefined);
});

test('the reason reports what the verdict would hide', () => {
  assert.equal(ruleReason([{ verdict: 'pass' }], 3), 'only 1 of 3 scenarios were selected');
  const mixed = [
    { verdict: 'fail', detail: 'one' },
    { verdict: 'crash', detail: 'two' },
    { verdict: 'broken', detail: 'three' },
  ] as const;
  assert.equal(ruleReason(mixed, 3), 'one (and 1 more); 1 of 3 scenarios broken besides');
  const held = [
    { verdict: 'blocked', detail: 'four' },
    { verdict: 'broken', detail: 'five' },
  ] as const;
  assert.equal(ruleReason(held, 2), 'four; 1 of 2 scenarios broken besides');
  assert.equal(
    ruleReason([...mixed, ...held], 5),
    'one (and 1 more); 1 of 5 scenarios blocked besides; 2 of 5 scenarios broken besides',
  );
  const partly = [{ verdict: 'pass' }, { verdict: 'not-applicable', detail: 'no SRQ' }] as const;
  assert.equal(ruleReason(partly, 2), '1 of 2 scenarios not applicable');
});
