/** Milliseconds from one line about progress to the next. */
const usualMs = 10_000;

/** Says now and then how far long work has come. */
export class Progress {
  #toldMs = performance.now();

  /** @param everyMs - milliseconds from one line to the next */
  constructor(
    readonly say: (line: string) => void,
    readonly everyMs = usualMs,
  ) {}

  /** @param line - is made only where it is said */
  tell(line: () => string): void {
    const now = performance.now();
    if (now - this.#toldMs < this.everyMs) return;
    this.#toldMs = now;
    this.say(line());
  }
}
