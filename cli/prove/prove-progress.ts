import { oneLine } from '../../catalog/plain-text';

/** Seconds between two lines of progress where there is no terminal to rewrite a line on. */
const lineEverySeconds = 10;

/** Tells which fault is running: on a line that is rewritten on a terminal, a line now and then elsewhere. */
export class ProveProgress {
  #toldAt = -Infinity;

  constructor(readonly stream: NodeJS.WriteStream) {}

  tell(what: string): void {
    const text = oneLine(what);
    if (this.stream.isTTY) {
      this.end();
      this.stream.write(text.slice(0, this.stream.columns - 1));
    } else if (performance.now() - this.#toldAt >= lineEverySeconds * 1000) {
      this.#toldAt = performance.now();
      this.stream.write(`${text}\n`);
    }
  }

  /** Leaves the terminal as if there had been no progress. */
  end(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }
}
