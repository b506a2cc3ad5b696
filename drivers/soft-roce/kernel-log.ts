/** What a kernel writes to its serial console. */
export class KernelLog {
  #text = '';
  #taken = 0;

  /** Adds what came; a line counts once it is whole. */
  add(chunk: string): void {
    this.#text += chunk;
  }

  /** Whole lines that came since the last call, free of control characters. */
  takeNew(): string {
    const end = this.#text.lastIndexOf('\n') + 1;
    const fresh = this.#text.slice(this.#taken, end);
    this.#taken = end;
    return printable(fresh);
  }

  /** All lines from a position in the text on; see {@link length}. */
  lines(from = 0): readonly string[] {
    return printable(this.#text.slice(from)).trimEnd().split('\n');
  }

  /** Where the text ends now. */
  get length(): number {
    return this.#text.length;
  }
}

/**
 * The line that tells why a kernel panicked, or `undefined` if it did not: the panic's own, unless it says no more than
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

/** Removes escape sequences and control characters other than line ends and tabs. */
export function printable(text: string): string {
  return text.replace(/\x1b(?:\[[0-9;?]*[A-Za-z]|[^[])/g, '').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
}
