import { printable } from './foreign-text';

/** Lines of stderr that are worth a message. */
const linesMax = 40;

/** Bytes that these lines may have together. */
const bytesMax = 16 * 1024;

/** Keeps the last lines of a stream. */
export class Tail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(-bytesMax)]).subarray(-bytesMax);
  }

  text(): string {
    return printable(this.#bytes.toString('utf8')).trimEnd().split('\n').slice(-linesMax).join('\n');
  }
}

/** The same of a whole text. */
export function tailOf(text: string): string {
  const tail = new Tail();
  tail.add(Buffer.from(text));
  return tail.text();
}
