import type { Readable } from 'node:stream';

/** What becomes of a stream that is read line by line. */
export interface LineHandlers {
  /** A line without its newline; never an empty one. */
  line(text: string): void;
  /** A line exceeds the limit. All of it is dropped; those after it are handed on as before. */
  tooLong(): void;
}

const newline = 0x0a;

/** Bytes of a first piece of a line, and of the largest buffer that is kept for the next line. */
const roomBytes = { first: 1024, kept: 64 * 1024 };

/** Cuts bytes into lines of UTF-8 and hands them on as soon as they are complete. It keeps no more than a line may have. */
export class LineCutter {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  /** What has come of a line, with room for more. */
  #room = Buffer.alloc(0);
  #bytes = 0;
  #isTooLong = false;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  add(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const at = chunk.indexOf(newline, start);
      const end = at < 0 ? chunk.length : at;
      const part = chunk.subarray(start, end);
      if (at < 0) this.#keep(part);
      else this.#finishLine(part);
      start = end + 1;
    }
  }

  /** Hands on a last line that has no newline. */
  end(): void {
    this.#finishLine(Buffer.alloc(0));
  }

  #finishLine(part: Buffer): void {
    if (!this.#fits(part)) {
      this.#reset();
      return;
    }
    if (this.#bytes > 0) this.#keep(part);
    const line = (this.#bytes > 0 ? this.#room.subarray(0, this.#bytes) : part).toString('utf8').trimEnd();
    this.#reset();
    if (line !== '') this.#handlers.line(line);
  }

  #reset(): void {
    this.#bytes = 0;
    this.#isTooLong = false;
    if (this.#room.length > roomBytes.kept) this.#room = Buffer.alloc(0);
  }

  #keep(part: Buffer): void {
    if (!this.#fits(part)) return;
    const bytes = this.#bytes + part.length;
    if (bytes > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(bytes, 2 * this.#room.length, roomBytes.first));
      this.#room.copy(room, 0, 0, this.#bytes);
      this.#room = room;
    }
    part.copy(this.#room, this.#bytes);
    this.#bytes = bytes;
  }

  /** Whether the line may have this part too; if not, that is reported, once. */
  #fits(part: Buffer): boolean {
    if (!this.#isTooLong && this.#bytes + part.length > this.#maxBytes) {
      this.#isTooLong = true;
      this.#handlers.tooLong();
    }
    return !this.#isTooLong;
  }
}

/**
 * Reads a stream line by line. An unfinished last line is dropped.
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
