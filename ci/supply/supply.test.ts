import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { problemsOf, readSupply, type Supply } from './supply';

const integrity = 'sha512-0cYQ==';

const sound: Supply = {
  manifest: { dependencies: { '@scope/used': '1.0.0' }, devDependencies: { tested: '2.0.0' } },
  locked: {
    'node_modules/@scope/used': { integrity, license: 'MIT' },
    'node_modules/@scope/used/node_modules/odd': { integrity, license: 'Odd', hasInstallScript: true },
    'node_modules/tested': { integrity, license: 'Copyleft', dev: true },
  },
  argued: {
    licences: ['MIT'],
    otherLicences: [
      { package: 'odd', licence: 'Odd', development: false, reason: 'it is MIT' },
      { package: 'tested', licence: 'Copyleft', development: true, reason: 'tests alone' },
    ],
    installScripts: [{ package: 'odd', reason: 'it does without' }],
  },
  npmrc: 'save-exact=true\nignore-scripts=true\n',
  contributing: '# Contributing\n\n## Dependencies\n\n| package | for |\n| --- | --- |\n| `used`, `tested` | all |\n',
  sources: { 'cli/main.ts': "import { x } from '@scope/used/lib';\nimport './y';\nimport fs from 'node:fs';\n" },
};

function locked(path: string, changed: object): Partial<Supply> {
  return { locked: { ...sound.locked, [path]: { ...sound.locked[path], ...changed } } };
}

describe('supply', () => {
  it('has nothing to object to in this project', () => {
    assert.deepEqual(problemsOf(readSupply(join(__dirname, '..', '..'))), []);
  });

  it('has nothing to object to where all is sound', () => {
    assert.deepEqual(problemsOf(sound), []);
  });

  const { manifest, argued, locked: packages } = sound;
  for (const { what, changed, problem } of [
    {
      what: 'a package without a checksum',
      changed: { locked: { ...packages, 'node_modules/new': { license: 'MIT' } } },
      problem: 'package-lock.json: node_modules/new has no SHA-512 checksum',
    },
    {
      what: 'a checksum that can be forged',
      changed: locked('node_modules/tested', { integrity: 'sha1-0cYQ=' }),
      problem: 'package-lock.json: node_modules/tested has no SHA-512 checksum',
    },
    {
      what: 'a package of another origin',
      changed: locked('node_modules/tested', { resolved: 'git+ssh://git@example.org/tested.git#1234' }),
      problem:
        'package-lock.json: node_modules/tested comes from git+ssh://git@example.org/tested.git#1234, not from the registry',
    },
    {
      what: 'a range of versions',
      changed: { manifest: { ...manifest, dependencies: { '@scope/used': '^1.0.0' } } },
      problem: 'package.json: the version of @scope/used, ^1.0.0, is not exact',
    },
    {
      what: 'a dependency without a reason',
      changed: { manifest: { ...manifest, devDependencies: { tested: '2.0.0', new: '1.0.0' } } },
      problem: 'CONTRIBUTING.md: the table of dependencies lacks new',
    },
    {
      what: 'a reason without a dependency',
      changed: { contributing: sound.contributing.replace('`tested`', '`tested`, `old`') },
      problem: 'CONTRIBUTING.md: the table of dependencies has old, which is none',
    },
    {
      what: 'a licence that nobody has looked at',
      changed: locked('node_modules/@scope/used', { license: 'Copyleft' }),
      problem: 'licence of @scope/used, which users install: Copyleft is not argued in ci/supply/argued-packages.json',
    },
    {
      what: 'a package without a licence',
      changed: { locked: { ...packages, 'node_modules/new': { integrity, dev: true } } },
      problem: 'licence of new, for development: unknown is not argued in ci/supply/argued-packages.json',
    },
    {
      what: 'a package that users install with a licence that is argued for development',
      changed: locked('node_modules/tested', { dev: false }),
      problem: 'licence of tested, which users install: Copyleft is not argued in ci/supply/argued-packages.json',
    },
    {
      what: 'another licence than the one that is argued',
      changed: locked('node_modules/tested', { license: 'Other' }),
      problem: 'licence of tested, for development: Other is not argued in ci/supply/argued-packages.json',
    },
    {
      what: 'an argument for a licence that has become one of the usual ones',
      changed: locked('node_modules/tested', { license: 'MIT' }),
      problem: 'ci/supply/argued-packages.json: the licence of tested needs no argument any more',
    },
    {
      what: 'an install script that nobody has looked at',
      changed: locked('node_modules/tested', { hasInstallScript: true }),
      problem: 'install script of tested: why it can do without is not argued in ci/supply/argued-packages.json',
    },
    {
      what: 'an argument for an install script that is gone',
      changed: { argued: { ...argued, installScripts: [...argued.installScripts, { package: 'old', reason: '' }] } },
      problem: 'ci/supply/argued-packages.json: old has no install script any more',
    },
    {
      what: 'install scripts that run',
      changed: { npmrc: 'ignore-scripts=false\n' },
      problem: '.npmrc: npm would run install scripts of packages',
    },
    {
      what: 'users who need what is for development',
      changed: { sources: { 'cli/main.ts': "const x = await import('tested/lib');\n" } },
      problem: 'cli/main.ts imports tested, which is none of the dependencies that users install',
    },
  ]) {
    it(`objects to ${what}`, () => {
      assert.deepEqual(problemsOf({ ...sound, ...changed }), [problem]);
    });
  }
});
