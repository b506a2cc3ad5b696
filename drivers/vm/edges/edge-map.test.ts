import assert from 'node:assert/strict';
import { readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { FunctionEdges } from '../../contract';
import { EdgeMap, mapAt, mapBytes, memoryBytes } from './edge-map';

const functions: readonly FunctionEdges[] = [
  { file: 'a.c', name: 'one', edges: [{ at: 7, line: 1 }, { at: 9, line: 2 }] }, // prettier-ignore
  { file: 'b.c', name: 'two', edges: [{ at: mapBytes - 1, line: 3 }] },
];

function mapWith(...set: readonly number[]): EdgeMap {
  const map = new EdgeMap();
  for (const at of set) writeSync(map.file, Buffer.from([1]), 0, 1, mapAt + at);
  return map;
}

describe('the map of edges', () => {
  it('says of each edge whether its byte is set, and of no other byte anything', () => {
    for (const [set, reached] of [
      [[], []],
      [[7], [7]],
      [
        [8, 9, mapBytes - 1],
        [9, mapBytes - 1],
      ],
    ] as const) {
      const map = mapWith(...set);
      assert.deepEqual([...map.reached(functions)], reached);
      map.end();
      assert.deepEqual([...map.reached(functions)], reached, 'also once it was ended');
      map.end();
    }
  });

  it('begins with what the module looks for, and has the size that it looks for', () => {
    const code = readFileSync(join(__dirname, 'verbspec_edges.c'), 'utf8');
    const mark = `${/mark\[\] = "(.*)"/.exec(code)?.[1]}\0`;
    assert.equal(/#define MAP_AT (\d+)/.exec(code)?.[1], String(mapAt));
    assert.match(code, /#define MEMORY_BYTES \(1024 \* 1024\)/);
    assert.equal(memoryBytes, 1024 * 1024);
    const map = new EdgeMap();
    const memory = Buffer.alloc(memoryBytes + 1);
    assert.equal(readSync(map.file, memory, 0, memory.length, 0), memoryBytes);
    assert.equal(memory.toString('latin1', 0, mark.length), mark);
    assert.ok(memory.subarray(mark.length).every((byte) => byte === 0));
    map.end();
  });
});
