import { createHash } from 'node:crypto';

/** Hexadecimal digits that distinguish the sentences of a page with a wide margin. */
const digits = 12;

/**
 * The words of a sentence in their order: lower case, without white space, quotes, hyphens and punctuation. The sign of a
 * number and operators stay, as `>= 0` and `< 0` do not say the same.
 */
export function wordsOf(sentence: string): readonly string[] {
  const plain = sentence
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\/[*]|[*]\//g, ' ')
    .toLowerCase();
  return plain.match(/(?<![\p{L}\p{N}_-])-\d+|[\p{L}\p{N}_]+|!?[<>=|&~+]+|!(?=[\p{L}_(])/gu) ?? [];
}

/** A hash of what a sentence says, whatever its typefaces, line ends and punctuation. */
export function fingerprintOf(sentence: string): string {
  return createHash('sha256').update(wordsOf(sentence).join(' ')).digest('hex').slice(0, digits);
}

/** Hexadecimal digits of a word in a sketch: too few to find the word again, enough to see whether most are the same. */
const digitsOfWord = 3;
const wordsOfSketchMax = 12;

/**
 * The smallest hashes among those of its words: two of them show how alike two sentences are, without
 * either.
 */
export function sketchOf(sentence: string): string {
  const hashes = wordsOf(sentence).map((word) =>
    createHash('sha256').update(word).digest('hex').slice(0, digitsOfWord),
  );
  return [...new Set(hashes)].sort().slice(0, wordsOfSketchMax).join('');
}

/** How alike two sentences are by their words, from 0 to 1: Jaccard's index, estimated from the sketches. */
export function similarity(one: string, other: string): number {
  const [left, right] = [hashesIn(one), hashesIn(other)];
  const smallest = [...new Set([...left, ...right])].sort().slice(0, wordsOfSketchMax);
  const shared = smallest.filter((hash) => left.has(hash) && right.has(hash));
  return smallest.length === 0 ? 0 : shared.length / smallest.length;
}

function hashesIn(sketch: string): ReadonlySet<string> {
  return new Set(sketch.match(new RegExp(`.{${digitsOfWord}}`, 'g')));
}
