import { wordsOf } from '../../catalog/fingerprint';
import { textOfRuns, type Run } from './man-page';

/** Words whose full stop ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|incl|approx|no|fig)\.$/i;

/** Runs of a paragraph, sentence by sentence; white space at the ends of a sentence is left out. */
export function splitSentences(runs: readonly Run[]): Run[][] {
  const text = textOfRuns(runs);
  const ends = [...text.matchAll(/[.!?]["')\]\u201d\u2019]*(?=\s)/g)]
    .map(({ index, 0: mark }) => index + mark.length)
    .filter((end) => !abbreviation.test(text.slice(0, end)));
  return slices(runs, [0, ...ends, text.length]);
}

/**
 * Runs of code, statement by statement: one line each, but a declaration lasts until its parentheses are closed, a
 * comment goes on in lines that begin with `*`, and a line without a word, such as a closing brace, ends what it follows.
 */
export function splitCode(runs: readonly Run[]): Run[][] {
  const cuts = [0];
  let at = 0;
  let open = 0;
  for (const line of textOfRuns(runs).split('\n')) {
    if (!(open > 0 || goesOn(line))) cuts.push(at);
    open = Math.max(0, open + openedBy(line));
    at += line.length + 1;
  }
  return slices(runs, [...cuts, at]);
}

function goesOn(line: string): boolean {
  return /^\s*\*/.test(line) || (wordsOf(line).length === 0 && !/^\s*\/\*/.test(line));
}

/** Parentheses that a line of code opens and does not close, outside of its comment. */
function openedBy(line: string): number {
  const code = line.replace(/\/\*.*/, '');
  return code.split('(').length - code.split(')').length;
}

/** What lies between each two offsets, if it is more than white space. */
function slices(runs: readonly Run[], offsets: readonly number[]): Run[][] {
  return offsets
    .slice(1)
    .map((end, index) => trimmed(slice(runs, offsets[index] ?? 0, end)))
    .filter((part) => part.length > 0);
}

function slice(runs: readonly Run[], from: number, to: number): Run[] {
  let at = 0;
  return runs.flatMap(({ text, face }) => {
    const start = at;
    at += text.length;
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return part === '' ? [] : [{ text: part, face }];
  });
}

/** Code keeps the indentation of its lines: only line ends go at its start. */
function trimmed(runs: readonly Run[]): Run[] {
  if (textOfRuns(runs).trim() === '') return [];
  const [first, ...rest] = runs;
  if (first === undefined) return [];
  const start = first.text.replace(/^(?:[^\S\n]*\n)+|^ /, '');
  if (start === '') return trimmed(rest);
  const last = rest.at(-1) ?? { ...first, text: start };
  const end = last.text.trimEnd();
  const head = rest.length === 0 ? [] : [{ ...first, text: start }];
  const whole = [...head, ...rest.slice(0, -1)];
  return end === '' ? trimmed(whole) : [...whole, { ...last, text: end }];
}
