import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run, scenario } from '../fixtures/proof-runs';
import { guardedByOne } from './independence';
import { judgeThenSteps, thenRecords, witnessesIn, type ThenRecords } from './then-steps';

const first = scenario('page.first', 1);
const second = scenario('page.second', 2);
const sound = [first, second];
/** The first Then step of each fails under a fault of its rule, the second of one under a fault of the other. */
const faults = [
  run('one', ['page.first'], [first], 1),
  run('two', ['page.second'], [second], 1),
  run('three', ['page.second'], [first], 2),
];
const names = { scenario: 'page.second at 2', step: 'it stays so' };
const witness = { 'page.first': [{ scenario: 'page.first at 1', step: 'it stays so', fault: 'three' }] };
const recorded: ThenRecords = { ...witness, 'page.second': [{ ...names, reason: 'it cannot be otherwise' }] };

function problemsOf(records: ThenRecords, runs = faults): readonly string[] {
  return judgeThenSteps(sound, runs, records).problems;
}

describe('a Then step', () => {
  it('fails first under a fault of its rule or of another, or has a reason', () => {
    const { steps, problems } = judgeThenSteps(sound, faults, recorded);
    assert.deepEqual(problems, []);
    assert.deepEqual(steps, { count: 4, underOthers: 1, argued: 1, never: [] });
  });

  it('is named if it never does and nobody has said why', () => {
    assert.deepEqual(judgeThenSteps(sound, faults, witness).steps.never, ['a.feature:22 Then "it stays so"']);
    assert.match(problemsOf(witness).join(), /^a\.feature:22 Then "it stays so" fails first under no fault: plant one/);
  });

  it('is named if it does not fail any more under the fault that was recorded', () => {
    const [problem] = problemsOf(recorded, faults.slice(0, 2));
    assert.match(problem ?? '', /^a\.feature:12 Then "it stays so" failed first under fault three, and does no more/);
  });

  it('is named if its reason is out of date', () => {
    const [problem] = problemsOf(recorded, [...faults, run('four', ['page.second'], [second], 2)]);
    assert.match(problem ?? '', /^a\.feature:22 .* fails first, so the reason in .* is out of date/);
  });

  it('is none of those that only break, or fail in a hook', () => {
    const broken = run('four', ['page.second'], [second], 2);
    const merely = { ...broken, failed: broken.failed.map((one) => ({ ...one, verdict: 'broken' as const })) };
    for (const other of [merely, run('four', ['page.second'], [second])]) {
      assert.deepEqual(judgeThenSteps(sound, [...faults, other], witness).steps.never.length, 1);
    }
  });

  it('is told from the same step further down, and once for all examples of an outline', () => {
    const steps = [...first.steps, { line: 99, text: 'it stays so', isThen: true }];
    const outline = [1, 2].map((line) => ({ ...first, line, steps }));
    const { steps: judged } = judgeThenSteps(outline, [], {});
    assert.deepEqual([judged.count, judged.never.length], [3, 3]);
    const records = { 'page.first': [{ scenario: first.writtenName, step: 'it stays so', nth: 2, reason: 'so' }] };
    assert.deepEqual(judgeThenSteps(outline, [], records).steps.never, [
      'a.feature:11 Then "it is so"',
      'a.feature:12 Then "it stays so"',
    ]);
  });

  it('that no feature has any more is named', () => {
    const gone = { ...recorded, 'page.third': [{ ...names, reason: 'so' }] };
    assert.match(
      problemsOf(gone).join(),
      /has "it stays so" of "page\.second at 2" of page\.third, which no feature has/,
    );
  });
});

describe('the record of Then steps', () => {
  it('has a fault of other rules where there is one, and keeps reasons', () => {
    assert.deepEqual(thenRecords(sound, faults, recorded), recorded);
    assert.deepEqual(thenRecords(sound, faults, {}), witness);
  });

  it('loses what is not needed any more', () => {
    const all = [...faults, run('four', ['page.first', 'page.second'], sound, 2)];
    assert.deepEqual(thenRecords(sound, all, recorded), {});
  });

  it('says which scenarios run to their end under faults of other rules', () => {
    const isToEnd = witnessesIn(recorded);
    assert.deepEqual(
      ['one', 'three'].map((fault) => isToEnd(fault, first)),
      [false, true],
    );
    assert.equal(isToEnd('three', second), false);
  });
});

describe('a rule', () => {
  it('is guarded by one fault alone if others replace the same, and fail the same scenarios at the same steps', () => {
    const again = run('again', ['page.first'], [first], 1);
    assert.deepEqual(guardedByOne(sound, [...faults, again]), ['page.first', 'page.second']);
    const elsewhere = { ...again, fault: { ...again.fault, replaces: ['Cq.poll'] } };
    assert.deepEqual(guardedByOne(sound, [...faults, elsewhere]), ['page.second']);
    const later = run('later', ['page.first'], [first], 2);
    assert.deepEqual(guardedByOne(sound, [...faults, later]), ['page.second']);
  });
});
