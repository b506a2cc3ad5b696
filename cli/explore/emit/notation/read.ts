import { UsageError } from '../../../../drivers/contract';
import { oneLine } from '../../../../catalog/plain-text';
import type { Op } from '../../../../drivers/programs/program';
import { isVerbName } from '../../../../drivers/verbs';
import { readMembers } from './read-value';
import { words } from './words';

const callPattern = /^(?:([a-z][a-z0-9_]*) = )?([a-z_][a-z0-9_ ]*)\((.*)\)$/;

/** Reads operations as `opLines` of print.ts writes them. @throws UsageError that names the line which cannot be read */
export function readOps(text: string): Op[] {
  const lines = new Lines(text);
  const ops = lines.ops();
  lines.end();
  return ops;
}

class Lines {
  readonly #lines: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#lines = text.split('\n').map((line) => line.trim());
  }

  end(): void {
    if (this.#next < this.#lines.length) this.#refuse('it ends nothing');
  }

  /** Up to the end of what they stand in. */
  ops(): Op[] {
    const ops: Op[] = [];
    for (; this.#next < this.#lines.length; this.#next++) {
      const line = this.#lines[this.#next];
      if (line === undefined || line === words.end) break;
      if (line === '') continue;
      if (line === words.settle) ops.push({ settle: true });
      else if (line === words.down) ops.push({ port: 'down' });
      else if (line === words.up) ops.push({ port: 'up' });
      else if (line === words.parallel) ops.push({ par: this.#threads() });
      else ops.push(this.#call(line));
    }
    return ops;
  }

  /** Ends at the line that ends them. */
  #threads(): Op[][] {
    const threads: Op[][] = [];
    this.#next += 1;
    while (this.#lines[this.#next] === words.thread) {
      this.#next += 1;
      threads.push(this.ops());
      if (this.#lines[this.#next] !== words.end) this.#refuse('a thread has no end');
      this.#next += 1;
    }
    if (this.#lines[this.#next] !== words.end) this.#refuse('what runs in parallel has no end');
    return threads;
  }

  #call(line: string): Op {
    const [, as, call = '', args = ''] = callPattern.exec(line) ?? [];
    if (!isVerbName(call)) return this.#refuse('no such call is known');
    try {
      return { call, args: readMembers(args), ...(as !== undefined && { as }) };
    } catch (error) {
      return this.#refuse((error as Error).message);
    }
  }

  #refuse(why: string): never {
    throw new UsageError(oneLine(`line ${Math.min(this.#next + 1, this.#lines.length)} of the calls: ${why}`));
  }
}
