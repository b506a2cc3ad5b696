import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { selectPaths } from './selection';

const rules = [
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
  { ids: ['page.four'], title: 'Four', uri: 'features/x/page.feature', scenarios: [], reason: 'needs two nodes' },
];

describe('selectPaths', () => {
  it('takes every feature once when nothing is named', () => {
    assert.deepEqual(selectPaths([], rules), ['features/x/page.feature']);
  });

  it('takes a page, a rule with or without @, and a path with lines', () => {
    assert.deepEqual(selectPaths(['page'], rules), ['features/x/page.feature']);
    assert.deepEqual(selectPaths(['page.three'], rules), ['features/x/page.feature:9:12']);
    assert.deepEqual(selectPaths(['@page.one'], rules), ['features/x/page.feature:5']);
    assert.deepEqual(selectPaths(['features/x/page.feature:9'], rules), ['features/x/page.feature:9']);
  });

  it('does not take the whole feature for a rule without scenarios', () => {
    assert.throws(() => selectPaths(['page.four'], rules), /"page\.four" has no scenario to run: needs two nodes/);
  });

  it('names what does not exist', () => {
    assert.throws(
      () => selectPaths(['page.one', 'page.five'], rules),
      (error) => {
        return error instanceof UsageError && error.message.includes('"page.five"');
      },
    );
  });
});
