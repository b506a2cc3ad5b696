import { LogExcerpt, type ExcerptSize } from '../contract';
import { printable } from '../support/foreign-text';

/** Characters of a line; the kernel's own have at most a thousand. */
const lineMax = 4096;

/** Characters that a run may have taken until later scenarios have to do with less. */
const takenMax = 16 * 1024 * 1024;

/** What then is kept of the log of a scenario. */
const smallSize: ExcerptSize = { head: 4 * 1024, between: 8 * 1024, tail: 4 * 1024 };

/** What a kernel writes to its serial console, as far as there is room; see {@link LogExcerpt}. */
export class KernelLog {
  #excerpt = new LogExcerpt();
  #unfinished = '';
  #taken = 0;

  /** Adds what came; a line counts once it is whole. */
  add(chunk: string): void {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#excerpt.add(printable(this.#withUnfinished(line)));
      this.#unfinished = '';
    }
    this.#unfinished = this.#withUnfinished(last);
  }

  /** Whole lines that came since the last call, free of control characters. */
  takeNew(): string {
    const text = this.#excerpt
      .lines()
      .map((line) => `${line}\n`)
      .join('');
    this.#taken += text.length;
    this.#excerpt = this.#taken < takenMax ? new LogExcerpt() : new LogExcerpt(smallSize);
    return text;
  }

  /** All lines since the last {@link takeNew}, the one that has not ended included. */
  lines(): readonly string[] {
    const last = printable(this.#unfinished);
    return last === '' ? this.#excerpt.lines() : [...this.#excerpt.lines(), last];
  }

  #withUnfinished(part: string): string {
    const line = this.#unfinished + part;
    return line.length > lineMax ? line.slice(0, lineMax) : line;
  }
}

/**
 * The line that shows why a kernel panicked, or `undefined` if it did not: the panic's own, unless it says no more than
 * that an oops, which the kernel numbers `[#1]`, is fatal. Then the cause stands before it.
 */
export function causeOfPanic(lines: readonly string[]): string | undefined {
  const end = lines.findIndex((line) => line.includes('Kernel panic'));
  const panic = lines[end];
  if (panic?.includes('Fatal exception') !== true) return panic;
  const before = lines.slice(0, end);
  const lastWith = (words: RegExp): string | undefined => before.findLast((line) => words.test(line));
  return lastWith(/\bBUG\b/) ?? lastWith(/ \[#\d+\]/) ?? panic;
}
