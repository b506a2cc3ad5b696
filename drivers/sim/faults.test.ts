import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UsageError } from '../contract';
import { faults, faultLists, partsFor } from './faults';

it('no two faults share a name', () => {
  const names = faultLists.flatMap((list) => Object.keys(list));
  assert.deepEqual(names.sort(), Object.keys(faults).sort());
});

it('a fault that there is not is refused by name, also one that every object has', () => {
  for (const name of ['event-is-los', 'toString']) {
    assert.throws(
      () => partsFor(name),
      (error) => error instanceof UsageError && error.message.startsWith(`unknown fault "${name}"; `),
    );
  }
});
