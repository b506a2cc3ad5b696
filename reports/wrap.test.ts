import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrap } from './wrap';

test('lines break between words and hang', () => {
  assert.deepEqual(wrap('one two three four', 10, ' ', '   '), [' one two', '   three', '   four']);
});

test('a word that is too wide is cut', () => {
  assert.deepEqual(wrap('0123456789', 6, '  '), ['  0123', '  4567', '  89']);
});

test('no text is one empty line', () => {
  assert.deepEqual(wrap('', 10, '  '), ['']);
});
