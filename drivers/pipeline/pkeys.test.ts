import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choosePkey, reaches } from './pkeys';

describe('the P_Key of a run', () => {
  it('is the first, unless that makes its QPs limited members', () => {
    assert.deepEqual(choosePkey([0xffff]), { index: 0 });
    assert.deepEqual(choosePkey([0x8001, 0xffff]), { index: 0 });
    assert.deepEqual(choosePkey([0x7fff, 0, 0xffff]), { index: 2 });
    assert.deepEqual(choosePkey([0, 0x8001]), { index: 1 });
  });

  it('is the first of a table that tells nothing', () => {
    for (const pkeys of [[], [0], [0, 0x8000]]) assert.deepEqual(choosePkey(pkeys), { index: 0 });
  });

  it('is none of limited ones alone', () => {
    assert.deepEqual(choosePkey([0x7fff, 0, 1]), { limitedAlone: '0x7fff at index 0, 0x1 at index 2' });
  });

  it('is asked for no longer than it takes', () => {
    const asked: number[] = [];
    const table = function* (): Iterable<number> {
      for (const pkey of [0x7fff, 0xffff, 0x8001]) {
        asked.push(pkey);
        yield pkey;
      }
    };
    assert.deepEqual(choosePkey(table()), { index: 1 });
    assert.deepEqual(asked, [0x7fff, 0xffff]);
  });

  it('reaches its own partition, of which one of the two is a full member', () => {
    const reached: readonly (readonly [number, number, boolean])[] = [
      [0xffff, 0xffff, true],
      [0x7fff, 0xffff, true],
      [0xffff, 0x7fff, true],
      [0x7fff, 0x7fff, false],
      [0x8001, 0xffff, false],
      [0x8000, 0x8000, false],
    ];
    for (const [one, other, does] of reached) assert.equal(reaches(one, other), does, `${one} ${other}`);
  });
});
