import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fingerprintOf, similarity, sketchOf, wordsOf } from './fingerprint';

const seed = 4711;
const word = fc.stringMatching(/^[a-z_]{1,12}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 });

describe('the fingerprint of a sentence', () => {
  it('does not see case, white space, quotes, hyphens and punctuation', () => {
    const dress = fc.constantFrom(' ', '\n   ', ', ', ' "', '\u201d ', ' \u2010 ', '; ', ' (');
    fc.assert(
      fc.property(
        sentence,
        fc.array(dress, { minLength: 30, maxLength: 30 }),
        fc.boolean(),
        (words, dresses, isLoud) => {
          const dressed = words
            .map((text, index) => `${isLoud ? text.toUpperCase() : text}${dresses[index] ?? ''}`)
            .join('');
          assert.equal(fingerprintOf(dressed), fingerprintOf(words.join(' ')));
        },
      ),
      { seed },
    );
  });

  it('sees each word, and their order', () => {
    fc.assert(
      fc.property(sentence, word, fc.nat(), (words, other, at) => {
        const changed = words.with(at % words.length, other);
        const isSame = changed.every((text, index) => text === words[index]);
        assert.equal(fingerprintOf(changed.join(' ')) === fingerprintOf(words.join(' ')), isSame);
      }),
      { seed },
    );
    assert.notEqual(fingerprintOf('a bull is no cow'), fingerprintOf('no bull is a cow'));
  });

  it('sees the sign of a number and operators, but not the dash of a compound', () => {
    assert.notEqual(fingerprintOf('it returns -1'), fingerprintOf('it returns 1'));
    assert.notEqual(fingerprintOf('it is >= 0'), fingerprintOf('it is > 0'));
    assert.deepEqual(
      wordsOf('a one-to-one well-known 2-litre bucket'),
      wordsOf('A one to one well known 2 litre bucket.'),
    );
    assert.deepEqual(wordsOf('/* four legs */ -1 \u22121'), ['four', 'legs', '-1', '-1']);
  });
});

describe('the likeness of sentences', () => {
  it('is 1 with itself and 0 with other words', () => {
    const cow = sketchOf('a cow gives milk to everybody');
    assert.equal(similarity(cow, cow), 1);
    assert.equal(similarity(cow, sketchOf('bulls never will')), 0);
    assert.equal(similarity('', ''), 0);
  });

  it('is high for a sentence that goes on, whatever its length', () => {
    const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
    assert.ok(similarity(sketchOf(long), sketchOf(`${long} and so on for a while`)) > 0.5);
    assert.ok(similarity(sketchOf('a cow gives milk'), sketchOf('a cow gives milk and horns')) > 0.5);
  });

  it('is symmetric and between 0 and 1', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const [left, right] = [sketchOf(one.join(' ')), sketchOf(other.join(' '))];
        const likeness = similarity(left, right);
        assert.ok(likeness >= 0 && likeness <= 1);
        assert.equal(similarity(right, left), likeness);
      }),
      { seed },
    );
  });
});
