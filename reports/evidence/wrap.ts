import { plainRest, plainText } from '../../catalog/plain-text';

/**
 * Breaks text into lines no wider than `columns`; a word that is wider alone is cut, unless it is an address to be clicked. Whatever the text holds, no line
 * begins with a command to a CI system.
 *
 * @param indent - put before every line
 * @param hang - put before every line after the first, instead of `indent`
 */
export function wrap(text: string, columns: number, indent = '', hang = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  const words = plainText(text).split(/[ \n]/);
  for (const word of words.flatMap((word) => cut(word, columns - Math.max(indent.length, hang.length)))) {
    const longer = isEmpty ? line + word : `${line} ${word}`;
    if (isEmpty || longer.length <= columns) {
      line = longer;
    } else {
      lines.push(line);
      line = hang + word;
    }
    isEmpty = false;
  }
  return [...lines, line].map((finished) => finished.trimEnd());
}

const address = /^\(?https?:\/\//;

function cut(word: string, width: number): string[] {
  if (address.test(word)) return [word];
  const size = Math.max(1, width);
  const pieces: string[] = [];
  let rest = word;
  while (rest.length > size) {
    const end = endOfPiece(rest, size);
    pieces.push(rest.slice(0, end));
    rest = plainRest(rest.slice(end));
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

/** A character beyond the first plane is two units, and stays whole. */
function endOfPiece(word: string, size: number): number {
  const isWithin = /^[\ud800-\udbff][\udc00-\udfff]$/.test(word.slice(size - 1, size + 1));
  if (!isWithin) return size;
  return size === 1 ? 2 : size - 1;
}
