import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { writeAllureResults } from './allure';
import { AllureHistory } from './allure-history';
import { findJava, generateHtml } from './allure-html';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-html-'));
const resultsDir = join(folder, 'allure-results');
const reportDir = join(folder, 'allure-report');

after(() => {
  rmSync(folder, { recursive: true });
});

test('no results make no report', async () => {
  const report = await generateHtml(join(folder, 'nothing'), reportDir);
  assert.ok('error' in report);
  assert.match(report.error, /holds no Allure results/);
});

test('Java is that of JAVA_HOME where it is set, and otherwise that of the path', () => {
  const [home, other] = ['home', 'other'].map((name) => join(folder, name, 'bin', 'java')) as [string, string];
  for (const path of [home, other]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '', { mode: 0o755 });
  }
  const PATH = `/nowhere:${dirname(other)}`;
  assert.equal(findJava({ PATH }), other);
  assert.equal(findJava({ PATH, JAVA_HOME: '' }), other);
  assert.equal(findJava({ PATH, JAVA_HOME: join(folder, 'home') }), home);
  assert.equal(findJava({ PATH, JAVA_HOME: '/nowhere' }), undefined);
});

test('without Java the report is missing, and says so', async () => {
  writeAllureResults(judgeMessages(recordOutcomes('--name', '^Always$')), resultsDir);
  assert.deepEqual(await generateHtml(resultsDir, reportDir, { env: { PATH: '/nowhere' } }), { missing: 'java' });
  const env = { ...process.env, JAVA_HOME: '/nowhere' };
  assert.deepEqual(await generateHtml(resultsDir, reportDir, { env }), { missing: 'java' });
});

test('a Java that fails is reported in a line', async () => {
  const home = join(folder, 'failing');
  mkdirSync(join(home, 'bin'), { recursive: true });
  const script =
    '#!/bin/sh\nprintf \'Picked up options\\nException in thread "main" a.B: no\\theap\\n\\tat a.B.c(B.java:1)\\n\' >&2\nexit 7\n';
  writeFileSync(join(home, 'bin', 'java'), script, { mode: 0o755 });
  const report = await generateHtml(resultsDir, reportDir, { env: { ...process.env, JAVA_HOME: home } });
  assert.deepEqual(report, { error: 'Allure failed with exit code 7: Exception in thread "main" a.B: no heap' });
});

test('the report is one file that calls nobody, and runs that share a history show their trend', async (context) => {
  const memory = join(folder, 'memory');
  const judged = judgeMessages(recordOutcomes('--name', '^It passes$'));
  for (const runs of [1, 2]) {
    const history = new AllureHistory(memory);
    assert.equal(history.runs, runs - 1);
    writeAllureResults(judged, resultsDir, { history });
    const report = await generateHtml(resultsDir, reportDir, { name: 'verbspec: soft-roce' });
    if ('missing' in report) {
      context.skip('there is no Java here');
      return;
    }
    assert.deepEqual(report, { path: join(reportDir, 'index.html') });
    const html = readFileSync(join(reportDir, 'index.html'), 'utf8');
    assert.doesNotMatch(html, /googletagmanager|google-analytics|gtag\(/);
    assert.doesNotMatch(html, /<(script|link)[^>]+(src|href)="(?!data:)/);
    assert.match(html, /<style>[^<]*@media \(max-width: 760px\)[^<]*<\/style><\/head>/);
    assert.match(html, /\.chart__caption \{\s+display: none/, 'no percentage, which counts no known deviation');
    assert.match(html, /<script>if \(location\.hash === ''\) location\.replace\('#behaviors'\);<\/script>/);
    history.renewFrom(join(reportDir, 'index.html'));
  }
  const trend = JSON.parse(readFileSync(join(memory, 'history-trend.json'), 'utf8')) as { buildOrder: number }[];
  assert.deepEqual(
    trend.map(({ buildOrder }) => buildOrder),
    [2, 1],
  );
});

test('results that Allure cannot read are an error, though it exits with 0', async (context) => {
  const unreadable = join(folder, 'unreadable');
  mkdirSync(unreadable);
  writeFileSync(join(unreadable, 'x-result.json'), '{');
  const report = await generateHtml(unreadable, reportDir);
  if ('missing' in report) {
    context.skip('there is no Java here');
    return;
  }
  assert.ok('error' in report);
  assert.match(report.error, /shows 0 of 1 results/);
});
