import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HarnessError } from '../../drivers/contract';
import { parseMessages } from './messages';

const line = '{"testRunStarted":{"timestamp":{"seconds":1,"nanos":0}}}';

test('messages stand one per line', () => {
  assert.equal(parseMessages(`${line}\n\n${line}\n`).length, 2);
  assert.equal(parseMessages(`${line}\n${line}`).length, 2);
  assert.deepEqual(parseMessages(''), []);
});

test('a run that was killed may end in the middle of a message', () => {
  assert.equal(parseMessages(`${line}\n{"testCase":{"id"`).length, 1);
});

test('a broken line anywhere else is refused with its number', () => {
  assert.throws(() => parseMessages(`${line}\n{"testCase"\n${line}\n`), /line 2/);
  assert.throws(() => parseMessages('7\n'), HarnessError);
});
