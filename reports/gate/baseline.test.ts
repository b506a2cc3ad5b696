import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rule, verdictsOf } from '../fixtures/verdicts';
import { baselineOf, parseAnyBaseline, parseBaseline, renderBaseline } from './baseline';
import { baselineDiff } from './baseline-diff';

const fifo = 'ibv_poll_cq.fifo';
const other = 'ibv_poll_cq.other';

describe('a baseline', () => {
  const run = verdictsOf([rule(other, 'pass', 'not-applicable'), rule(fifo, 'pass'), rule('ibv_poll_cq.none')]);

  it('lists what does not conform alone, sorted, and survives being written and read', () => {
    const text = renderBaseline(baselineOf(run));
    assert.deepEqual(parseBaseline(text, 'x'), baselineOf(run));
    assert.deepEqual(
      text.split('\n').filter((line) => line.includes('ibv_')),
      [
        '    "ibv_poll_cq": { "rules": 2, "scenarios": 3 }',
        '    "ibv_poll_cq.other": { "verdict": "conforms", "pass": 1, "others": { "B": "not-applicable" } }',
      ],
    );
  });

  it('has no exception where all conforms', () => {
    const sound = baselineOf(verdictsOf([rule(fifo, 'pass')]));
    assert.match(renderBaseline(sound), /^ {2}"exceptions": \{\}$/m);
    assert.deepEqual(parseBaseline(renderBaseline(sound), 'x'), sound);
  });

  it('is refused in one line if it is damaged', () => {
    const good = baselineOf(run);
    const changes = [{ exceptions: { x: {} } }, { counts: { ibv_poll_cq: {} } }, { schemaVersion: 3 }, { rules: {} }];
    const damaged: string[] = ['', '{', '[]', 'null', JSON.stringify(run)];
    for (const text of [...damaged, ...changes.map((change) => JSON.stringify({ ...good, ...change }))])
      assert.throws(() => parseBaseline(text, 'mine.json'), /^[^\n]*mine\.json is not [^\n]*$/m);
  });

  it('of version 1 is refused with what to do, and read where it is to be replaced', () => {
    const conditions = { provider: 'sim', kernel: '6.1' };
    const rules = { [fifo]: { verdict: 'conforms', pass: 1 } };
    const old = JSON.stringify({
      schemaVersion: 1,
      driver: 'sim',
      dut: conditions,
      recorded: {},
      capabilities: [],
      rules,
    });
    assert.throws(
      () => parseBaseline(old, 'mine.json'),
      /^UsageError: mine\.json is a baseline of schema version 1, [^\n]*--baseline mine\.json --update RUN[^\n]*$/,
    );
    const before = parseAnyBaseline(old, 'mine.json');
    const after = baselineOf({ ...run, dut: { ...run.dut, kernel: '6.1.5' } }, before);
    assert.deepEqual(after.dut, conditions);
    assert.deepEqual(baselineDiff(before, after), ['~ schemaVersion: 1 → 2']);
  });

  it('has a line for each thing that an update changes', () => {
    const after = verdictsOf([rule(fifo, 'fail'), rule('ibv_poll_cq.new', 'pass'), rule('ibv_modify_cq.x', 'pass')], {
      dut: { ...run.dut, capabilities: ['srq', 'uc'] },
    });
    assert.deepEqual(baselineDiff(baselineOf(run), baselineOf(after)), [
      '- ud: capability',
      '+ uc: capability',
      '~ ibv_poll_cq: 2 rules with 3 scenarios → 2 rules with 2 scenarios',
      '+ ibv_modify_cq: 1 rule with 1 scenario',
      '- ibv_poll_cq.other: conforms (1 pass; not-applicable: "B")',
      '+ ibv_poll_cq.fifo: violates (0 pass; fail: "A")',
    ]);
    assert.deepEqual(baselineDiff(baselineOf(run), baselineOf(run)), []);
  });
});
