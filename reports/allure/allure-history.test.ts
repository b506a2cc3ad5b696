import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { AllureHistory } from './allure-history';
import { embeddedFile } from './allure-page';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-history-'));
const memory = join(folder, 'memory');
const reportPath = join(folder, 'index.html');

after(() => {
  rmSync(folder, { recursive: true });
});

function writeReport(trend: object): void {
  const text = Buffer.from(JSON.stringify(trend)).toString('base64');
  writeFileSync(reportPath, `<script>d('history/history-trend.json','${text}'),\nd('other.json','')</script>`);
}

test('a file of a single-file report is found by its whole name', () => {
  const html = `d('a/history.json','${Buffer.from('no').toString('base64')}'),d('history.json','${Buffer.from('yes').toString('base64')}')`;
  assert.equal(embeddedFile(html, 'history.json'), 'yes');
  assert.equal(embeddedFile(html, 'missing.json'), undefined);
});

test('what a report remembers is there for the next run', () => {
  const first = new AllureHistory(memory);
  assert.equal(first.runs, 0);
  const trend = [{ buildOrder: 7, data: { passed: 2 } }];
  writeReport(trend);
  first.renewFrom(reportPath);
  const second = new AllureHistory(memory);
  assert.equal(second.runs, 7);
  second.copyTo(folder);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'history', 'history-trend.json'), 'utf8')), trend);
});

test('a folder that cannot be made or holds something else is refused, by name', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.throws(() => new AllureHistory(join(file, 'below')), {
    name: UsageError.name,
    message: /below cannot be made/,
  });
  writeFileSync(join(memory, 'history.json'), '{');
  assert.throws(() => new AllureHistory(memory), { name: UsageError.name, message: /history\.json is not a history/ });
});

const shapes: readonly (readonly [string, string])[] = [
  ['history-trend.json', '{"a":1}'],
  ['history-trend.json', 'null'],
  ['duration-trend.json', '[1]'],
  ['history.json', '[]'],
  ['history.json', '{"id":{"items":1}}'],
];
for (const [index, [name, content]] of shapes.entries()) {
  test(`${content} as ${name} is refused, by name`, () => {
    const other = join(folder, `shape-${index}`);
    mkdirSync(other);
    writeFileSync(join(other, name), content);
    assert.throws(() => new AllureHistory(other), {
      name: UsageError.name,
      message: new RegExp(`${name} is not a history of Allure: .*; remove that file`),
    });
  });
}

test('a history that no run can write is refused before there is one', () => {
  assert.throws(() => new AllureHistory('/proc/a/b'), { name: UsageError.name, message: /cannot be made: ENOENT/ });
  assert.throws(() => new AllureHistory('/proc'), { name: UsageError.name, message: /cannot be written: / });
});
