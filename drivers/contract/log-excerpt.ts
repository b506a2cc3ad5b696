import { beginsComplaint, endsReport, reportLinesMax } from './kernel-complaint';

/** Characters of a log that are kept of its beginning, of what matters between, and at least of its end. */
export interface ExcerptSize {
  readonly head: number;
  readonly between: number;
  readonly tail: number;
}

/** Of the log of a scenario. */
const usualSize: ExcerptSize = { head: 128 * 1024, between: 128 * 1024, tail: 128 * 1024 };

/** What shows why a kernel died or would not start, beside its complaints. */
const telling = /\bBUG\b|\[#\d+\]|Kernel panic|verbspec: |Unknown symbol|disagrees about version/;

/**
 * The lines of a log as far as there is room: the first, the last, complaints of the kernel that came between, and how
 * much is left out. A kernel may print faster than anybody can keep.
 */
export class LogExcerpt {
  readonly #size: ExcerptSize;
  readonly #head = new Lines();
  readonly #between = new Lines();
  /** The last lines, in two parts: when the newer is full, the older has to go. */
  #older = new Lines();
  #newer = new Lines();
  #headIsFull = false;
  /** What has been left out since the last line that was kept. */
  #omitted = { lines: 0, characters: 0 };
  /** Lines that are still to come of the report of a complaint. */
  #reportLines = 0;

  constructor(size: ExcerptSize = usualSize) {
    this.#size = size;
  }

  /** Adds a line without its newline. */
  add(line: string): void {
    this.#headIsFull ||= this.#head.characters + line.length >= this.#size.head;
    if (!this.#headIsFull) {
      this.#follow(line);
      this.#head.push(line);
      return;
    }
    this.#newer.push(line);
    if (this.#newer.characters < this.#size.tail) return;
    for (const old of this.#older.all) this.#leaveOut(old);
    this.#older = this.#newer;
    this.#newer = new Lines();
  }

  /** What is kept, in order, with a line wherever something is left out. */
  lines(): readonly string[] {
    return [...this.#head.all, ...this.#between.all, ...this.#note(), ...this.#older.all, ...this.#newer.all];
  }

  #leaveOut(line: string): void {
    if (this.#follow(line) && this.#between.characters + line.length < this.#size.between) {
      for (const note of this.#note()) this.#between.push(note);
      this.#between.push(JSON.parse(JSON.stringify(line)) as string); // a copy: a part of a text keeps all of it in memory
      this.#omitted = { lines: 0, characters: 0 };
    } else {
      this.#omitted.lines++;
      this.#omitted.characters += line.length + 1;
    }
  }

  /** Follows the reports of complaints, which go on for some lines. @returns whether this line matters */
  #follow(line: string): boolean {
    if (beginsComplaint(line)) this.#reportLines = reportLinesMax;
    else if (this.#reportLines === 0) return telling.test(line);
    this.#reportLines = endsReport(line) ? 0 : this.#reportLines - 1;
    return true;
  }

  #note(): string[] {
    const { lines, characters } = this.#omitted;
    return lines === 0 ? [] : [`... ${lines} lines (${sizeText(characters)}) left out ...`];
  }
}

/** The text of a log as {@link LogExcerpt} keeps it; one that is short enough stays as it is. */
export function excerptOf(log: string): string {
  if (log.length < usualSize.head) return log;
  const excerpt = new LogExcerpt();
  for (let start = 0; start < log.length;) {
    const at = log.indexOf('\n', start);
    const end = at < 0 ? log.length : at;
    excerpt.add(log.slice(start, end));
    start = end + 1;
  }
  return `${excerpt.lines().join('\n')}\n`;
}

class Lines {
  readonly all: string[] = [];
  characters = 0;

  push(line: string): void {
    this.all.push(line);
    this.characters += line.length + 1;
  }
}

function sizeText(characters: number): string {
  return characters < 1e6 ? `${Math.ceil(characters / 1e3)} kB` : `${Math.round(characters / 1e6)} MB`;
}
