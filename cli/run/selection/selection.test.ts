import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../../drivers/contract';
import { parseClauses } from '../../../catalog/clauses';
import type { FeatureRule } from '../../inputs/features';
import type { Authority } from '../../../catalog/authority';
import { selectAuthorities, selectPaths } from './selection';

const rules: readonly FeatureRule[] = [
  { ids: ['page.one'], title: 'One', uri: 'features/x/page.feature', scenarios: [{ name: 'a', line: 5 }] },
  {
    ids: ['page.two', 'page.three'],
    title: 'Two',
    uri: 'features/x/page.feature',
    scenarios: [
      { name: 'b', line: 9 },
      { name: 'c', line: 12 },
    ],
  },
];
const [clause] = parseClauses(
  [
    {
      id: 'page.four',
      section: 'NOTES',
      authority: 'rdmamojo',
      level: 'must',
      testable: 'untestable',
      statement: 'Four',
      untested: 'needs two nodes',
    },
  ],
  'page',
  'clauses',
);
assert.ok(clause);
const features = {
  paths: ['features/x/page.feature', 'features/x/bare.feature'],
  rules,
  clauses: new Map([[clause.id, clause]]),
};

describe('selectPaths', () => {
  it('takes every feature once when nothing is named', () => {
    assert.deepEqual(selectPaths([], features), features.paths);
  });

  it('takes a page that has no Rule', () => {
    assert.deepEqual(selectPaths(['bare'], features), ['features/x/bare.feature']);
  });

  it('takes a page, a rule with or without @, and a path with lines', () => {
    assert.deepEqual(selectPaths(['page'], features), ['features/x/page.feature']);
    assert.deepEqual(selectPaths(['page.three'], features), ['features/x/page.feature:9:12']);
    assert.deepEqual(selectPaths(['@page.one'], features), ['features/x/page.feature:5']);
    assert.deepEqual(selectPaths(['features/x/page.feature:9'], features), ['features/x/page.feature:9']);
  });

  it('does not take the whole feature for a rule without scenarios', () => {
    assert.throws(() => selectPaths(['page.four'], features), /"page\.four" has no scenario to run: needs two nodes/);
  });

  it('names what does not exist', () => {
    assert.throws(
      () => selectPaths(['page.one', 'page.five'], features),
      (error) => {
        return error instanceof UsageError && error.message.includes('"page.five"');
      },
    );
  });
});

describe('a name that there is not', () => {
  const remedyFor = (selector: string): string => {
    try {
      selectPaths([selector], features);
      return 'found';
    } catch (error) {
      assert.ok(error instanceof UsageError);
      return error.message;
    }
  };

  it('leads to the nearest rule, page or feature', () => {
    assert.match(remedyFor('page.fuor'), /did you mean page\.four\?$/);
    assert.match(remedyFor('@page.fourr'), /did you mean page\.four\?$/);
    assert.match(remedyFor('bar'), /did you mean bare\?$/);
  });

  it('leads to the list where nothing is near', () => {
    assert.match(remedyFor('completely-else'), /`verbspec rules` lists the rules$/);
  });
});

describe('selectAuthorities', () => {
  const authorities: Readonly<Record<string, Authority>> = {
    one: 'page',
    two: 'rdmamojo',
    three: 'posix',
    four: 'ibta',
  };
  const listed = Object.entries(authorities).map(([slug, authority]) => ({ ...clause, id: `page.${slug}`, authority }));
  const specification = { ...features, clauses: new Map(listed.map((each) => [each.id, each])) };

  it('takes the Rules by their tags, each by the strongest of its authorities', () => {
    assert.equal(selectAuthorities(['page'], [], specification), '@page.one');
    assert.equal(selectAuthorities(['posix'], [], specification), '@page.two');
    assert.equal(selectAuthorities(['page', 'posix'], [], specification), '@page.one or @page.two');
    assert.equal(selectAuthorities(['page'], ['page.one', 'features/x/page.feature:5'], specification), '@page.one');
  });

  it('refuses what leaves no rule, by the name that leaves none', () => {
    const refused = (wanted: readonly Authority[], ...selectors: string[]): string => {
      try {
        return selectAuthorities(wanted, selectors, specification);
      } catch (error) {
        assert.ok(error instanceof UsageError);
        return error.message;
      }
    };
    assert.match(refused(['rdmamojo']), /^no rule has the authority rdmamojo;/);
    assert.match(refused(['posix'], 'page', '@page.one'), /^no rule of "@page\.one" has the authority posix;/);
    assert.match(refused(['ibta', 'rdmamojo'], 'page'), /^no rule of "page" has the authority ibta or rdmamojo;/);
    assert.match(refused(['ibta'], 'features/x/page.feature'), /^no rule of "features\/x\/page\.feature" has/);
  });
});
