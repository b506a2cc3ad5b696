import type { Readable } from 'node:stream';

/** What becomes of a stream that is read line by line. */
export interface LineHandlers {
  /** A line without its newline; never an empty one. */
  line(text: string): void;
  /** A line exceeds the limit; nothing more is handed on but the end. */
  tooLong(): void;
}

const newline = 0x0a;

/** Cuts bytes into lines of UTF-8 and hands them on as soon as they are complete. An unfinished last line is dropped. */
export class LineCutter {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  add(chunk: Buffer): void {
    for (let start = 0; start < chunk.length && this.#bytes <= this.#maxBytes;) {
      const at = chunk.indexOf(newline, start);
      const end = at < 0 ? chunk.length : at;
      this.#extendLine(chunk.subarray(start, end));
      if (at >= 0 && this.#bytes <= this.#maxBytes) this.#finishLine();
      start = end + 1;
    }
  }

  #extendLine(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#handlers.tooLong();
  }

  #finishLine(): void {
    const line = Buffer.concat(this.#parts).toString('utf8').trimEnd();
    this.#parts = [];
    this.#bytes = 0;
    if (line !== '') this.#handlers.line(line);
  }
}

/**
 * Reads a stream line by line.
 *
 * @param onEnd - called once when the stream has ended or broken
 */
export function readLines(stream: Readable, maxBytes: number, handlers: LineHandlers, onEnd: () => void): void {
  const cutter = new LineCutter(maxBytes, handlers);
  stream.on('data', (chunk: Buffer) => {
    cutter.add(chunk);
  });
  let ended = false;
  const endOnce = () => {
    if (!ended) onEnd();
    ended = true;
  };
  stream.once('end', endOnce).once('close', endOnce).on('error', endOnce);
}
