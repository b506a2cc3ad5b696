import { oneLine, plainText } from '../../catalog/plain-text';

/** What a failed check says, taken apart where its text allows. */
export interface Difference {
  /** What the author of the check wrote, empty if nothing. */
  readonly words: string;
  readonly expected: string | undefined;
  readonly observed: string | undefined;
}

/** How an AssertionError of node:assert introduces values when the check has no words of its own. */
const generatedWords =
  /^(Expected values to be |Expected "actual" |Values have same structure |The expression evaluated )/;
const nodeDiff = /^\+ actual - expected.*$/m;
const formattedDiff = /^\s*\+ expected - actual.*$/m;

/**
 * Reads the text of an AssertionError.
 *
 * @param message - the message of the error
 * @param formatted - the same as Cucumber shows it, which adds a difference of the values where the error has them
 */
export function readAssertion(message: string, formatted = ''): Difference {
  const text = plainText(message);
  const fromMessage = readNodeDiff(text) ?? readInequality(text);
  if (fromMessage) return fromMessage;
  const words = oneLine(text);
  const fromFormatted = readFormattedDiff(plainText(formatted));
  return { words, expected: fromFormatted?.expected, observed: fromFormatted?.observed };
}

/** `1 !== 2` on a line of its own: observed and expected. */
function readInequality(text: string): Difference | undefined {
  const [head = '', ...rest] = text.trimEnd().split('\n');
  const match = /^([^\n]+?) !={1,2} ([^\n]+)$/.exec(rest.join('\n').trim());
  if (!match || !generatedWords.test(head)) return undefined;
  return { words: '', observed: match[1], expected: match[2] };
}

/** A difference as node:assert prints it: `+` marks observed lines, `-` expected ones, all others belong to both. */
function readNodeDiff(text: string): Difference | undefined {
  const match = nodeDiff.exec(text);
  if (!match) return undefined;
  const words = oneLine(text.slice(0, match.index));
  const lines = text.slice(match.index + match[0].length).split('\n');
  return { words: generatedWords.test(words) ? '' : words, ...readSides(lines, '+', '-') };
}

/** A difference as Cucumber appends it: the signs mean the opposite, and a stack trace follows. */
function readFormattedDiff(text: string): Omit<Difference, 'words'> | undefined {
  const match = formattedDiff.exec(text);
  if (!match) return undefined;
  const lines = text.slice(match.index + match[0].length).split('\n');
  const end = lines.findIndex((line) => /^\s+at /.test(line));
  const body = (end < 0 ? lines : lines.slice(0, end)).map((line) => line.replace(/^ {4}/, ''));
  return readSides(body, '-', '+');
}

function readSides(lines: readonly string[], observedSign: string, expectedSign: string): Omit<Difference, 'words'> {
  const side = (other: string): string =>
    oneLine(
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => line.slice(1))
        .join(' '),
    );
  return { observed: side(expectedSign), expected: side(observedSign) };
}
