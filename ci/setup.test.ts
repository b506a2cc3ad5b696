import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const runtime = { 'node_modules/used': { version: '1.0.0', integrity: 'sha512-used' } };
const development = { 'node_modules/tested': { version: '2.0.0', integrity: 'sha512-tested', dev: true } };
const otherSystem = { 'node_modules/darwin': { version: '3.0.0', integrity: 'sha512-darwin', optional: true } };
const lock = { '': {}, ...runtime, ...development, ...otherSystem };
const asRoot = process.getuid?.() === 0 ? ' as root' : '';

/** A project that needs set-up, on a machine whose npm and apt-get only record their arguments. */
describe('set-up', () => {
  let project = '';
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'verbspec-setup-'));
    for (const name of ['setup.js', 'npm-packages.js', 'packages.js', 'require-node.js']) {
      mkdirSync(join(project, 'ci'), { recursive: true });
      copyFileSync(join(__dirname, name), join(project, 'ci', name));
    }
    write('ci/compile.js', ''); // there is nothing to compile
    write('package-lock.json', JSON.stringify({ packages: lock }));
    program('npm', `echo "npm $*" >> '${join(project, 'called')}'`);
    program('apt-get', `[ "$1" = --version ] || echo "apt-get $*" >> '${join(project, 'called')}'`);
  });
  afterEach(() => {
    rmSync(project, { recursive: true });
  });

  function write(name: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text, { mode });
  }

  function program(name: string, script: string): void {
    write(`bin/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
  }

  function install(packages: object): void {
    write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  }

  function setUp(scope: string): { told: string[]; called: string[] } {
    rmSync(join(project, 'called'), { force: true });
    const env = { PATH: join(project, 'bin') };
    const options = { env, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [join(project, 'ci/setup.js'), scope], options);
    const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
    const called = existsSync(join(project, 'called')) ? readFileSync(join(project, 'called'), 'utf8') : '';
    return { told: lines(stdout + stderr), called: lines(called) };
  }

  it('prints each command before it runs, and that it is root who runs it', () => {
    const { told, called } = setUp('sim');
    assert.match(called[0] ?? '', /^npm ci --omit=dev --ignore-scripts /);
    assert.deepEqual(
      told[0],
      `set-up: installing the npm packages of package-lock.json; running${asRoot}: ${called[0]}`,
    );
    if (asRoot === '') return;
    const java = 'default-jre-headless (HTML of the Allure report)';
    assert.match(called[1] ?? '', /^apt-get install .* default-jre-headless$/);
    assert.deepEqual(told.slice(1), [`set-up: installing ${java}; running as root: ${called[1]}`]);
  });

  it('prints what it tries again', { skip: asRoot === '' && 'only root installs packages of the system' }, () => {
    program('apt-get', `[ "$1" = --version ] || { echo "apt-get $*" >> '${join(project, 'called')}'; exit 100; }`);
    const { told, called } = setUp('sim');
    const again = `set-up: fetching new lists of packages, and trying again; running as root: ${called[2]}`;
    assert.deepEqual([called[2], told[2]], ['apt-get update -qq', again]);
    assert.match(told[3] ?? '', /^set-up: missing: default-jre-headless .*; install with: apt-get install -y /);
  });

  /** What each installed state makes of npm, for users and for tests. */
  const all = { ...runtime, ...development };
  const outdated = { ...all, 'node_modules/used': { version: '0.9.0', integrity: 'sha512-older' } };
  const users = /^npm ci --omit=dev /;
  const everything = /^npm ci --ignore-scripts /;
  for (const { state, packages, sim, whole } of [
    { state: 'nothing is installed', packages: {}, sim: users, whole: everything },
    { state: 'development packages are missing', packages: runtime, sim: undefined, whole: everything },
    { state: 'all is installed except for other systems', packages: all, sim: undefined, whole: undefined },
    {
      state: 'a package is outdated beside development packages',
      packages: outdated,
      sim: everything,
      whole: everything,
    },
  ]) {
    it(`installs what is missing and no more: ${state}`, () => {
      install(packages);
      const npm = (scope: string): string => setUp(scope).called.find((line) => line.startsWith('npm ci')) ?? '';
      assert.match(npm('sim'), sim ?? /^$/);
      assert.match(npm('hca'), sim ?? /^$/);
      assert.match(npm('all'), whole ?? /^$/);
    });
  }
});
