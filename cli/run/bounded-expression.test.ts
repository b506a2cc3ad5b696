import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFound } from './bounded-expression';

describe('an expression of the user', () => {
  it('is looked for as a regular expression', () => {
    assert.equal(isFound('^One \\d+ CQE$', 'One 4 CQE'), true);
    assert.equal(isFound('Two', 'One 4 CQE'), false);
  });

  it('that never comes to an end is given up', () => {
    assert.throws(() => isFound('^(([\\s\\S])+)+\\u0000$', 'x'.repeat(1000)), {
      message: 'its expression takes more than 1000 ms',
    });
  });

  it('that is not an expression, or too large a one, is refused in a short line', () => {
    assert.throws(() => isFound('(', ''), /^Error: Invalid regular expression: \/\(\/: Unterminated group$/);
    const deep = `${'('.repeat(100_000)}a${')'.repeat(100_000)}`;
    assert.throws(
      () => isFound(deep, ''),
      ({ message }: Error) => message.length < 300 && !message.includes('\n'),
    );
  });

  it('is looked for in the beginning of a long text', () => {
    assert.equal(isFound('x$', 'x'.repeat(10_000_000)), true);
    assert.equal(isFound('end', `${'x'.repeat(10_000_000)}end`), false);
  });
});
