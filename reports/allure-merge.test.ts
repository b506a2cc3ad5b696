import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestResult } from 'allure-js-commons';
import { UsageError } from '../drivers/contract';
import { writeAllureResults } from './allure';
import { mergeAllureResults, type ReportedRun } from './allure-merge';
import { judgeMessages, recordOutcomes } from './fixtures/record-outcomes';
import { runTitle } from './run-title';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-merge-'));
const judged = judgeMessages(recordOutcomes('--name', '^It passes$'));

after(() => {
  rmSync(folder, { recursive: true });
});

function runCalled(name: string): ReportedRun {
  const own = join(folder, name);
  mkdirSync(own);
  writeAllureResults(judged, join(own, 'allure-results'));
  return { folder: own, verdicts: judged.verdicts, name };
}

function resultsIn(target: string): TestResult[] {
  return readdirSync(target)
    .filter((file) => file.endsWith('-result.json'))
    .map((file) => JSON.parse(readFileSync(join(target, file), 'utf8')) as TestResult);
}

test('scenarios of several runs stand side by side, each with its device', () => {
  const target = join(folder, 'merged');
  mergeAllureResults([runCalled('kernel 6.1'), runCalled('kernel 7.2')], target);
  const results = resultsIn(target);
  assert.equal(results.length, 2 * judged.scenarios.length);
  assert.equal(new Set(results.map(({ historyId }) => historyId)).size, results.length);
  assert.equal(new Set(results.map(({ testCaseId }) => testCaseId)).size, judged.scenarios.length);
  for (const name of ['kernel 6.1', 'kernel 7.2']) {
    const own = results.filter(({ parameters }) => parameters.some(({ value }) => value === name));
    assert.equal(own.length, judged.scenarios.length);
    for (const { labels } of own) {
      assert.deepEqual(
        labels.filter(({ name: label }) => label === 'parentSuite').map(({ value }) => value),
        [name],
      );
    }
  }
  const environment = readFileSync(join(target, 'environment.properties'), 'utf8');
  const counts = runTitle(judged.verdicts).split(': ')[1] ?? '';
  assert.match(environment, new RegExp(`^kernel\\\\ 6\\.1=${counts}`, 'm'));
});

test('a run without results, or with damaged ones, is refused by name', () => {
  const run = runCalled('bare');
  rmSync(join(run.folder, 'allure-results'), { recursive: true });
  const merge = () => {
    mergeAllureResults([run], join(folder, 'of-bare'));
  };
  assert.throws(merge, { name: UsageError.name, message: /bare\/allure-results holds no Allure results/ });
  mkdirSync(join(run.folder, 'allure-results'));
  writeFileSync(join(run.folder, 'allure-results', 'x-result.json'), '{');
  assert.throws(merge, { name: UsageError.name, message: /x-result\.json is damaged/ });
});
