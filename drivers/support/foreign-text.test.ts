import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneLine, printable } from './foreign-text';

describe('printable', () => {
  it('removes escape sequences and control characters', () => {
    assert.equal(printable('\x1bc\x1b[?7l\x1b[2J\x00a\tb\r\n\x1b[1;31mred\x1b[0m\x07\x9b'), 'a\tb\nred');
  });
});

describe('inOneLine', () => {
  it('makes a line of several', () => {
    assert.equal(inOneLine(' one\r\n\ttwo\x1b[2J\0\n'), 'one two');
  });

  it('cuts what has no end', () => {
    assert.equal(inOneLine('abcdef', 4), 'abcd…');
    assert.equal(inOneLine(`${' '.repeat(100)}abc`, 4), '…');
    assert.equal(inOneLine('x'.repeat(50_000_000)).length, 501);
  });
});
