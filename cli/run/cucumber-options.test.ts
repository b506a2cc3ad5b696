import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { prepare } from './execute';
import { inProcess } from '../fixtures/in-process';

const feature = 'features/cq/ibv_resize_cq.feature';
const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
const nowhere = join(folder, 'nowhere');

after(() => {
  rmSync(folder, { recursive: true });
});

describe('an option for Cucumber', () => {
  const refusals: readonly (readonly [options: readonly string[], message: RegExp])[] = [
    [['--parallel', '2'], /^--parallel: all scenarios share one device; leave it out$/],
    [['--format', '/nope/x'], /^--format \/nope\/x: there is no such formatter; name a module, or one of html, /],
    [['--format', 'nope'], /^--format nope: there is no such formatter/],
    [
      ['--format', `json:${nowhere}/y.json`],
      /^--format: there is no folder \S+nowhere; make it, or name another file$/,
    ],
    [['--format', `json:${folder}`], /^--format: \S+ is a folder; name a file$/],
    [['--tags', '@a and'], /^Cucumber refuses its options: Tag expression .* could not be parsed/],
    [['--name', '('], /^--name \(: Invalid regular expression: .*; write a simpler one$/],
    [['--name', '(.+)+\\u0000'], /^--name .*: its expression takes more than 1000 ms; write a simpler one$/],
    [['--language', 'xx'], /^Cucumber refuses its options: .*Language not supported: xx/],
  ];
  for (const [options, message] of refusals) {
    it(`is refused before a device is made ready: ${options.join(' ')}`, async () => {
      await assert.rejects(prepare([feature], options), (error: Error) => {
        assert.ok(error instanceof UsageError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
      assert.ok(!existsSync(nowhere), 'no folder was made');
    });
  }

  it('that Cucumber refuses as it begins is wrong usage, in one line', async () => {
    for (const options of [
      ['--require-module', 'nope'],
      ['--plugin', 'nope'],
    ]) {
      const out = join(folder, 'out');
      const { code, stderr } = await inProcess(['run', feature, '--out', out, '--', ...options]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^verbspec: Cucumber refuses its options: Cannot find (module|package) 'nope'/m);
      assert.doesNotMatch(stderr, /\n {4}at /, 'a stack trace');
      assert.ok(!existsSync(out));
    }
  });

  it('may name several formats', async () => {
    const file = join(folder, 'report.json');
    const formats = ['--format', `json:${file}`, '--format', 'progress'];
    const args = ['run', 'ibv_resize_cq.returns-zero', '--out', join(folder, 'formats'), '--', ...formats];
    assert.equal((await inProcess(args)).code, 0);
    assert.ok(Array.isArray(JSON.parse(readFileSync(file, 'utf8'))));
  });
});
