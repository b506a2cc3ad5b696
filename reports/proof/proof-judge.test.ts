import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run, scenario } from '../fixtures/proof-runs';
import { acceptable } from './proof-accepted';
import { judgeProof, type ProofRuns } from './proof-judge';

const first = scenario('page.first', 1);
const second = scenario('page.second', 2, ['ibv_poll_cq']);

const soundRuns: ProofRuns = {
  suite: { version: '1', commit: 'abc' },
  sound: [first, second],
  faults: [run('one', ['page.first'], [first]), run('two', ['page.second'], [second])],
};

function problemsOf(change: Partial<ProofRuns>): readonly string[] {
  return judgeProof({ ...soundRuns, ...change }).problems;
}

const both = run('one', ['page.first'], [first, second]);
const two = run('two', ['page.second'], [second]);

describe('a proof', () => {
  it('finds nothing wrong where each rule catches its own fault, and no other', () => {
    const proof = judgeProof(soundRuns);
    assert.deepEqual(proof.problems, []);
    assert.deepEqual(proof.rules, [
      { id: 'page.first', faults: ['one'] },
      { id: 'page.second', faults: ['two'] },
    ]);
  });

  it('names a scenario that fails without a fault', () => {
    const [problem] = problemsOf({ sound: [{ ...first, verdict: 'fail', detail: 'so' }, second] });
    assert.equal(problem, 'without a fault: a.feature:1 "page.first at 1" fail: so');
  });

  it('names a fault that its rule does not catch, and the scenario that none fails', () => {
    assert.deepEqual(problemsOf({ faults: [run('one', ['page.first'], []), two] }), [
      'fault one (it goes wrong) is not caught by page.first',
      'a.feature:1 "page.first at 1" fails under no fault of its rule page.first',
    ]);
  });

  it('does not take a scenario that is blocked or broken for one that has caught its fault', () => {
    for (const verdict of ['blocked', 'broken'] as const) {
      const unjudged = { ...run('one', ['page.first'], []), failed: [{ ...first, verdict }] };
      assert.equal(problemsOf({ faults: [unjudged, two] }).length, 2, verdict);
    }
  });

  it('names a rule of others that does not stay green', () => {
    assert.deepEqual(problemsOf({ faults: [both, two] }), [
      'fault one (it goes wrong) breaks page.second too, which its rules do not say: a.feature:2 fail: Then it is so: it is not',
    ]);
  });

  it('counts as reliant what went astray and was not run any further, or says nothing of its own rule', () => {
    const broken = { ...second, verdict: 'broken' as const, detail: 'the CQ could not be made' };
    for (const failed of [[], [broken]]) {
      const one = run('one', ['page.first'], [first]);
      const stray = [...one.stray, { uri: second.uri, line: second.line, at: 'ibv_create_cq' }];
      const proof = judgeProof({ ...soundRuns, faults: [{ ...one, stray, failed: [...one.failed, ...failed] }, two] });
      assert.deepEqual(proof.problems, []);
      const reliant = [{ rule: 'page.second', scenarios: [second.name], at: ['ibv_create_cq'] }];
      assert.deepEqual(proof.faults[0]?.reliant, reliant);
    }
  });

  it('names a fault that could not be run to its end', () => {
    const lost = { ...run('three', ['page.first'], []), lost: 'its process ended' };
    assert.deepEqual(problemsOf({ faults: [...soundRuns.faults, lost] }), [
      'fault three (it goes wrong) was not run to its end: its process ended',
    ]);
  });

  it('lets features get stronger than was accepted, and not weaker', () => {
    const accepted = acceptable(soundRuns.sound, soundRuns.faults);
    assert.deepEqual(problemsOf({ accepted, sound: [{ ...first, checks: 3 }, second] }), []);
    const [lostStep] = problemsOf({ accepted, sound: [{ ...first, checks: 1 }, second] });
    assert.match(lostStep ?? '', /^page\.first had 2 Then steps, and has 1: /);
    const [fewer] = problemsOf({ accepted: { 'page.first': { checks: 2, faults: { one: 2 } } } });
    assert.match(fewer ?? '', /^fault one failed 2 scenarios of page\.first, and fails 1: /);
    const [gone] = problemsOf({ accepted: { ...accepted, 'page.third': { checks: 1, faults: {} } } });
    assert.match(gone ?? '', /^page\.third had scenarios, and has none: /);
  });

  it('compares what other rules meet and which Then steps fail with the records, where these count', () => {
    const open = 'a.feature:11 Then "it is so" fails first under no fault';
    const recorded = { reliances: {}, thenSteps: {}, isWhole: true };
    assert.ok(problemsOf({ recorded }).some((line) => line.startsWith(open)));
    const relying = run('one', ['page.first'], [{ ...first, verbs: ['ibv_poll_cq'] }, second]);
    const sound = [{ ...first, verbs: ['ibv_poll_cq'] }, second];
    assert.deepEqual(problemsOf({ sound, faults: [relying, two] }), []);
    const [met] = problemsOf({ sound, faults: [relying, two], recorded });
    assert.match(
      met ?? '',
      /^fault one \(it goes wrong\) meets page\.second too, in ibv_poll_cq of "page\.second at 2": /,
    );
  });

  it('says nothing of rules that were not selected', () => {
    const selected = ['page.second'];
    assert.deepEqual(problemsOf({ selected, faults: [two] }), []);
  });
});
