import { closeSync, constants, openSync, readSync } from 'node:fs';
import { LogExcerpt } from '../../contract';
import { printable } from '../../support/foreign-text';

const device = '/dev/kmsg';

/** Bytes of the longest record, which is read as a whole. */
const recordBytesMax = 8192;

/** Records that are read at once: more than a kernel keeps. One that prints as fast as we read would hold us for ever. */
const recordsMax = 500_000;

/** Errors of a read that brings no record: nothing new, or the oldest were overwritten and the next read goes on. */
const [nothingNew, overwritten] = ['EAGAIN', 'EPIPE'];

/** The messages of this machine's kernel from now on, where this user may read them. */
export class KernelMessages {
  #file: number | undefined;
  readonly #record = Buffer.alloc(recordBytesMax);

  constructor(path = device) {
    this.#file = opened(path);
    this.takeNew();
  }

  /** The messages that came since the last call, a line each, as far as there is room; empty where they cannot be read. */
  takeNew(): string {
    const excerpt = new LogExcerpt();
    for (let count = 0; count < recordsMax; count++) {
      const line = this.#next();
      if (line === undefined) break;
      if (line !== '') excerpt.add(printable(line));
    }
    const lines = excerpt.lines();
    return lines.map((line) => `${line}\n`).join('');
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** @returns an empty text where messages were lost, `undefined` when there are no more */
  #next(): string | undefined {
    if (this.#file === undefined) return undefined;
    try {
      const length = readSync(this.#file, this.#record);
      return length === 0 ? undefined : messageOf(this.#record.toString('utf8', 0, length));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === nothingNew) return undefined;
      if (code === overwritten) return '';
      throw error;
    }
  }
}

/** A record is `PRIORITY,SEQUENCE,MICROSECONDS,FLAGS;MESSAGE`, and lines about the device after it, which are indented. */
export function messageOf(record: string): string {
  const [first = ''] = record.split('\n', 1);
  const [, microseconds = '0', message = first] = /^\d+,\d+,(\d+),[^;]*;(.*)$/.exec(first) ?? [];
  return `[${(Number(microseconds) / 1e6).toFixed(6).padStart(12)}] ${message}`;
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // it is for root, or for nobody in a container
    throw error;
  }
}
