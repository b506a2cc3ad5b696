import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

interface Process {
  readonly name: string;
  readonly command: readonly string[];
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, as what uses it is
const { processesOf } = require('./processes') as {
  processesOf: (root: string, files: readonly string[]) => Process[];
};

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

const sound = "const { it } = require('node:test'); it('passes', () => undefined);";

/** Runs files of tests, by name and text, in one process. */
function together(
  files: Readonly<Record<string, string>>,
  reporter = 'spec',
): { status: number | null; stdout: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = ['--test-reporter', reporter, join(__dirname, 'together.js'), ...Object.keys(files)];
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }; // it is for what `node --test` starts
  return spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
}

describe('files of tests in one process', () => {
  it('are reported by their names, each with its tests', () => {
    const { status, stdout } = together({ 'a.js': sound, 'b.js': sound });
    assert.equal(status, 0, stdout);
    for (const file of ['a', 'b']) assert.match(stdout, new RegExp(`^▶ ${file}\\.js\\n {2}✔ passes`, 'm'));
    assert.match(stdout, /^ℹ pass 2$/m);
  });

  it('fail if a test of one fails, and the others run', () => {
    const { status, stdout } = together({ 'a.js': sound.replace('undefined', '{ throw new Error() }'), 'b.js': sound });
    assert.equal(status, 1);
    assert.match(stdout, /^✖ a\.js/m);
    assert.match(stdout, /^✔ b\.js/m);
  });

  it('fail if one cannot be loaded', () => {
    const { status, stdout } = together({ 'a.js': sound, 'b.js': "throw new Error('no such luck');" });
    assert.equal(status, 1);
    assert.match(stdout, /no such luck/);
  });

  it('have hooks of their own', () => {
    const hooked = "require('node:test').beforeEach(() => { throw new Error(); });";
    const { status, stdout } = together({ 'a.js': hooked, 'b.js': sound });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^✔ b\.js/m);
  });

  it('fail if one has no tests, and it is named', () => {
    const reporter = join(__dirname, 'not-run-reporter.js');
    const { status, stdout } = together({ 'a.js': sound, 'b.js': '' }, reporter);
    assert.equal(status, 1);
    assert.match(stdout, /^not run .*"b\.js": it has no tests$/m);
    assert.doesNotMatch(stdout, /^not run .*"a\.js"/m);
  });

  for (const [end, code] of [
    ['process.exit(0)', 1],
    ["process.kill(process.pid, 'SIGKILL')", null],
  ] as const) {
    it(`fail if one ends the process by ${end}, and it is named`, () => {
      const { status, stdout } = together({ 'a.js': sound, 'b.js': sound.replace('undefined', end), 'c.js': sound });
      assert.equal(status, code);
      assert.equal(stdout.match(/^# .*$/gm)?.at(-1), '# b.js', stdout);
      if (code !== null) assert.match(stdout, /^the process ended in b\.js; .*: b\.js, c\.js$/m);
    });
  }
});

describe('a file of tests', () => {
  const texts = {
    'pure.js': sound,
    'features.js': "import { inProcess } from '../fixtures/in-process';",
    'place.js': ['process', 'chdir(x)'].join('.'),
    'seed.js': ['fc', 'configureGlobal({ seed: 1 })'].join('.'),
  };

  it('has a process of its own if it changes what a process has once', () => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    assert.deepEqual(
      processesOf(folder, Object.keys(texts)).map(({ name }) => name),
      ['in one process: 1 files that run features', 'in one process: 1 other files', 'place.js', 'seed.js'],
    );
  });
});
