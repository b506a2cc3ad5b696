import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import type { TestResult } from 'allure-js-commons';
import { UsageError } from '../../drivers/contract';
import { writeAllureResults } from './allure';
import { mergeAllureResults, type ReportedRun } from './allure-merge';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { runTitle } from '../evidence/run-title';

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

/** A run of a stranger, with the path of a file that a result attaches and that of the result. */
function strangersRun(name: string): { run: ReportedRun; results: string; attachment: string; result: string } {
  const run = runCalled(name);
  const results = join(run.folder, 'allure-results');
  const files = readdirSync(results);
  const [attachment = '', result = ''] = ['-attachment.txt', '-result.json'].map((end) =>
    join(results, files.find((file) => file.endsWith(end)) ?? ''),
  );
  return { run, results, attachment, result };
}

function refusal(run: ReportedRun): string {
  const target = join(folder, `of-${run.name}`);
  try {
    mergeAllureResults([run], target);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return `none, and ${readdirSync(target).length} files`;
}

test('nothing but regular files within the folder of results is read, and what is not is reported', () => {
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  const deeds: Record<string, [(path: string) => void, RegExp]> = {
    link: [
      (path) => {
        symlinkSync(secret, path);
      },
      /cannot be used: it is a symbolic link; a report is made of regular/,
    ],
    dangling: [
      (path) => {
        symlinkSync('nowhere', path);
      },
      /cannot be used: it is a symbolic link/,
    ],
    fifo: [
      (path) => {
        execFileSync('mkfifo', [path]);
      },
      /cannot be used: it is not a regular file/,
    ],
    folder: [
      (path) => {
        mkdirSync(path);
      },
      /cannot be used: it is a folder/,
    ],
    giant: [
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 40);
      },
      /cannot be used: it has more than \d+ bytes/,
    ],
    missing: [() => undefined, /cannot be used: ENOENT/],
  };
  for (const [name, [put, said]] of Object.entries(deeds)) {
    for (const what of ['attachment', 'result'] as const) {
      if (name === 'missing' && what === 'result') continue;
      const strange = strangersRun(`${name}-${what}`);
      rmSync(strange[what]);
      put(strange[what]);
      assert.match(refusal(strange.run), said, strange.run.name);
    }
  }
  const { run, results } = strangersRun('linked-results');
  renameSync(results, join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), results);
  assert.match(refusal(run), /allure-results cannot be used: it is a symbolic link/);
});

test('an attachment is a file beside its result, by a name that means nothing else', () => {
  writeFileSync(join(folder, 'x-attachment.txt'), 'x');
  for (const [index, source] of [
    '../x-attachment.txt',
    join(folder, 'x-attachment.txt'),
    '..',
    '',
    'environment.properties',
    'executor.json',
    'x-attachment-result.json',
    'history/x-attachment.txt',
    'x-attachment.txt\0',
  ].entries()) {
    const { run, result } = strangersRun(`source-${index}`);
    const data = JSON.parse(readFileSync(result, 'utf8')) as TestResult;
    data.steps.push({ ...data.steps[0], attachments: [{ name: 'x', type: 'text/plain', source }] } as never);
    writeFileSync(result, JSON.stringify(data));
    assert.match(
      refusal(run),
      /-result\.json is damaged: it attaches ".*", which is not an attachment beside it/,
      source,
    );
  }
});

test('what no result names stays behind, unread', () => {
  const { run, results } = strangersRun('beside');
  execFileSync('mkfifo', [join(results, 'x-attachment.txt'), join(results, 'environment.properties.x')]);
  symlinkSync('/etc/passwd', join(results, 'y-attachment.txt'));
  const target = join(folder, 'of-beside-all');
  mergeAllureResults([run], target);
  const given = readdirSync(results).filter((file) => !['x-attachment.txt', 'y-attachment.txt'].includes(file));
  const own = given.filter((file) => !['environment.properties.x', 'executor.json'].includes(file));
  assert.deepEqual(readdirSync(target).sort(), own.sort());
});

test('a result of another shape is refused by name', () => {
  const strange = ['null', '[]', '{"name":1}', '{"name":"x","labels":[null],"parameters":[]}', '['.repeat(200_000)];
  for (const [index, text] of strange.entries()) {
    const { run, result } = strangersRun(`shape-${index}`);
    writeFileSync(result, text);
    assert.match(refusal(run), /-result\.json is damaged: /);
  }
});

test('no text of a stranger steers who reads the report', () => {
  const { run, result, attachment } = strangersRun('steering');
  const data = JSON.parse(readFileSync(result, 'utf8')) as TestResult;
  writeFileSync(result, JSON.stringify({ ...data, name: 'one \u202e\u001b[31mtwo' }));
  writeFileSync(attachment, 'one \u202e\u001b[31mtwo\n::add-mask::x\n');
  const target = join(folder, 'of-steering');
  mergeAllureResults([run], target);
  assert.ok(resultsIn(target).some(({ name }) => name === 'one two'));
  assert.equal(readFileSync(join(target, basename(attachment)), 'utf8'), 'one two\n: :add-mask::x\n');
});
