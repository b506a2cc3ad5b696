import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systematicFaults } from '../../../drivers/sim/faults/systematic';
import { shortHash } from '../../../reports/diagnosis/scenario-keys';
import { knownStates } from '../../../reports/diagnosis/states/known-state';
import { heldOutSeeds, learnedFaults, unlearned } from './learned-faults';
import { learnStates, type Shown } from './learn-states';
import { stateClassOf } from './state-classes';
import { selected } from '../../../cli/prove/systematic/selection';

const rules = new Map([
  ['one', ['page.a']],
  ['two', ['page.a', 'page.b']],
]);

/** Under a fault that spoils a piece, scenarios fail so: `one late`. */
function shown(piece: string, failures: readonly string[], members: readonly string[] = []): Shown {
  const failed = new Map(failures.map((text) => text.split(' ') as [string, string]));
  return { piece, failed, differing: new Map([...failed.keys()].map((key) => [key, new Set(members)])) };
}

describe('what is learned of a state', () => {
  it('is which part of the failures is of which rule with which signature, each fault as much as any other', () => {
    const all = [shown('Srq.limit', ['one late', 'two late']), shown('Srq.limit', ['one lost'], ['wr_id'])];
    const [state] = knownStates({ schemaVersion: 1, faults: {}, states: learnStates(all, rules) });
    assert.deepEqual([state?.name, state?.faults, state?.differs], ['Srq.limit', 2, { wr_id: 0.5 }]);
    const ways = state?.shows.map(({ signature, rule, share }) => [signature, rule, share]).sort();
    const [a, b] = ['page.a', 'page.b'].map(shortHash);
    assert.deepEqual(
      ways,
      [
        ['late', a, 0.375],
        ['late', b, 0.125],
        ['lost', a, 0.5],
      ].sort(),
    );
  });

  it('is nothing of faults that fail nothing', () => {
    assert.deepEqual(learnStates([shown('Srq.limit', [])], rules), {});
  });
});

describe('the kinds of state', () => {
  it('are those of every piece that a systematic fault spoils', () => {
    const without = systematicFaults().filter(({ piece }) => stateClassOf(piece) === undefined);
    assert.deepEqual(
      without.map(({ piece }) => piece),
      [],
    );
  });

  it('are of one kind of object each', () => {
    const names = ['Cq', 'Qp', 'Srq'].map((part) => stateClassOf(`${part}.asyncEvents.owed`)?.name);
    assert.equal(new Set(names).size, 3);
    assert.notEqual(stateClassOf('Cq.channel'), stateClassOf('CompChannel.events'));
    assert.notEqual(stateClassOf('Srq.wrs'), stateClassOf('Qp.receives.wrs'));
  });
});

describe('the faults that states are learned from', () => {
  const all = systematicFaults();
  const momentOf = ({ piece, trigger }: (typeof all)[number]): string => `${piece} / ${trigger}`;

  it('do not spoil what one that is held out spoils at the same moment', () => {
    const heldOut = heldOutSeeds.flatMap((seed) => selected(all, { count: 60, seed }));
    const moments = new Set(heldOut.map(momentOf));
    assert.deepEqual(
      learnedFaults(all).filter((fault) => moments.has(momentOf(fault))),
      [],
    );
    assert.deepEqual(unlearned(heldOut, all), heldOut);
  });

  it('are not diagnosed, nor is what is almost the same', () => {
    const learned = learnedFaults(all);
    assert.ok(learned.length > 100);
    assert.deepEqual(unlearned(learned, all), []);
    const near = all.filter(
      (fault) => !learned.includes(fault) && learned.some((one) => momentOf(one) === momentOf(fault)),
    );
    assert.ok(near.length > 0);
    assert.deepEqual(unlearned(near, all), []);
  });
});
