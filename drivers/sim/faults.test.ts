import assert from 'node:assert/strict';
import { it } from 'node:test';
import { faults, faultsByPage } from './faults';

it('no two faults share a name', () => {
  const names = faultsByPage.flatMap((page) => Object.keys(page));
  assert.deepEqual(names.sort(), Object.keys(faults).sort());
});
