import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { rule, verdictsOf } from '../fixtures/verdicts';
import type { ScenarioVerdict } from '../../catalog/verdict';
import type { DeviationEntry, RuleEntry, Verdicts } from '../judge/verdicts';
import { baselineOf, parseBaseline, renderBaseline } from './baseline';
import { baselineDiff } from './baseline-diff';
import { combineRuns } from './combine-runs';
import { renderGate } from './gate-text';
import { judgeGate, type GateOptions, type GateResult } from './judge-gate';

const fifo = 'ibv_poll_cq.fifo';
const other = 'ibv_poll_cq.other';

function gate(before: Verdicts, after: Verdicts | readonly Verdicts[], options?: GateOptions): GateResult {
  const [first, ...others] = [after].flat().map((verdicts, index) => ({ name: `run ${index + 1}`, verdicts }));
  assert.ok(first);
  return judgeGate(baselineOf(before), combineRuns([first, ...others]), options);
}

/** What the gate tells, in short. */
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
    ['is broken', ['pass'], ['broken'], [3, `broken: ${fifo} conforms → broken`]],
    ['is broken and fails', ['pass', 'pass'], ['broken', 'fail'], [1, `regression: ${fifo} conforms → violates`]],
    ['has one scenario more', ['pass'], ['pass', 'not-applicable'], [0, `new: ${fifo} still conforms`]],
    ['has a new scenario that fails', ['pass'], ['pass', 'fail'], [1, `regression: ${fifo} conforms → violates`]],
    [
      'has lost a scenario',
      ['pass', 'pass'],
      ['pass'],
      [1, `vanished: ${fifo} still conforms; 1 of 2 scenarios is gone`],
    ],
    ['has lost all scenarios', ['pass'], [], [1, `vanished: ${fifo} conforms → untested; 1 of 1 scenarios is gone`]],
    ['has its first scenario', [], ['pass'], [0, `improvement: ${fifo} untested → conforms`]],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`that ${what}`, () => {
      assert.deepEqual(gateRules(rule(fifo, ...before), rule(fifo, ...after)), expected);
    });
  }

  it('that is new tells it, and fails only if the rule does', () => {
    const before = verdictsOf([rule(other, 'pass')]);
    const grown = (verdict: ScenarioVerdict): [number, ...string[]] =>
      told(gate(before, verdictsOf([rule(other, 'pass'), rule(fifo, verdict)])));
    assert.deepEqual(grown('pass'), [0, `new: ${fifo} conforms, not in the baseline`]);
    assert.deepEqual(grown('deviates'), [0, `new: ${fifo} deviates, not in the baseline`]);
    assert.deepEqual(grown('crash'), [1, `regression: ${fifo} violates, not in the baseline`]);
    assert.deepEqual(grown('broken'), [3, `broken: ${fifo} broken, not in the baseline`]);
  });

  it('that vanished fails, unless only a part was to run', () => {
    const before = verdictsOf([rule(fifo, 'pass', 'deviates'), rule(other, 'pass')]);
    const gone = gate(before, verdictsOf([rule(other, 'pass')]));
    assert.deepEqual(told(gone), [1, `vanished: ${fifo} deviates in the baseline, and not in the run`]);
    assert.deepEqual(gone.notes, ['if only a part was to run, --selected judges that part alone']);
    const part = gate(before, verdictsOf([rule(fifo, 'pass')]), { selected: true });
    assert.deepEqual(told(part), [0]);
    assert.deepEqual(part.notes, ['1 rules of the baseline did not run and are not judged: --selected']);
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

  it('fails for a list of deviations to mend, whatever the scenarios say', () => {
    const entry = (state: DeviationEntry['state']): DeviationEntry => {
      return { rule: fifo, state, reason: 'r', link: 'l', owner: 'o', listedAt: 'mine.json:3', detail: 'in words' };
    };
    for (const state of ['expired', 'unused', 'wrong-symptom', 'surprise'] as const) {
      const result = gate(before, { ...before, deviations: [entry('shown'), entry(state)] });
      assert.deepEqual(told(result), [1, `deviation-to-mend: ${fifo} ${state}: in words`]);
    }
    assert.deepEqual(told(gate(before, { ...before, deviations: [entry('shown'), entry('undecided')] })), [0]);
    const surprised = verdictsOf([rule(fifo, 'surprise'), rule(other, 'pass')], { deviations: [entry('surprise')] });
    assert.equal(gate(before, surprised).changes.length, 1, 'a surprise is told once');
  });

  it('is 3 if the device was lost, or nothing was executed', () => {
    assert.equal(gate(before, { ...before, dutLost: 'it went' }).exitCode, 3);
    const nothing = verdictsOf([rule(fifo, 'not-applicable')]);
    assert.equal(gate(nothing, nothing).exitCode, 3);
    assert.equal(gate(verdictsOf([]), verdictsOf([])).exitCode, 3);
  });

  it('tells what fails first, the gravest on top, and the result last', () => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((name) => `ibv_poll_cq.${name}`);
    const [a = '', b = '', c = '', d = '', e = ''] = rules;
    const was = verdictsOf([rule(a, 'deviates'), rule(b, 'pass'), rule(c, 'pass'), rule(d, 'pass', 'pass')]);
    const is = verdictsOf([
      rule(a, 'pass'),
      rule(b, 'fail'),
      rule(c, 'crash'),
      rule(d, 'fail', 'fail'),
      rule(e, 'pass'),
    ]);
    const text = renderGate(gate(was, is), { color: false, columns: 80, baseline: 'x.json', updateCommand: 'do it' });
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(
      lines.filter((line) => /^\w[\w ]*: ibv/.test(line)),
      [
        `regression: ${c} conforms → violates`,
        `regression: ${d} conforms → violates`,
        `regression: ${b} conforms → violates`,
        `rule new: ${e} conforms, not in the baseline`,
        `improvement: ${a} deviates → conforms`,
      ],
    );
    assert.equal(lines[0], `regression: ${c} conforms → violates`);
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

describe('a baseline', () => {
  const run = verdictsOf([rule(other, 'pass', 'not-applicable'), rule(fifo, 'pass'), rule('ibv_poll_cq.none')]);

  it('is sorted, with a line for each rule, and survives being written and read', () => {
    const text = renderBaseline(baselineOf(run));
    assert.deepEqual(parseBaseline(text, 'x'), baselineOf(run));
    assert.deepEqual(
      text.split('\n').filter((line) => line.includes('ibv_')),
      [
        '    "ibv_poll_cq.fifo": { "verdict": "conforms", "pass": 1 },',
        '    "ibv_poll_cq.none": { "verdict": "untested", "pass": 0 },',
        '    "ibv_poll_cq.other": { "verdict": "conforms", "pass": 1, "others": { "B": "not-applicable" } }',
      ],
    );
  });

  it('is refused in one line if it is damaged', () => {
    const good = baselineOf(run);
    const damaged: string[] = ['', '{', '[]', JSON.stringify(run), JSON.stringify({ ...good, rules: { x: {} } })];
    for (const text of damaged)
      assert.throws(() => parseBaseline(text, 'mine.json'), /^[^\n]*mine\.json is no [^\n]*$/m);
  });

  it('tells a line for each thing that an update changes', () => {
    const after = verdictsOf([rule(fifo, 'fail'), rule('ibv_poll_cq.new', 'pass')], {
      dut: { ...run.dut, capabilities: ['srq', 'uc'] },
    });
    assert.deepEqual(baselineDiff(baselineOf(run), baselineOf(after)), [
      '- ud: capability',
      '+ uc: capability',
      '~ ibv_poll_cq.fifo: conforms (1 pass) → violates (0 pass; fail: "A")',
      '- ibv_poll_cq.none: untested',
      '- ibv_poll_cq.other: conforms (1 pass; not-applicable: "B")',
      '+ ibv_poll_cq.new: conforms (1 pass)',
    ]);
    assert.deepEqual(baselineDiff(baselineOf(run), baselineOf(run)), []);
  });
});
