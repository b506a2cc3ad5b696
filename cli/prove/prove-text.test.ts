import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Proof, ProvedFault } from '../../reports/proof/proof';
import { renderProof } from './prove-text';

function fault(name: string, rules: readonly string[], caught: readonly string[] = rules): ProvedFault {
  const killed = Object.fromEntries(caught.map((rule) => [rule, ['a scenario']]));
  return { name, summary: name, rules, killed, reliant: [], crossKills: [] };
}

const proof: Proof = {
  schemaVersion: 2,
  suite: { version: '0.0.0', commit: 'unknown' },
  faults: [fault('late', ['page.one', 'page.two'], ['page.one']), fault('lost', ['other.three'])],
  rules: [{ id: 'page.one', faults: ['late'] }],
  problems: [],
};

const paper = { isTTY: false };

describe('the text of a proof', () => {
  it('counts the pairs of all rules', () => {
    const text = renderProof(proof, paper);
    assert.match(text, /^ {2}late {2}one 1, two 0$/m);
    assert.match(text, /^ {2}lost {2}three 1$/m);
    assert.match(text, /^sensitivity {2}66\.6 %: 2 of 3 pairs/m);
  });

  it('tells of no rule but those that the user named', () => {
    const text = renderProof({ ...proof, selected: ['page.one'] }, paper);
    assert.match(text, /^ {2}late {2}one 1$/m);
    assert.doesNotMatch(text, /three|lost/);
    assert.match(text, /^sensitivity {2}100 %: 1 of 1 pairs/m);
  });

  it('lists blunt faults, and counts rules and Then steps that are not shown well', () => {
    const thenSteps = { count: 10, underOthers: 2, argued: 1, never: ['a.feature:3 Then "it is so"'] };
    const blunt = [{ name: 'late', otherRules: 51 }];
    const text = renderProof({ ...proof, blunt, guardedByOne: ['page.one'], thenSteps }, paper);
    assert.match(text, /^blunt: more than 50 other rules\n {2}late {2}51 other rules meet it$/m);
    assert.match(text, /^guarded {3}0 of 1 rules by two independent faults or more$/m);
    assert.match(text, /^Then {6}6 of 10 Then steps .*; 2 under faults of other rules alone, 1 cannot, 1 never do$/m);
    assert.doesNotMatch(renderProof(proof, paper), /blunt/);
  });
});
