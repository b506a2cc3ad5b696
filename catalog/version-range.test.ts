import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HarnessError } from '../drivers/contract';
import { inVersionRange } from './version-range';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

const cases: readonly [version: string, range: string, isIn: boolean | undefined][] = [
  ['6.1.0-56-amd64', '>=6.1 <6.13', true],
  ['6.9.1', '>=6.1 <6.12', true],
  ['6.12.5+deb13-amd64', '<6.12', false],
  ['6.12.117+deb13', '>=6.12.100 <6.12.118', true],
  ['6.12.117+deb13', '<6.12.9', false],
  ['6.13', '>=6.1 <6.13', false],
  ['5.15.0-1053-azure', '>=6.1', false],
  ['5.14.0-503.el9.x86_64', '=5.14', true],
  ['6.5.0-1f2e-custom', '=6.5.0', true],
  ['6.1.0-56-amd64', '=6.1', true],
  ['6.1.0-56-amd64', '6.1', true],
  ['6.1.0-56-amd64', '<=6.1', true],
  ['6.1.0-56-amd64', '>6.1', false],
  ['6.1.0-56-amd64', '>=6.1.0-57', false],
  ['6.1', '<6.1.5', true],
  ['7.2.13-rt', '>=7.2.13', true],
  ['7.2.13-rt7-amd64', '<=7.2.12', false],
  ['7.2-rc3', '>= 7.2', false],
  ['6.18-rc3', '<6.18', true],
  ['6.18-rc3', '=6.18', false],
  ['6.18-rc3', '>6.17', true],
  ['6.18-rc3', '=6', true],
  ['6.18.0-rc3-amd64', '<6.18', true],
  ['6.18~rc3-amd64', '<6.18', true],
  ['6.18rc3', '<6.18', true],
  ['6.6.0-0.rc3.20231012git.35.fc40.x86_64', '<6.6', true],
  ['6.18-rc3', '>=6.18-rc2', true],
  ['6.18-rc10', '<6.18-rc9', false],
  ['6.18-rc3', '=6.18-rc3', true],
  ['6.18.0', '>6.18-rc9', true],
  ['6.18.2', '>6.18-rc9', true],
  ['20.39.1002', '>=20.38', true],
  ['20.39.1002', '<20.39.1002', false],
  ['20.39.1002', '<20.100', true],
  ['22.8.45.0-rc', '<22.8.45', true],
  ['22.8.45.0-rc', '>=22.8.44', true],
  ['0x1f', '>=0x10 <0x20', true],
  ['0x1f', '31', true],
  ['44.0', '<55', true],
  ['65.1', '>=65', true],
  ['65.1', '>65.0', true],
  ['v55.0', '>44, <56', true],
  ['', '>=6.1', undefined],
  ['none', '>=0', undefined],
  ['simulator', '>=0', undefined],
  ['libibverbs.so.1', '<55', undefined],
  ['1f', '>=1', undefined],
  ['20.39abc', '>=20', undefined],
];

for (const [version, range, isIn] of cases) {
  test(`"${version}" ${isIn === undefined ? 'cannot be compared with' : isIn ? 'is in' : 'is not in'} "${range}"`, () => {
    assert.equal(inVersionRange(version, range), isIn);
  });
}

test('a range that cannot be read is refused', () => {
  for (const range of ['six', '>=', '~6.1', '>=6.1 and <7', ' ', '6.1-amd64', '>=6.1 <', '=0xg']) {
    assert.throws(() => inVersionRange('6.1', range), HarnessError, range);
    assert.throws(() => inVersionRange('none', range), HarnessError, range);
  }
});

const versions = fc
  .tuple(fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), fc.option(fc.nat(3)))
  .map(([pieces, candidate]) => pieces.join('.') + (candidate === null ? '' : `-rc${candidate}`));

test('a version is below, at or above a bound, and nothing else', () => {
  fc.assert(
    fc.property(versions, versions, (version, bound) => {
      const is = (operator: string): boolean | undefined => inVersionRange(version, operator + bound);
      assert.equal([is('<'), is('='), is('>')].filter((holds) => holds).length, 1);
      assert.equal(is('<='), is('<') === true || is('=') === true);
      assert.equal(is('>='), !is('<'));
    }),
  );
});

test('text after a version changes nothing', () => {
  fc.assert(
    fc.property(
      versions,
      versions,
      fc.constantFrom('-amd64', '+deb13', '-rt', '_x', ' built by hand'),
      (one, other, tail) => {
        for (const operator of ['<', '=', '>']) {
          assert.equal(inVersionRange(one + tail, operator + other), inVersionRange(one, operator + other));
        }
      },
    ),
  );
});
