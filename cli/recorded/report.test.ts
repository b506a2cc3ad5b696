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
