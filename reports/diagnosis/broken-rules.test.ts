import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brokenRules, type Neighbor } from './broken-rules';
import { diagnose } from './diagnose';
import type { KnownFault } from './dictionary';
import { MemberEvidence } from './members/differing';
import { FaultIndex } from './fault-index';
import { ViolatedRules } from './violated-rules';

/** The scenarios of three rules: `a1` is the first one of rule `page.a`. */
const keys = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'];
const rules = new Map(keys.map((key) => [key, [`page.${key[0] ?? ''}`]]));

/** A fault that breaks rules, a letter each, and fails scenarios: `a1:sig`. */
function fault(name: string, breaks: string, ...fails: readonly string[]): KnownFault {
  const pairs = fails.map((text): [string, string] => [text.slice(0, 2), text.slice(3)]);
  const ids = breaks.split('').map((letter) => `page.${letter}`);
  return { name, effect: name, rules: ids, fails: new Map(pairs) };
}

function observation(failed: Readonly<Record<string, string>>) {
  const passed = new Set(keys.filter((key) => !(key in failed)));
  return { failed: new Map(Object.entries(failed)), passed, rules };
}

/** The violated rules by their letters, the likeliest to be broken first. */
function likeliest(
  failed: Readonly<Record<string, string>>,
  faults: readonly KnownFault[],
  neighbors: readonly Neighbor[],
): string {
  const observed = observation(failed);
  const members = new MemberEvidence(observed.failed.keys(), undefined);
  const violated = new ViolatedRules(observed.failed, observed);
  const broken = brokenRules(violated, FaultIndex.of(faults, rules), neighbors, members);
  const sorted = [...broken].sort(([, one], [, other]) => other - one);
  assert.equal(sorted[0]?.[1], 1);
  return sorted.map(([id]) => id.replace('page.', '')).join('');
}

describe('the rule that is likeliest to be broken', () => {
  it('is the one all of whose scenarios fail', () => {
    assert.equal(likeliest({ a1: 's', b1: 's', b2: 's' }, [], []), 'ba');
  });

  it('is the one that known faults break, and not the one that merely fails with others', () => {
    const faults = [
      fault('one', 'a', 'a1:s', 'b1:s'),
      fault('two', 'a', 'a1:s', 'b1:s'),
      fault('three', 'c', 'c1:s', 'b1:s'),
    ];
    assert.equal(likeliest({ a1: 'x', b1: 'x' }, faults, []), 'ab');
  });

  it('is the one that the nearest fault breaks', () => {
    const [near, far] = [fault('near', 'b'), fault('far', 'a')];
    const neighbors = [near, far].map((one, index) => ({ fault: one, likeness: 1 / (index + 1) }));
    assert.equal(likeliest({ a1: 'x', b1: 'x' }, [], neighbors), 'ba');
  });

  it('is named first, whichever the fault names first', () => {
    const [explanation] = diagnose(
      observation({ a1: 's', b1: 's', b2: 's' }),
      FaultIndex.of([fault('both', 'ab', 'a1:s', 'b1:s', 'b2:s')], rules),
    ).explanations;
    assert.deepEqual(explanation?.rules, ['page.b', 'page.a']);
  });
});

describe('an index of faults', () => {
  const [one, two, three] = [fault('one', 'a', 'a1:s'), fault('two', 'a', 'a1:s'), fault('three', 'b', 'b1:s', 'a1:s')];
  const index = FaultIndex.of([one, two, three], rules);

  it('counts as if a fault that is left out had never been', () => {
    const [left, anew] = [index.without(three), FaultIndex.of([one, two], rules)];
    assert.deepEqual(left.faults, anew.faults);
    for (const id of ['page.a', 'page.b']) {
      assert.equal(left.violating(id), anew.violating(id));
      assert.equal(left.breaking(id), anew.breaking(id));
    }
    const failed = { a1: 's', b1: 's' };
    assert.deepEqual(diagnose(observation(failed), left), diagnose(observation(failed), anew));
  });

  it('lets what few faults show count more', () => {
    const [common = -1] = index.features.of([['a1', 's']]);
    const [rare = -1] = index.features.of([['b1', 's']]);
    assert.ok(index.weightOf(rare) > index.weightOf(common));
  });
});

describe('a fault whose own rules fail entirely', () => {
  it('goes before one of whose rules only a scenario fails', () => {
    const [entirely, partly] = [fault('entirely', 'a', 'a1:x', 'a2:x'), fault('partly', 'b', 'b1:x', 'b2:x')];
    const { explanations } = diagnose(
      observation({ a1: 's', a2: 's', b1: 's' }),
      FaultIndex.of([partly, entirely], rules),
    );
    assert.equal(explanations[0]?.faults[0]?.name, 'entirely');
  });
});
