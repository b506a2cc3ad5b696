import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strongestOf } from './authority';

test('the strongest authority is the page, then POSIX, the InfiniBand specification and RDMAmojo', () => {
  assert.equal(strongestOf(['rdmamojo', 'ibta', 'posix', 'page']), 'page');
  assert.equal(strongestOf(['rdmamojo', 'ibta', 'posix']), 'posix');
  assert.equal(strongestOf(['rdmamojo', 'ibta']), 'ibta');
  assert.equal(strongestOf(['rdmamojo']), 'rdmamojo');
  assert.equal(strongestOf([]), undefined);
});
