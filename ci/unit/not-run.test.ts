import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../../cli/common/project';
import { notRunIn, notRunLine, unallowed } from './not-run';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, as what uses it is
const { reporters } = require('./reporters') as { readonly reporters: readonly string[] };

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a test in a process, as the gate does: with the tests in one process, or one for each file. */
function ran(text: string, options: readonly string[] = [], env: NodeJS.ProcessEnv = {}): [number | null, string[]] {
  const file = join(folder, 'a.js');
  writeFileSync(file, `const { describe, it } = require('node:test'); ${text}`);
  const own = { VERBSPEC_ALLOW_SKIPS: undefined, VERBSPEC_SKIP_VM: undefined, NODE_TEST_CONTEXT: undefined, ...env };
  const { status, stdout } = spawnSync(process.execPath, [...options, ...reporters, file], {
    cwd: root,
    env: { ...process.env, ...own },
    encoding: 'utf8',
  });
  return [status, notRunIn(stdout).map((line) => line.replace(/(not run[^"]*)  [^"]*"/, '$1  "'))];
}

const sound = "it('passes', () => undefined);";

describe('a process with tests', () => {
  const lacking: Readonly<Record<string, readonly [text: string, line: string]>> = {
    'a suite that is skipped': [
      "describe('s', { skip: 'there is no Java' }, () => undefined);",
      'not run  "s": there is no Java',
    ],
    'a test that is skipped': ["it('t', { skip: true }, () => undefined);", 'not run  "t": it says no reason'],
    'a test that skips itself': ["it('t', (one) => one.skip('no disk'));", 'not run  "t": no disk'],
    'a test that is to be written': ["it.todo('t');", 'not run  "t": it is still to be written'],
    'a suite without a test': ["describe('s', () => undefined);", 'not run  "s": it has no tests'],
  };
  for (const [what, [text, line]] of Object.entries(lacking)) {
    it(`fails for ${what}, and names it`, () => {
      for (const options of [[], ['--test']]) assert.deepEqual(ran(sound + text, options), [1, [line]]);
    });
  }

  it('passes where all run, and where what does not is allowed', () => {
    assert.deepEqual(ran(`describe('s', () => { ${sound} });`), [0, []]);
    const skipped = `${sound} it('t', { skip: 'there is no Java' }, () => undefined);`;
    const line = 'not run, as allowed  "t": there is no Java';
    assert.deepEqual(ran(skipped, [], { VERBSPEC_ALLOW_SKIPS: 'mount,Java' }), [0, [line]]);
    assert.equal(ran(skipped, [], { VERBSPEC_ALLOW_SKIPS: 'mount,' })[0], 1);
  });
});

describe('what did not run', () => {
  it('is allowed by VERBSPEC_SKIP_VM if it is for the VM', () => {
    const env = { VERBSPEC_SKIP_VM: '1' };
    const lines = [notRunLine('one', 'there is no busybox', env), notRunLine('two', 'there is no Java', env)];
    assert.deepEqual(unallowed(lines), ['not run  two: there is no Java']);
  });

  it('is found once, however often a step prints it', () => {
    const line = notRunLine('one', 'there is no Java', {});
    assert.deepEqual(notRunIn(`begin\n  ${line}\n${line}\nthis did not run  at all\n`), [line]);
  });
});
