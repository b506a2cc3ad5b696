import { closeSync, readSync } from 'node:fs';
import type { FunctionEdges } from '../../contract';
import { openUnnamed } from '../unnamed-file';

/** As verbspec_edges.c has them. */
export const memoryBytes = 1024 * 1024;
export const mapAt = 64;
const mark = 'verbspec edges 1\0';

/** Edges have a smaller `at` than this. */
export const mapBytes = memoryBytes - mapAt;

/**
 * Memory that a VM shares with this process, in which a module sets a byte for each edge that is passed. It is that of
 * all VMs that follow one another: a kernel that has died has lost nothing.
 */
export class EdgeMap {
  /** The file that QEMU maps; it has no name. */
  readonly file: number;
  /** What was reached when it was ended. */
  #last: Buffer | undefined;

  constructor() {
    const memory = Buffer.alloc(memoryBytes);
    memory.write(mark, 'latin1');
    this.file = openUnnamed('the map of edges', memory);
  }

  /** Which edges have been passed. */
  reached(functions: readonly FunctionEdges[]): ReadonlySet<number> {
    const map = this.#last ?? this.#read();
    const edges = functions.flatMap((one) => one.edges);
    return new Set(edges.map(({ at }) => at).filter((at) => map[at] === 1));
  }

  /** Keeps what was reached, and lets the memory go. Safe to call twice. */
  end(): void {
    if (this.#last !== undefined) return;
    this.#last = this.#read();
    closeSync(this.file);
  }

  #read(): Buffer {
    const map = Buffer.alloc(mapBytes);
    readSync(this.file, map, 0, mapBytes, mapAt);
    return map;
  }
}
