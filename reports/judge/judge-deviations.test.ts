import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { deviation } from '../fixtures/deviation';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { judgeRun } from './judge';
import type { JudgedRun } from './judged-run';
import { assertValid, type ScenarioEntry } from './verdicts';

const page = 'ibv_req_notify_cq';
let messages = '';
let judged: JudgedRun;

before(() => {
  messages = recordOutcomes();
  judged = judgeMessages(messages);
});

function scenarioOf(run: JudgedRun, slug: string, name: string): ScenarioEntry {
  const rule = run.verdicts.rules.find(({ id }) => id === `${page}.${slug}`);
  const scenario = rule?.scenarios.find((candidate) => candidate.name === name);
  assert.ok(scenario, name);
  return scenario;
}

describe('known deviations', () => {
  const listed = deviation({
    rule: `${page}.one-shot`,
    scenario: 'An assertion fails',
    when: { driver: 'soft-roce', kernel: '>=6.1 <6.13' },
    symptom: { subject: 'events of the channel', expected: 2, observed: 1 },
    reason: 'rxe adds one event too few',
  });
  const states = (run: JudgedRun): (string | undefined)[] => run.verdicts.deviations?.map(({ state }) => state) ?? [];

  test('explain their failure and no other', () => {
    const run = judgeMessages(messages, [listed]);
    const { verdict, detail } = scenarioOf(run, 'one-shot', 'An assertion fails');
    assert.equal(verdict, 'deviates');
    assert.match(detail ?? '', /expected 2, observed 1; known deviation: rxe adds .* \(https:\/\/example\.org\/1\)$/);
    assert.equal(scenarioOf(run, 'one-shot', 'A structure differs').verdict, 'fail');
    assert.deepEqual(states(run), ['shown']);
    assertValid(run.verdicts);
  });

  test('hold for every clause of the Rule', () => {
    const crash = { ...listed, rule: `${page}.arms-cq`, scenario: 'The host crashes', symptom: 'crash' } as const;
    assert.equal(scenarioOf(judgeMessages(messages, [crash]), 'arms-cq', 'The host crashes').verdict, 'deviates');
  });

  test('do not explain what broke besides', () => {
    const name = 'The clean-up breaks after an assertion failed';
    const run = judgeMessages(messages, [{ ...listed, rule: `${page}.arms-cq`, scenario: name }]);
    const { verdict, detail } = scenarioOf(run, 'arms-cq', name);
    assert.equal(verdict, 'broken');
    assert.match(detail ?? '', /^After hook .*; beside Then .*observed 1; known deviation: rxe adds/);
  });

  test('that did not show are a surprise', () => {
    const run = judgeMessages(messages, [{ ...listed, scenario: 'It passes' }]);
    const { verdict, detail } = scenarioOf(run, 'one-shot', 'It passes');
    assert.equal(verdict, 'surprise');
    assert.match(detail ?? '', /^the known deviation did not show: rxe adds/);
    assert.equal(scenarioOf(run, 'returns-zero', 'It passes').verdict, 'pass');
    assert.deepEqual(states(run), ['surprise']);
  });

  test('that show otherwise leave the failure, which reports what was expected', () => {
    const run = judgeMessages(messages, [{ ...listed, symptom: { subject: '*', observed: 3 } }]);
    const { verdict, detail } = scenarioOf(run, 'one-shot', 'An assertion fails');
    assert.equal(verdict, 'fail');
    assert.match(detail ?? '', /observed 1; not the known deviation, which shows as "\*; observed 3": rxe adds/);
    assert.deepEqual(states(run), ['wrong-symptom']);
  });

  test('that are expired leave the failure, which says so', () => {
    const day = (offset: number): string =>
      new Date(judged.run.startMs + offset * 86_400_000).toISOString().slice(0, 10);
    const run = judgeMessages(messages, [{ ...listed, expires: day(-1) }]);
    const { verdict, detail } = scenarioOf(run, 'one-shot', 'An assertion fails');
    assert.equal(verdict, 'fail');
    assert.match(detail ?? '', new RegExp(`; the known deviation expired, its last day was ${day(-1)}: rxe adds`));
    assert.deepEqual(states(run), ['expired']);
    assert.deepEqual(states(judgeMessages(messages, [{ ...listed, expires: day(0) }])), ['shown']);
  });

  test('that no scenario can show are reported, unless the run was interrupted', () => {
    const unused = { ...listed, scenario: 'No such scenario', listedAt: 'mine.json:3' };
    const run = judgeMessages(messages, [unused]);
    assert.deepEqual(run.verdicts.deviations, [
      {
        rule: `${page}.one-shot`,
        scenario: 'No such scenario',
        state: 'unused',
        reason: listed.reason,
        link: listed.link,
        owner: listed.owner,
        listedAt: 'mine.json:3',
        detail: 'its rule has no scenario "No such scenario"; name one that it has, or take the entry off the list',
      },
    ]);
    assertValid(run.verdicts);
    const { recording } = run;
    assert.deepEqual(states(judgeRun({ ...recording, interrupted: true })), []);
    const cut = recording.envelopes.filter(({ testRunFinished }) => testRunFinished === undefined);
    assert.deepEqual(states(judgeRun({ ...recording, envelopes: cut })), []);
  });

  test('of a rule that has no scenario are unused', () => {
    const run = judgeMessages(messages, [deviation({ rule: `${page}.no-threshold` })]);
    assert.deepEqual(states(run), ['unused']);
    const part = judgeMessages(recordOutcomes('--name', '^Always$'), run.recording.deviations);
    assert.deepEqual(states(part), []);
  });

  test('of an outline are no surprise as long as not all of its rows ran', () => {
    const outline = deviation({ rule: `${page}.returns-zero`, scenario: 'It passes or fails by example' });
    const run = judgeMessages(messages);
    const cases = run.recording.envelopes.flatMap(({ pickle }) =>
      pickle && pickle.name === outline.scenario ? [pickle.id] : [],
    );
    const others = cases.slice(1);
    const part = run.recording.envelopes.filter(({ testCase }) => !others.includes(testCase?.pickleId ?? ''));
    assert.equal(scenarioOf(run, 'returns-zero', 'It passes or fails by example').verdict, 'pass');
    assert.deepEqual(states(judgeRun({ ...run.recording, envelopes: part, deviations: [outline] })), []);
  });

  test('make no verdict depend on the order of the scenarios', () => {
    const list = [listed, deviation({ rule: `${page}.rearm-restores` })];
    const inOrder = judgeMessages(messages, list);
    for (const order of ['random:1', 'random:2']) {
      const run = judgeMessages(recordOutcomes('--order', order), list);
      assert.deepEqual(withoutTimes(run), withoutTimes(inOrder), order);
    }
  });
});

function withoutTimes({ verdicts }: JudgedRun): unknown {
  return JSON.parse(
    JSON.stringify(verdicts, (key, value: unknown) => (/^(durationMs|startedAt)$/.test(key) ? 0 : value)),
  );
}
