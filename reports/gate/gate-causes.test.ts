import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { junitXml } from '../ci-formats/junit';
import type { Cause, Causes } from '../diagnosis/causes';
import { rule, verdictsOf } from '../fixtures/verdicts';
import type { RuleEntry } from '../judge/verdicts';
import { baselineOf } from './baseline';
import { combineRuns } from './combine-runs';
import { gateCases } from './gate-cases';
import { gateMarkdown } from './gate-markdown';
import { renderGate } from './gate-text';
import { githubAnnotations } from './github';
import { judgeGate, type GateResult } from './judge-gate';

const [a, b, c] = ['ibv_poll_cq.a', 'ibv_poll_cq.b', 'ibv_resize_cq.c'] as const;
const before = verdictsOf([rule(a, 'pass', 'pass'), rule(b, 'fail'), rule(c, 'pass')]);
const after = [rule(a, 'fail', 'fail'), rule(b, 'fail'), rule(c, 'crash')];

function causeOf(title: string, rules: readonly string[], of: readonly RuleEntry[]): Cause {
  const scenarios = of.flatMap(({ scenarios: own }) => own.map(({ name, uri, line }) => ({ name, uri, line })));
  const [first = { name: '', uri: '', line: 0 }] = scenarios;
  return {
    kind: rules.length > 0 ? 'looks-like' : 'unknown',
    words: title,
    title,
    faults: rules.length > 0 ? ['fault'] : [],
    rules,
    missed: 0,
    first,
    scenarios,
  };
}

const looksLike = causeOf('looks like: an event is lost', [a], after.slice(0, 1));
const elsewhere = { name: 'B', uri: 'features/cq/ibv_poll_cq.feature', line: 77 };
const known = { ...causeOf('like no known fault: it is so', [], []), first: elsewhere, scenarios: [elsewhere] };

function gated(causes: readonly Cause[], run = after): GateResult {
  const combined = combineRuns([{ name: 'now', verdicts: verdictsOf(run) }]);
  return judgeGate(baselineOf(before), combined, { causes: { failed: 4, causes } });
}

function annotationsOf(result: GateResult): string[] {
  return githubAnnotations(result).trimEnd().split('\n');
}

describe('the causes of what fails a gate', () => {
  it('leave out what is as in the baseline, and count what fails the gate', () => {
    const { causes }: { causes: Causes } = gated([known, looksLike]);
    assert.deepEqual(
      causes.causes.map(({ words }) => words),
      ['looks like: an event is lost (explains 2 of 3)'],
    );
  });

  it('leave out scenarios of changes that fail nothing', () => {
    const better = rule(b, 'pass');
    const improved = causeOf('looks like: it was so', [b], [better]);
    const only = gated([improved], [rule(a, 'pass', 'pass'), better, rule(c, 'pass')]);
    assert.deepEqual([only.changes.map(({ kind }) => kind), only.causes], [['improvement'], { failed: 0, causes: [] }]);
  });

  it('change nothing in what the gate says', () => {
    const [without, beside] = [gated([]), gated([looksLike])];
    assert.deepEqual({ ...beside, causes: without.causes }, without);
  });

  it('stand before the result on a terminal', () => {
    const options = { color: false, columns: 80, baseline: 'x.json', updateCommand: undefined };
    const lines = renderGate(gated([looksLike]), options).split('\n');
    const start = lines.indexOf('Causes, as far as one can see');
    assert.deepEqual(lines.slice(start + 1, start + 3), [
      '  looks like: an event is lost (explains 2 of 3)',
      `    against ${a}`,
    ]);
    assert.match(lines[start + 5] ?? '', /^gate failed: /);
    assert.doesNotMatch(renderGate(gated([]), options), /Causes/);
  });

  it('stand first in Markdown, as text', () => {
    const text = gateMarkdown(gated([{ ...looksLike, title: 'looks like: <b>' }]), 'x.json');
    assert.match(
      text,
      /#### Causes, as far as one can see\n\n- looks like: &lt;b&gt; \\\(explains 2 of 3\\\)<br>against/,
    );
    assert.ok(text.indexOf('#### Causes') < text.indexOf('| --- |'));
    assert.doesNotMatch(gateMarkdown(gated([]), 'x.json'), /Causes/);
  });

  it('are properties of the suites in JUnit that have a failure of theirs', () => {
    const result = gated([looksLike]);
    const xml = junitXml(gateCases(result, verdictsOf(after)), verdictsOf(after), result.causes.causes);
    assert.match(xml, /<property name="cause" value="looks like: an event is lost \(explains 2 of 3\)"\/>/);
    const passed = gateCases(gated([], before.rules as RuleEntry[]), before);
    assert.doesNotMatch(junitXml(passed, before, result.causes.causes), /name="cause"/);
  });
});

describe('annotations of GitHub', () => {
  it('name each cause with an example, then what has none, and count the rest', () => {
    const [cause = '', other = '', rest = '', ...more] = annotationsOf(gated([looksLike]));
    const place = 'file=features/cq/ibv_poll_cq.feature,line=10';
    assert.equal(
      cause,
      `::error ${place},title=looks like%3A an event is lost::looks like: an event is lost (explains 2 of 3)%0Aagainst ${a}%0Afor example "A"%0Aobserved fail`,
    );
    assert.match(other, new RegExp(`^::error .*,title=regression%3A ${c}::`));
    assert.match(rest, /^::notice title=no annotation of their own::1 regression; the log /);
    assert.deepEqual(more, []);
  });

  it('are one for each change without causes, as far as GitHub shows them', () => {
    assert.equal(annotationsOf(gated([])).length, 2);
    const rules = Array.from({ length: 30 }, (_, index) => rule(`ibv_poll_cq.r${index}`, 'fail'));
    const many = annotationsOf(gated([], [...rules, ...after]));
    assert.equal(many.filter((line) => line.startsWith('::error ')).length, 9);
    assert.match(many.at(-1) ?? '', /^::notice title=no annotation of their own::23 regressions; /);
  });
});
