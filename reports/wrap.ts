/**
 * Breaks text into lines no wider than `columns`; a word that is wider alone is cut.
 *
 * @param indent - put before every line
 * @param hang - put before every line after the first, instead of `indent`
 */
export function wrap(text: string, columns: number, indent = '', hang = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const word of text.split(' ').flatMap((word) => cut(word, columns - Math.max(indent.length, hang.length)))) {
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

function cut(word: string, width: number): string[] {
  const size = Math.max(1, width);
  const pieces = word.length === 0 ? [''] : [];
  for (let start = 0; start < word.length; start += size) pieces.push(word.slice(start, start + size));
  return pieces;
}
