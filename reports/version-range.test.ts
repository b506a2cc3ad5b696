import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HarnessError } from '../drivers/contract';
import { inVersionRange } from './version-range';

const cases: readonly [version: string, range: string, isIn: boolean][] = [
  ['6.1.0-56-amd64', '>=6.1 <6.13', true],
  ['6.9.1', '>=6.1 <6.12', true],
  ['6.12.5+deb13-amd64', '<6.12', false],
  ['6.13', '>=6.1 <6.13', false],
  ['5.15.0-1053-azure', '>=6.1', false],
  ['6.1.0-56-amd64', '=6.1', true],
  ['6.1.0-56-amd64', '6.1', true],
  ['6.1.0-56-amd64', '<=6.1', true],
  ['6.1.0-56-amd64', '>6.1', false],
  ['6.1.0-56-amd64', '>=6.1.0-57', false],
  ['6.1', '<6.1.5', true],
  ['7.2-rc3', '>= 7.2', true],
  ['v55.0', '>44, <56', true],
  ['', '>=6.1', false],
  ['simulator', '>=0', false],
];

for (const [version, range, isIn] of cases) {
  test(`"${version}" is ${isIn ? '' : 'not '}in "${range}"`, () => {
    assert.equal(inVersionRange(version, range), isIn);
  });
}

test('a range that cannot be read is refused', () => {
  for (const range of ['six', '>=', '~6.1', '>=6.1 and <7']) {
    assert.throws(() => inVersionRange('6.1', range), HarnessError, range);
  }
});
