import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyColumns, assertPrintable, hostileText } from '../fixtures/hostile-text';
import { wrap } from './wrap';

test('lines break between words and hang', () => {
  assert.deepEqual(wrap('one two three four', 10, ' ', '   '), [' one two', '   three', '   four']);
});

test('a word that is too wide is cut', () => {
  assert.deepEqual(wrap('0123456789', 6, '  '), ['  0123', '  4567', '  89']);
});

test('an address stays whole, so that it can be clicked', () => {
  assert.deepEqual(wrap('see (https://example.org/a/b)', 12), ['see', '(https://example.org/a/b)']);
});

test('a character is never cut', () => {
  assert.deepEqual(wrap('x🔥x', 2), ['x', '🔥', 'x']);
  assert.deepEqual(wrap('🔥🔥', 1), ['🔥', '🔥']);
});

test('no text is one empty line', () => {
  assert.deepEqual(wrap('', 10, '  '), ['']);
});

test('no line begins with a command, wherever a word is cut', () => {
  assert.deepEqual(wrap('xxxx::add-mask::y', 4), ['xxxx', ': :a', 'dd-m', 'ask:', ':y']);
  assert.deepEqual(wrap('see ::add-mask::y', 12, '  '), ['  see :', '  :add-mask:', '  :y']);
  assert.deepEqual(wrap('fe80::1', 4), ['fe80', '::1']);
  fc.assert(
    fc.property(hostileText, anyColumns, fc.nat(10), fc.nat(10), (text, columns, indent, hang) => {
      const lines = wrap(text, columns, ' '.repeat(indent), ' '.repeat(hang));
      assertPrintable(lines.join('\n'));
      for (const line of lines) assert.ok(line.length <= columns && !line.includes('\n'));
    }),
  );
});
