import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Observation } from '../observation';
import { shortHash } from '../scenario-keys';
import { knownStates } from './known-state';
import { SpoiledStates } from './spoiled-states';

/** A state under which what fails shows so much of each way: `a late` is of rule `page.a`. In thousandths. */
function entry(shows: Readonly<Record<string, number>>, faults = 4, differs: Readonly<Record<string, number>> = {}) {
  const ways: Record<string, string> = {};
  for (const [way, parts] of Object.entries(shows)) {
    const [letter = '', signature = ''] = way.split(' ');
    ways[signature] = [ways[signature], `${shortHash(`page.${letter}`)}:${parts}`].filter(Boolean).join(' ');
  }
  return { effect: 'it is wrong', faults, shows: ways, differs };
}

function statesOf(states: Readonly<Record<string, ReturnType<typeof entry>>>): SpoiledStates {
  return new SpoiledStates(knownStates({ schemaVersion: 1, faults: {}, states }));
}

/** Scenarios, a letter each, of the rule with their letter, that fail so: `a late`. */
function observation(...failures: readonly string[]): Observation {
  const failed = new Map(failures.map((text) => text.split(' ') as [string, string]));
  return { failed, passed: new Set(), rules: new Map([...failed.keys()].map((key) => [key, [`page.${key}`]])) };
}

function likeliest(states: SpoiledStates, observed: Observation) {
  return states.likeliest(observed.failed, observed);
}

describe('the state that is likeliest to have gone wrong', () => {
  const states = statesOf({
    limit: entry({ 'a late': 500, 'b late': 500 }),
    receives: entry({ 'c late': 500, 'd lost': 500 }),
  });

  it('is the one under which the same rules fail with the same signatures', () => {
    assert.equal(likeliest(states, observation('a late', 'b late'))?.state.name, 'limit');
    assert.equal(likeliest(states, observation('d lost'))?.state.name, 'receives');
    assert.equal(likeliest(states, observation('c late', 'd late'))?.state.name, 'receives');
  });

  it('has the more evidence, the more of what failed is as with it', () => {
    const [all, part] = [observation('a late', 'b late'), observation('a late', 'c late')];
    assert.ok((likeliest(states, all)?.evidence ?? 0) > (likeliest(states, part)?.evidence ?? 0));
    assert.ok((likeliest(states, observation('x never'))?.evidence ?? 0) < 0);
  });

  it('explains the failures that speak for it', () => {
    const mixed = observation('a late', 'b late', 'e late', 'd lost');
    assert.deepEqual(likeliest(states, mixed)?.explained, ['a', 'b', 'e'], 'e by its signature');
  });

  it('is one that goes wrong more often, where both look the same', () => {
    const twins = statesOf({ rare: entry({ 'a late': 1000 }, 1), often: entry({ 'a late': 1000 }, 9) });
    assert.equal(likeliest(twins, observation('a late'))?.state.name, 'often');
  });

  it('is told apart by the members that failures show to differ', () => {
    const members = statesOf({
      one: entry({ 'a late': 1000 }, 4, { wr_id: 1000 }),
      other: entry({ 'a late': 1000 }, 4, { status: 1000 }),
    });
    const observed = { ...observation('a late'), differing: new Map([['a', new Set(['status'])]]) };
    assert.equal(likeliest(members, observed)?.state.name, 'other');
  });

  it('is none where none is known', () => {
    assert.equal(likeliest(new SpoiledStates([]), observation('a late')), undefined);
  });
});

it('a state violates the rules whose scenarios fail with it', () => {
  const states = statesOf({ limit: entry({ 'a late': 1000 }) });
  const [limit] = states.states;
  assert.ok(limit);
  assert.deepEqual(
    ['page.a', 'page.b'].filter((rule) => states.violates(limit, rule)),
    ['page.a'],
  );
});
