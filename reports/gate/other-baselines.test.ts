import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rule, verdictsOf } from '../fixtures/verdicts';
import { baselineOf } from './baseline';
import { combineRuns } from './combine-runs';
import { gateCases } from './gate-cases';
import { gateMarkdown } from './gate-markdown';
import { renderGate } from './gate-text';
import { judgeGate, type GateResult } from './judge-gate';
import type { NamedBaseline } from './other-baselines';

const [a, b] = ['ibv_poll_cq.a', 'ibv_resize_cq.b'] as const;
const sound = verdictsOf([rule(a, 'pass', 'pass'), rule(b, 'fail')]);
const layout = { color: false, columns: 200, baseline: 'x.json', updateCommand: 'npx verbspec gate --update' };

function other(name: string, ...rules: Parameters<typeof rule>[]): NamedBaseline {
  return { name, baseline: baselineOf(verdictsOf(rules.map((each) => rule(...each)))) };
}

function gated(
  others: readonly NamedBaseline[],
  now = verdictsOf([rule(a, 'fail', 'pass'), rule(b, 'fail')]),
): GateResult {
  return judgeGate(baselineOf(sound), combineRuns([{ name: 'now', verdicts: now }]), { others: () => others });
}

describe('a regression', () => {
  it('comes with what the rule does in other baselines', () => {
    const others = [
      other('one', [a, 'pass']),
      other('two', [a, 'deviates']),
      other('three', ['ibv_resize_cq.x', 'pass']),
    ];
    const told = 'conforms in 1 other baseline: one; deviates in 1: two';
    assert.deepEqual(
      gated(others).changes.map(({ elsewhere }) => elsewhere),
      [told],
    );
    assert.match(renderGate(gated(others), layout), new RegExp(`^  ${told}$`, 'm'));
    assert.match(gateMarkdown(gated(others), 'x.json'), /<br>conforms in 1 other baseline/);
  });

  it('names a few of many', () => {
    const many = Array.from({ length: 7 }, (_, index) => other(`b${index}`, [a, 'pass']));
    assert.equal(gated(many).changes[0]?.elsewhere, 'conforms in 7 other baselines: b0, b1, b2, b3, 3 more');
  });

  it('stands alone where nothing else is known', () => {
    assert.equal(gated([]).changes[0]?.elsewhere, undefined);
  });
});

it('a new baseline is suggested for few changes', () => {
  const rules = Array.from({ length: 11 }, (_, index) => `ibv_poll_cq.r${index}`);
  const before = baselineOf(verdictsOf(rules.map((id) => rule(id, 'pass'))));
  const after = (failed: number): string => {
    const verdicts = verdictsOf(rules.map((id, index) => rule(id, index < failed ? 'fail' : 'pass')));
    return renderGate(judgeGate(before, combineRuns([{ name: 'now', verdicts }])), layout);
  };
  assert.match(after(10), /--update/);
  assert.doesNotMatch(after(11), /--update/);
});

describe('the tests that a gate is for a CI system', () => {
  it('have each failure once, and what fails as before as skipped', () => {
    const now = verdictsOf([rule(a, 'fail', 'pass'), rule(b, 'fail')]);
    assert.deepEqual(
      gateCases(gated([], now), now).map(({ subject, name, state, verdict, message }) => [
        subject,
        name,
        state,
        verdict,
        message,
      ]),
      [
        [a, 'A', 'failed', 'regression', 'regression: pass → fail; observed fail'],
        [a, 'B', 'passed', 'pass', undefined],
        [b, 'A', 'skipped', 'fail', 'as in the baseline; observed fail'],
      ],
    );
  });

  it('have a test for what no scenario stands for', () => {
    const now = { ...verdictsOf([rule(a, 'pass', 'pass'), rule(b, 'fail')]), dutLost: 'gone' };
    const failed = gateCases(gated([], now), now).filter(({ state }) => state === 'failed' || state === 'error');
    assert.deepEqual(
      failed.map(({ group, name, state }) => [group, name, state]),
      [['gate', 'device lost', 'error']],
    );
  });
});
