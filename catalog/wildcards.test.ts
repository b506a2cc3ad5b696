import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { matchesWildcards } from './wildcards';

describe('a pattern with wildcards', () => {
  for (const [pattern, text, isMatch] of [
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'any text', true],
    ['a*', 'abc', true],
    ['a*', 'ba', false],
    ['*c', 'abc', true],
    ['a*c', 'abc', true],
    ['a*a', 'a', false],
    ['a*b*a', 'aba', true],
    ['a*bc*c', 'abc', false],
    ['**', 'x', true],
    ['CQ "*" gave', 'CQ "recv_cq" gave', true],
    ['CQ "*" gave', 'CQ "recv_cq" gave more', false],
    ['a.c', 'abc', false],
  ] as const) {
    it(`${JSON.stringify(pattern)} ${isMatch ? 'lets' : 'does not let'} ${JSON.stringify(text)} through`, () => {
      assert.equal(matchesWildcards(pattern, text), isMatch);
    });
  }

  it('does what the same regular expression does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(word, letters, (pattern, text) => {
        assert.equal(matchesWildcards(pattern, text), new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text));
      }),
    );
  });
});
