import { closeSync, constants, openSync, readSync } from 'node:fs';

const device = '/dev/kmsg';

/** Bytes of the longest record, which is read as a whole. */
const recordBytesMax = 8192;

/** Errors of a read that brings no record: nothing new, or the oldest were overwritten and the next read goes on. */
const [nothingNew, overwritten] = ['EAGAIN', 'EPIPE'];

/** The messages of this machine's kernel from now on, where this user may read them. */
export class KernelMessages {
  #file: number | undefined;

  constructor(path = device) {
    this.#file = opened(path);
    this.takeNew();
  }

  /** The messages that came since the last call, a line each; empty where they cannot be read. */
  takeNew(): string {
    const lines: string[] = [];
    for (let line = this.#next(); line !== undefined; line = this.#next()) if (line !== '') lines.push(`${line}\n`);
    return lines.join('');
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** @returns an empty text where messages were lost, `undefined` when there are no more */
  #next(): string | undefined {
    if (this.#file === undefined) return undefined;
    const buffer = Buffer.alloc(recordBytesMax);
    try {
      const length = readSync(this.#file, buffer);
      return length === 0 ? undefined : messageOf(buffer.toString('utf8', 0, length));
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
