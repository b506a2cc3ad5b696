import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { rule, verdictsOf } from '../fixtures/verdicts';
import type { ScenarioVerdict } from '../../catalog/verdict';
import type { DeviationEntry, RuleEntry, Verdicts } from '../judge/verdicts';
import { baselineOf } from './baseline';
import { combineRuns } from './combine-runs';
import { renderGate } from './gate-text';
import { judgeGate, type GateOptions, type GateResult } from './judge-gate';

const page = 'ibv_poll_cq';
const fifo = `${page}.fifo`;
const other = `${page}.other`;

function gate(before: Verdicts, after: Verdicts | readonly Verdicts[], options?: GateOptions): GateResult {
  const [first, ...others] = [after].flat().map((verdicts, index) => ({ name: `run ${index + 1}`, verdicts }));
  assert.ok(first);
  return judgeGate(baselineOf(before), combineRuns([first, ...others]), options);
}

/** What the gate reports, in short. */
function told({ changes, exitCode }: GateResult): [number, ...string[]] {
  return [exitCode, ...changes.map(({ kind, subject, what }) => `${kind}: ${subject} ${what}`)];
}

function gateRules(before: RuleEntry, after: RuleEntry): [number, ...string[]] {
  const steady = rule(other, 'pass');
  return told(gate(verdictsOf([before, steady]), verdictsOf([after, steady])));
}

describe('the gate on a rule', () => {
  const cases: readonly [string, readonly ScenarioVerdict[], readonly ScenarioVerdict[], [number, ...string[]]][] = [
    ['is as it was', ['pass', 'deviates'], ['pass', 'deviates'], [0]],
    ['violates', ['pass'], ['fail'], [1, `regression: ${fifo} conforms → violates`]],
    [
      'violates in another scenario as well',
      ['fail', 'pass'],
      ['fail', 'hang'],
      [1, `regression: ${fifo} still violates`],
    ],
    ['fails as it did', ['fail', 'pass'], ['fail', 'pass'], [0]],
    ['crashes where it failed', ['fail'], ['crash'], [1, `regression: ${fifo} still violates`]],
    ['fails where it crashed', ['crash'], ['fail'], [0, `improvement: ${fifo} still violates`]],
    ['deviates where it passed', ['pass'], ['deviates'], [1, `regression: ${fifo} conforms → deviates`]],
    ['conforms where it deviated', ['deviates'], ['pass'], [0, `improvement: ${fifo} deviates → conforms`]],
    [
      'is skipped where it passed',
      ['pass', 'pass'],
      ['pass', 'not-applicable'],
      [1, `regression: ${fifo} still conforms`],
    ],
    [
      'is skipped where it deviated',
      ['deviates'],
      ['not-applicable'],
      [1, `regression: ${fifo} deviates → not-applicable`],
    ],
    [
      'is examined where it was not',
      ['not-applicable'],
      ['pass'],
      [0, `improvement: ${fifo} not-applicable → conforms`],
    ],
    ['shows a deviation no longer', ['deviates'], ['surprise'], [1, `surprise: ${fifo} deviates → violates`]],
    ['is blocked', ['pass'], ['blocked'], [1, `regression: ${fifo} conforms → blocked`]],
    ['is blocked as it was', ['blocked', 'pass'], ['blocked', 'pass'], [0]],
    ['is blocked where it failed', ['fail'], ['blocked'], [1, `regression: ${fifo} violates → blocked`]],
    ['is blocked where it deviated', ['deviates'], ['blocked'], [1, `regression: ${fifo} deviates → blocked`]],
    ['conforms where it was blocked', ['blocked'], ['pass'], [0, `improvement: ${fifo} blocked → conforms`]],
    ['violates where it was blocked', ['blocked'], ['fail'], [1, `regression: ${fifo} blocked → violates`]],
    ['is broken', ['pass'], ['broken'], [3, `broken: ${fifo} conforms → broken`]],
    ['is broken and fails', ['pass', 'pass'], ['broken', 'fail'], [1, `regression: ${fifo} conforms → violates`]],
    ['has one scenario more', ['pass'], ['pass', 'not-applicable'], [0, `new: ${fifo} still conforms`]],
    [
      'deviates in one scenario more',
      ['pass'],
      ['pass', 'deviates'],
      [0, `new: ${fifo} deviates, in what is not in the baseline`],
    ],
    [
      'has a new scenario that fails',
      ['pass'],
      ['pass', 'fail'],
      [1, `regression: ${fifo} violates, and conforms in the baseline or is new`],
    ],
    [
      'has a new scenario that passes and is skipped in two',
      ['pass', 'pass'],
      ['pass', 'not-applicable', 'not-applicable'],
      [1, `regression: ${fifo} still conforms`],
    ],
    [
      'deviates and has lost a scenario',
      ['deviates', 'pass'],
      ['deviates'],
      [1, `vanished: ${fifo} still deviates; 1 of 2 scenarios is gone`],
    ],
    [
      'deviates and has a new scenario that does not apply',
      ['deviates', 'pass'],
      ['deviates', 'pass', 'not-applicable'],
      [0, `new: ${fifo} still deviates`],
    ],
    [
      'has lost a scenario',
      ['pass', 'pass'],
      ['pass'],
      [
        1,
        `vanished: ${page} besides exceptions 2 rules with 3 scenarios in the baseline, 2 rules with 2 scenarios in the run`,
      ],
    ],
    [
      'has lost all scenarios',
      ['pass'],
      [],
      [
        1,
        `vanished: ${page} besides exceptions 2 rules with 2 scenarios in the baseline, 1 rule with 1 scenario in the run`,
      ],
    ],
    ['has its first scenario', [], ['pass'], [0]],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`that ${what}`, () => {
      assert.deepEqual(gateRules(rule(fifo, ...before), rule(fifo, ...after)), expected);
    });
  }

  it('that is new is worth a note, and fails only if the rule does', () => {
    const before = verdictsOf([rule(other, 'pass')]);
    const grown = (verdict: ScenarioVerdict): GateResult =>
      gate(before, verdictsOf([rule(other, 'pass'), rule(fifo, verdict)]));
    assert.deepEqual(told(grown('pass')), [0]);
    assert.deepEqual(grown('pass').notes, [`scenarios that the baseline does not count: ${page} 1`]);
    assert.deepEqual(told(grown('deviates')), [0, `new: ${fifo} deviates, in what is not in the baseline`]);
    assert.deepEqual(told(grown('crash')), [1, `regression: ${fifo} violates, and conforms in the baseline or is new`]);
    assert.deepEqual(told(grown('broken')), [3, `broken: ${fifo} broken, and conforms in the baseline or is new`]);
  });

  it('that is new and does not apply hides none that applied', () => {
    const before = verdictsOf([rule(other, 'pass')]);
    const after = verdictsOf([rule(other, 'not-applicable'), rule(fifo, 'not-applicable')]);
    const kinds = gate(before, after).changes.map(({ kind, subject }) => `${kind} ${subject}`);
    assert.deepEqual(kinds, [`regression ${other}`, `regression ${fifo}`]);
  });

  it('counts for its own page alone', () => {
    const before = verdictsOf([rule(fifo, 'pass'), rule('ibv_modify_cq.x', 'pass')]);
    const after = verdictsOf([rule(fifo, 'not-applicable'), rule('ibv_modify_cq.x', 'pass', 'pass')]);
    assert.deepEqual(told(gate(before, after)), [1, `regression: ${fifo} conforms → not-applicable`]);
  });

  it('that vanished fails, unless only a part was to run', () => {
    const before = verdictsOf([rule(fifo, 'pass', 'deviates'), rule(other, 'pass'), rule('ibv_modify_cq.x', 'pass')]);
    const gone = gate(before, verdictsOf([rule(other, 'pass')]));
    assert.deepEqual(told(gone), [
      1,
      'vanished: ibv_modify_cq besides exceptions 1 rule with 1 scenario in the baseline, 0 rules with 0 scenarios in the run',
      `vanished: ${fifo} deviates in the baseline, and not in the run`,
    ]);
    assert.deepEqual(gone.notes, ['if only a part was to run, --selected judges that part alone']);
    const part = gate(before, verdictsOf([rule(fifo, 'pass')]), { selected: true });
    assert.deepEqual(told(part), [0]);
    assert.deepEqual(part.notes, ['2 rules of the baseline did not run and are not judged: --selected']);
  });

  it('of a part that was to run must pass as it did', () => {
    const before = verdictsOf([rule(fifo, 'pass', 'pass'), rule(other, 'pass', 'deviates')]);
    const part = verdictsOf([rule(fifo, 'not-applicable')]);
    assert.deepEqual(told(gate(before, part, { selected: true })), [
      1,
      `regression: ${fifo} conforms → not-applicable`,
    ]);
  });
});

describe('the gate on a run', () => {
  const before = verdictsOf([rule(fifo, 'pass'), rule(other, 'pass')]);

  it('fails for a lost capability, named before the rules that no longer apply', () => {
    const dut = { ...before.dut, capabilities: ['ud', 'uc'] as const };
    const after = verdictsOf([rule(fifo, 'not-applicable'), rule(other, 'pass')], { dut });
    assert.deepEqual(told(gate(before, after)), [
      1,
      'capability-lost: srq the device has it no longer',
      `regression: ${fifo} conforms → not-applicable`,
      'capability-gained: uc the device did not have it',
    ]);
  });

  it('fails for a list of stale deviations, whatever the scenarios say', () => {
    const entry = (state: DeviationEntry['state']): DeviationEntry => {
      return { rule: fifo, state, reason: 'r', link: 'l', owner: 'o', listedAt: 'mine.json:3', detail: 'in words' };
    };
    for (const state of ['expired', 'unused', 'wrong-symptom', 'surprise'] as const) {
      const result = gate(before, { ...before, deviations: [entry('shown'), entry(state)] });
      assert.deepEqual(told(result), [1, `stale-deviation: ${fifo} ${state}: in words`]);
    }
    assert.deepEqual(told(gate(before, { ...before, deviations: [entry('shown'), entry('undecided')] })), [0]);
    const surprised = verdictsOf([rule(fifo, 'surprise'), rule(other, 'pass')], { deviations: [entry('surprise')] });
    assert.equal(gate(before, surprised).changes.length, 1, 'a surprise is reported once');
  });

  it('is 3 if the device was lost, or nothing was executed', () => {
    assert.equal(gate(before, { ...before, dutLost: 'it went' }).exitCode, 3);
    const nothing = verdictsOf([rule(fifo, 'not-applicable')]);
    assert.equal(gate(nothing, nothing).exitCode, 3);
    assert.equal(gate(verdictsOf([]), verdictsOf([])).exitCode, 3);
  });

  it('prints what fails first, the most severe on top, and the result last', () => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((name) => `ibv_poll_cq.${name}`);
    const [a = '', b = '', c = '', d = '', e = ''] = rules;
    const was = verdictsOf([rule(a, 'deviates'), rule(b, 'pass'), rule(c, 'pass'), rule(d, 'pass', 'pass')]);
    const is = verdictsOf([
      rule(a, 'pass'),
      rule(b, 'fail'),
      rule(c, 'crash'),
      rule(d, 'fail', 'fail'),
      rule(e, 'deviates'),
    ]);
    const text = renderGate(gate(was, is), { color: false, columns: 80, baseline: 'x.json', updateCommand: 'do it' });
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(
      lines.filter((line) => /^\w[\w ]*: ibv/.test(line)),
      [
        `regression: ${c} violates, and conforms in the baseline or is new`,
        `regression: ${d} violates, and conforms in the baseline or is new`,
        `regression: ${b} violates, and conforms in the baseline or is new`,
        `rule new: ${e} deviates, in what is not in the baseline`,
        `improvement: ${a} deviates → conforms`,
      ],
    );
    assert.equal(lines[0], `regression: ${c} violates, and conforms in the baseline or is new`);
    assert.equal(
      lines.slice(-3).join('\n'),
      'gate failed: 3 regressions, 1 rule new, 1 improvement, 0 of 5 rules are as in\n  x.json\nIf this is as it should be: do it',
    );
  });

  it('lets nothing of a device steer the terminal', () => {
    const nasty = { ...rule(fifo, 'fail'), title: 'a\u001b[2Jb\u0007' };
    const result = gate(before, verdictsOf([nasty, rule(other, 'pass')]));
    assert.doesNotMatch(
      renderGate(result, { color: false, columns: 80, baseline: 'x', updateCommand: undefined }),
      /[\u0000-\u0009\u000b-\u001f]/,
    );
  });
});

describe('several runs', () => {
  const before = verdictsOf([rule(fifo, 'pass', 'pass'), rule(other, 'pass')]);
  const run = (...verdicts: ScenarioVerdict[]): Verdicts => verdictsOf([rule(fifo, ...verdicts), rule(other, 'pass')]);

  it('make what differs flaky, and what fails in all of them a regression', () => {
    const result = gate(before, [run('pass', 'pass'), run('fail', 'pass'), run('pass', 'pass')]);
    assert.deepEqual(told(result), [1, `flaky: ${fifo} conforms → violates`]);
    assert.equal(result.changes[0]?.scenarios[0]?.what, 'pass, fail, pass in turn');
    assert.deepEqual(told(gate(before, [run('fail', 'pass'), run('fail', 'pass')])), [
      1,
      `regression: ${fifo} conforms → violates`,
    ]);
    assert.deepEqual(told(gate(before, [before, before])), [0]);
  });

  it('make nothing flaky by a listed deviation that shows only sometimes', () => {
    const sometimes = (state: DeviationEntry['state']): Partial<Verdicts> => {
      const entry = { rule: fifo, scenario: 'A', state, reason: 'r', link: 'https://a.b', owner: 'o', detail: 'd' };
      return { deviations: [{ ...entry, showsOnlyIf: 'the moon is full' }] };
    };
    const shown = { ...run('deviates', 'pass'), ...sometimes('shown') };
    const absent = { ...run('pass', 'pass'), ...sometimes('not-this-time') };
    for (const runs of [[shown, absent], [absent, shown], [shown]]) assert.deepEqual(told(gate(before, runs)), [0]);
    assert.deepEqual(told(gate(shown, [shown, absent])), [0]);
    assert.deepEqual(told(gate(shown, absent)), [0, `improvement: ${fifo} deviates → conforms`]);
    assert.deepEqual(told(gate(before, [{ ...run('pass', 'deviates'), ...sometimes('shown') }])), [
      1,
      `regression: ${fifo} conforms → deviates`,
    ]);
    assert.deepEqual(told(gate(before, [shown, run('fail', 'pass')])), [1, `flaky: ${fifo} conforms → violates`]);
  });

  it('make nothing flaky by being broken', () => {
    assert.deepEqual(told(gate(before, [run('pass', 'pass'), run('broken', 'pass')])), [
      3,
      `broken: ${fifo} conforms → broken`,
    ]);
  });

  it('lose a capability, a device or a list in any of them', () => {
    const lacking = { ...before, dut: { ...before.dut, capabilities: ['ud'] as const } };
    assert.deepEqual(told(gate(before, [before, lacking])), [1, 'capability-lost: srq the device has it no longer']);
    assert.equal(gate(before, [before, { ...before, dutLost: 'it went' }]).exitCode, 3);
  });

  it('are refused if they are of different suites, devices or rules', () => {
    const strangers: Verdicts[] = [
      { ...before, suite: { version: '0.2.0', commit: 'abc' } },
      { ...before, driver: 'hca' },
      { ...before, dut: { ...before.dut, kernel: '6.12' } },
      verdictsOf([rule(fifo, 'pass', 'pass')]),
    ];
    for (const stranger of strangers) assert.throws(() => gate(before, [before, stranger]), UsageError);
  });
});
