import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { judgeRun } from './judge';
import type { JudgedRun } from './judged-run';
import { assertValid, exitCode, type RuleEntry, type ScenarioEntry } from './verdicts';

const page = 'ibv_req_notify_cq';
let messages = '';
let judged: JudgedRun;

before(() => {
  messages = recordOutcomes();
  judged = judgeMessages(messages);
});

function ruleOf(run: JudgedRun, slug: string): RuleEntry {
  const rule = run.verdicts.rules.find(({ id }) => id === `${page}.${slug}`);
  assert.ok(rule, slug);
  return rule;
}

function scenarioOf(run: JudgedRun, slug: string, name: string): ScenarioEntry {
  const scenario = ruleOf(run, slug).scenarios.find((candidate) => candidate.name === name);
  assert.ok(scenario, name);
  return scenario;
}

const outcomes: readonly [slug: string, name: string, verdict: string, detail: RegExp | undefined][] = [
  ['one-shot', 'It passes', 'pass', undefined],
  ['one-shot', 'An assertion fails', 'fail', /2 events: events of the channel within 5000 ms; expected 2, observed 1$/],
  ['one-shot', 'An assertion fails with words of its own', 'fail', /no further completion event/],
  ['one-shot', 'A structure differs', 'fail', /expected \{.*FLUSH_ERR.*\}, observed \{.*SUCCESS.*\}/],
  ['returns-zero', 'It passes', 'pass', undefined],
  ['returns-zero', 'A verb refuses', 'fail', /ibv_req_notify_cq\(\) was refused: returned 22, errno EINVAL$/],
  ['arms-cq', 'The host crashes', 'crash', /SIGSEGV in ibv_post_send/],
  ['arms-cq', 'A verb hangs', 'hang', /did not return within 5000 ms/],
  ['arms-cq', 'The kernel panics', 'panic', /NULL pointer/],
  ['arms-cq', 'The host crashes in a Before hook', 'crash', /^Before hook "begin": .*ibv_open_device/],
  ['arms-cq', 'The kernel panics after an assertion failed', 'panic', /^After hook "end": .*; also Then the channel/],
  ['arms-cq', 'The clean-up breaks after an assertion failed', 'fail', /observed 1; also After hook "end": Error/],
  [
    'arms-cq',
    'The clean-up is refused after an assertion failed',
    'fail',
    /observed 1; also After hook "end": ibv_destro/,
  ],
  [
    'marks-only',
    'A verb refuses what is given',
    'blocked',
    /^Given the verb .*: ibv_create_cq\(\) was refused: .* ENOMEM$/,
  ],
  ['marks-only', 'What is given is not so', 'blocked', /^Given the channel .*; expected 2, observed 1$/],
  ['marks-only', 'The clean-up is refused', 'blocked', /^After hook "end": ibv_destroy_cq\(\) was refused: .* EBUSY$/],
  ['zero-any-cqe', 'The harness fails', 'broken', /the host does not answer; look into its log/],
  ['zero-any-cqe', 'The step has a bug', 'broken', /TypeError: Cannot read properties/],
  ['zero-any-cqe', 'Pending', 'broken', /^When nobody has written it yet: the step is pending$/],
  ['zero-any-cqe', 'Undefined', 'broken', /no step definition matches/],
  ['zero-any-cqe', 'Ambiguous', 'broken', /several step definitions match/],
  ['zero-any-cqe', 'Skipped without a reason', 'broken', /skipped without a reason/],
  ['zero-any-cqe', 'A Before hook throws', 'broken', /^Before hook "begin": Error: cannot begin$/],
  ['zero-any-cqe', 'An After hook throws', 'broken', /^After hook "end": Error: cannot end$/],
  [
    'any-cq-allowed',
    'On the CQ of an SRQ',
    'not-applicable',
    /^the device has no shared receive queues \(max_srq is 0\)$/,
  ],
];

describe('the verdict on a scenario', () => {
  for (const [slug, name, verdict, detail] of outcomes) {
    test(`${slug}: ${name}: ${verdict}`, () => {
      const scenario = scenarioOf(judged, slug, name);
      assert.equal(scenario.verdict, verdict);
      if (detail) assert.match(scenario.detail ?? '', detail);
      else assert.equal(scenario.detail, undefined);
    });
  }

  test('examples of an outline are scenarios of their own, at the line of their row', () => {
    const { scenarios } = ruleOf(judged, 'returns-zero');
    const rows = scenarios.filter(({ name }) => name === 'It passes or fails by example');
    assert.deepEqual(
      rows.map(({ verdict }) => verdict),
      ['pass', 'fail', 'fail'],
    );
    assert.equal(new Set(rows.map(({ line }) => line)).size, 3);
  });

  test('a detail is one line', () => {
    for (const { detail = '' } of judged.verdicts.rules.flatMap((rule) => rule.scenarios)) {
      assert.ok(!detail.includes('\n'), detail);
    }
  });
});

describe('the verdicts of a run', () => {
  test('keep their schema, with one entry per clause', () => {
    assertValid(judged.verdicts);
    const ids = judged.verdicts.rules.map(({ id }) => id);
    assert.deepEqual(
      ids.map((id) => id.replace(`${page}.`, '')),
      [
        ...['one-shot', 'returns-zero', 'arms-cq', 'marks-only', 'zero-any-cqe', 'zero-recv-success'],
        ...['any-cq-allowed', 'no-threshold', 'signature', 'rearm-restores'],
      ],
    );
    assert.deepEqual(ruleOf(judged, 'zero-recv-success').scenarios, ruleOf(judged, 'zero-any-cqe').scenarios);
  });

  test('name the rule, its page and its section', () => {
    const { page: name, section, title } = ruleOf(judged, 'one-shot');
    assert.deepEqual([name, section, title], [page, 'NOTES', 'One request adds at most one completion event']);
  });

  test('hold the reason of a rule without scenarios', () => {
    const { title, verdict, reason, scenarios } = ruleOf(judged, 'no-threshold');
    assert.equal(title, 'There is no event for a number of completions');
    assert.deepEqual(
      { verdict, reason, scenarios },
      { verdict: 'untested', reason: 'Nobody can ask for it.', scenarios: [] },
    );
  });

  test('fail the run', () => {
    assert.equal(exitCode(judged.verdicts, judged.problems), 1);
    assert.deepEqual(judged.problems, []);
  });

  test('take the times of the messages', () => {
    assert.equal(judged.verdicts.startedAt, new Date(judged.run.startMs).toISOString());
    assert.ok(judged.verdicts.durationMs > 0);
  });
});

describe('a selection', () => {
  test('of some scenarios of a rule is reported', () => {
    const run = judgeMessages(recordOutcomes('--name', '^Always$'));
    assert.deepEqual(
      run.verdicts.rules.map(({ verdict, reason }) => [verdict, reason]),
      [['conforms', 'only 1 of 2 scenarios were selected']],
    );
    assert.equal(exitCode(run.verdicts, run.problems), 0);
  });

  test('of nothing is not a success', () => {
    const run = judgeMessages(recordOutcomes('--name', 'no such scenario'));
    assert.deepEqual(run.verdicts.rules, []);
    assert.equal(exitCode(run.verdicts, run.problems), 3);
  });

  test('that is only walked through is broken', () => {
    const run = judgeMessages(recordOutcomes('--dry-run', '--name', '^Always$'));
    assert.equal(ruleOf(run, 'rearm-restores').verdict, 'broken');
    assert.equal(exitCode(run.verdicts, run.problems), 3);
  });

  test('that passes when tried again does not pass', () => {
    const run = judgeMessages(recordOutcomes('--retry', '1', '--tags', '@flaky'));
    assert.equal(run.scenarios[0]?.recorded.attempts.length, 2);
    assert.equal(ruleOf(run, 'rearm-restores').verdict, 'violates');
  });
});

describe('a run that was killed', () => {
  test('leaves the scenario it was in, and all after it, broken', () => {
    const lines = messages.split('\n');
    const hang = lines.findIndex((line) => line.includes('ibv_destroy_cq did not return'));
    const run = judgeMessages(lines.slice(0, hang).join('\n'));
    const verdicts = (slug: string): string[] => ruleOf(run, slug).scenarios.map(({ verdict }) => verdict);
    assert.equal(ruleOf(run, 'one-shot').verdict, 'violates');
    assert.deepEqual(verdicts('arms-cq'), ['crash', 'broken', 'broken', 'broken', 'broken', 'broken', 'broken']);
    assert.deepEqual(verdicts('rearm-restores'), ['broken', 'broken']);
    assert.match(scenarioOf(run, 'arms-cq', 'A verb hangs').detail ?? '', /When a verb never returns: the run ended/);
    assert.match(scenarioOf(run, 'rearm-restores', 'Always').detail ?? '', /before the scenario began/);
    assert.deepEqual(run.problems, ['the run was cut short: it has no end']);
    assertValid(run.verdicts);
  });
});

describe('a refusal in a clean-up', () => {
  const slug = 'any-cq-allowed';
  const charging = (subject: string): RuleEntry => {
    const { recording } = judged;
    const clause = recording.clauses.get(`${page}.${slug}`);
    assert.ok(clause);
    const own = { ...clause, subject, chargedInCleanUp: true } as const;
    return ruleOf(judgeRun({ ...recording, clauses: new Map([...recording.clauses, [own.id, own]]) }), slug);
  };

  test('is charged to the rule of the verb that may not refuse there', () => {
    const { verdict, reason } = charging('ibv_destroy_cq');
    assert.equal(verdict, 'violates');
    const [charge] = (reason ?? '').split('; ');
    assert.equal(charge, 'ibv_destroy_cq() was refused: returned 16, errno EBUSY, in the clean-up of 3 scenarios');
    assert.equal(ruleOf(judged, 'marks-only').verdict, 'blocked');
  });

  test('is charged to no other', () => {
    for (const subject of ['ibv_destroy_qp', 'ibv_create_cq']) {
      assert.equal(charging(subject).verdict, 'not-applicable', subject);
    }
    assert.equal(ruleOf(judged, slug).verdict, 'not-applicable');
  });
});

describe('a scenario that no verdict would hold', () => {
  test('is a problem', () => {
    const run = judgeMessages(messages.replaceAll(`@${page}.arms-cq`, `@${page}.no-such-clause`));
    assert.deepEqual(run.problems, [`features/cq/${page}.feature: unknown clause id @${page}.no-such-clause`]);
    const untagged = judgeMessages(messages.replaceAll(`@${page}.any-cq-allowed`, '@other'));
    assert.match(untagged.problems.join(), /"On the CQ of an SRQ" stands under no Rule with a clause id/);
  });
});
