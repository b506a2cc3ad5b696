import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFound, SymptomMatcher } from './symptom';

const endless = '^(([\\s\\S])+)+\\u0000$';

describe('a symptom', () => {
  it('is looked for as a regular expression', () => {
    const matcher = new SymptomMatcher();
    assert.equal(matcher.matches('expected \\d+, observed 0$', 'it holds 4: expected 4, observed 0'), true);
    assert.equal(matcher.matches('observed 1', 'expected 4, observed 0'), false);
    assert.equal(matcher.failure('observed 1'), undefined);
  });

  it('that never comes to an end is given up, and not tried again', () => {
    const matcher = new SymptomMatcher();
    assert.equal(matcher.matches(endless, 'x'.repeat(1000)), false);
    assert.equal(matcher.failure(endless), 'its expression takes more than 1000 ms');
    const startedAt = performance.now();
    assert.equal(matcher.matches(endless, 'x'.repeat(1000)), false);
    assert.ok(performance.now() - startedAt < 500);
  });

  it('that is no expression, or too large a one, is refused in a short line', () => {
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
