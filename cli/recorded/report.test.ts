import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Verdicts } from '../../reports/judge/verdicts';
import { inProcess } from '../fixtures/in-process';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-report-'));
const [one, other] = ['one', 'other'].map((name) => join(folder, name)) as [string, string];
const rule = 'ibv_req_notify_cq.one-shot';

after(() => {
  rmSync(folder, { recursive: true });
});

/**
 * The headline, the rules and scenarios by their anchors, and the values of a page of a run, up to the list of files beside
 * it. How a scenario runs again takes the options of the run, which stand in no verdicts.
 */
function told(page: string): readonly string[] {
  const [text = ''] = page.split(' id="files"');
  const parts = [...text.matchAll(/<h1[^]*?<\/h1>| id="[^"]*"|<dd>[^]*?<\/dd>/g)].map(([part]) => part);
  return parts.filter((part) => !part.includes('npx verbspec run '));
}

describe('verbspec report', () => {
  before(async () => {
    for (const out of [one, other]) {
      const { code, stderr } = await inProcess(['run', rule, '--out', out]);
      assert.equal(code, 0, stderr);
    }
  });

  it('puts the results of all runs together, and prints how to make the HTML where there is no Java', async () => {
    const out = join(folder, 'both');
    const { code, stdout } = await inProcess(['report', one, other, '--out', out]);
    assert.equal(code, 3);
    assert.match(
      stdout,
      /no HTML, JAVA_HOME is .*, without bin\/java: unset JAVA_HOME && \S*dist\/bin\/allure generate/,
    );
    assert.deepEqual(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')), { runs: ['one', 'other'] });
    const results = (path: string) =>
      readdirSync(join(path, 'allure-results')).filter((file) => file.endsWith('-result.json')).length;
    assert.equal(results(out), results(one) + results(other));
    const again = await inProcess(['report', one, '--out', out]);
    assert.match(again.stdout, /no HTML, JAVA_HOME is /, 'a report may be made again');
    assert.equal(again.code, 3);
    assert.equal(results(out), results(one));
  });

  it('makes the page of one run again, with all that the run has told on it', async () => {
    const run = join(folder, 'failing');
    const failing = await inProcess(['run', rule, '--fault', 'stays-armed', '--out', run]);
    assert.equal(failing.code, 1, failing.stderr);
    const out = join(folder, 'again');
    const { stdout, stderr } = await inProcess(['report', run, '--out', out]);
    assert.match(stdout, /^page of the run {2}.*again\/index\.html$/m, stderr);
    const [before, after] = [run, out].map((path) => told(readFileSync(join(path, 'index.html'), 'utf8')));
    assert.ok(before && before.length > 5);
    assert.deepEqual(after, before);
    assert.deepEqual(readdirSync(join(out, 'trace')).sort(), readdirSync(join(run, 'trace')).sort());
  });

  it('does without the page where the messages are gone, and refuses those that are damaged', async () => {
    const bare = join(folder, 'bare');
    cpSync(one, bare, { recursive: true });
    const messages = join(bare, 'messages.ndjson');
    writeFileSync(messages, '{}\nx\n');
    const damaged = await inProcess(['report', bare, '--out', join(folder, 'of-bare')]);
    assert.equal(damaged.code, 2, damaged.stderr);
    assert.match(damaged.stderr, /messages\.ndjson cannot be used: line 2 .*; run it again/);
    rmSync(messages);
    const { stdout } = await inProcess(['report', bare, '--out', join(folder, 'of-bare')]);
    assert.match(stdout, /^page of the run {2}none: .*bare has no messages\.ndjson$/m);
    assert.ok(!readdirSync(join(folder, 'of-bare')).includes('index.html'));
  });

  it('refuses runs of different versions', async () => {
    const later = join(folder, 'later');
    cpSync(other, later, { recursive: true });
    const path = join(later, 'verdicts.json');
    const { suite, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Verdicts;
    writeFileSync(path, JSON.stringify({ ...rest, suite: { ...suite, version: '99.0.0' } }));
    const { code, stderr } = await inProcess(['report', one, later, '--out', join(folder, 'mixed')]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /different versions of verbspec: .* and 99\.0\.0; run them with one/);
  });

  const refusals = [
    ['a run that is not there', [join(folder, 'nowhere')], /there is no run .*nowhere/],
    ['a folder without a run', [folder], /holds no verdicts\.json/],
    ['a run named twice', [one, join(one, '.')], /one.* is named twice/],
    ['to write over a run', [one, '--out', other], /other is not empty and holds no earlier results/],
  ] as const;
  for (const [what, args, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await inProcess(['report', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    });
  }
});
