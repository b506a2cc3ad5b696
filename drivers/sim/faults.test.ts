import assert from 'node:assert/strict';
import { it } from 'node:test';
import { faults, faultLists } from './faults';

it('no two faults share a name', () => {
  const names = faultLists.flatMap((list) => Object.keys(list));
  assert.deepEqual(names.sort(), Object.keys(faults).sort());
});
